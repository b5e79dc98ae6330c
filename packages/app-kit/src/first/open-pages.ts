import { copiedToken, tabStorage } from '../auth/stored-user.ts';

const key = 'open-pages';

/** Names of the pages that a person may open with an account. */
type OpenPages = { userId: string; account: string; names: readonly string[] };

/** Keeps which pages are open to the person with the selected account: only these are asked for before their code has come. */
export function storeOpenPages(open: OpenPages): void {
  try {
    // A tab that has signed out stores nothing.
    if (copiedToken() !== null) tabStorage()?.setItem(key, JSON.stringify(open));
  } catch {
    // No room in this tab: pages ask once their code is here.
  }
}

/** Returns whether this tab knows that a page is open to the person with the account. */
export function isOpenPage(name: string, { userId, account }: Omit<OpenPages, 'names'>): boolean {
  try {
    const open = JSON.parse(tabStorage()?.getItem(key) ?? 'null') as OpenPages | null;
    return open?.userId === userId && open.account === account && open.names.includes(name);
  } catch {
    return false;
  }
}

/** Forgets them. */
export const dropOpenPages = (): void => tabStorage()?.removeItem(key);
