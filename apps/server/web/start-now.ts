import type { TabPerson } from './signed-in.ts';

/** Answer of `home.getNetwork`, as far as this script reads it. */
type Network = {
  routes: { valid: number; invalid: number; notFound: number } | null;
  reverse: { needed: number; ok: number; lame: number; missing: number } | null;
};

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

/** Facts of the account, in a few words each, and whether each is as it should be. */
const factsAbout: Readonly<Record<string, (network: Network) => [good: boolean, words: string][]>> = {
  routes: ({ routes }) =>
    routes === null
      ? []
      : [
          [true, counted(routes.valid, 'valid announcement', 'valid announcements')],
          ...(routes.notFound > 0 ? [[false, `${routes.notFound} without a ROA`] as [boolean, string]] : []),
          ...(routes.invalid > 0 ? [[false, `${routes.invalid} invalid`] as [boolean, string]] : []),
        ],
  reverse: ({ reverse }) =>
    reverse === null
      ? []
      : [
          [true, `${reverse.ok} of ${counted(reverse.needed, 'zone', 'zones')} answer`],
          ...(reverse.lame > 0 ? [[false, `${reverse.lame} lame`] as [boolean, string]] : []),
          ...(reverse.missing > 0 ? [[false, `${reverse.missing} not delegated`] as [boolean, string]] : []),
        ],
};

/** Asks the registry as the person; null for what they may not see, and without an answer. */
async function ask<Answer>(path: string, { token }: TabPerson): Promise<Answer | null> {
  try {
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
    return answer.ok ? ((await answer.json()) as Answer) : null;
  } catch {
    return null;
  }
}

/** The account that the portal shows the person: the one selected last, otherwise the first that is open. */
async function accountOf(person: TabPerson): Promise<string | null> {
  if (person.account !== null) return person.account;
  const accounts = await ask<{ accountName: string; accountStatus: string }[]>('/api/accounts', person);
  return (
    (accounts ?? [])
      .filter(({ accountStatus }) => accountStatus !== 'closed')
      .map(({ accountName }) => accountName)
      .toSorted()[0] ?? null
  );
}

/** Tells a signed-in reader of an article what is so in their account, and leads to the page that it is about. */
export async function showStart(box: HTMLElement, person: TabPerson): Promise<void> {
  const { start, about = '', words = '' } = box.dataset;
  const facts = factsAbout[about];
  const account = await accountOf(person);
  const network = facts && account !== null ? await ask<Network>(`/api/${encodeURIComponent(account)}/home/network`, person) : null;
  const [text, name, list, link] = [
    document.createElement('p'),
    document.createElement('b'),
    document.createElement('ul'),
    document.createElement('a'),
  ];
  name.textContent = [person.name, account].filter(Boolean).join(', ');
  text.append('Signed in as ', name, '.');
  for (const [good, fact] of network === null ? [] : facts!(network)) {
    const item = document.createElement('li');
    item.dataset['state'] = good ? 'good' : 'open';
    item.textContent = fact;
    list.append(item);
  }
  link.className = 'btn plain';
  link.href = start!;
  link.textContent = words;
  box.append(text, ...(list.childElementCount > 0 ? [list] : []), link);
  box.hidden = false;
}
