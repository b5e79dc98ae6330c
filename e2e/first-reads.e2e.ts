import { pages, type PageName } from '@portal/contract/pages';
import { firstReads } from '@portal/contract/shell/first-reads';
import { readsTogetherPath } from '@portal/contract/shell/reads-together';
import { arriveAs, framed } from './people.ts';
import { expect, test } from './portal-test.ts';

/** Returns the reads of the person's last visit to an address, which the browser remembers once its first screen is whole; null until then. */
const rememberedReads = (path: string): string[] | null => {
  for (const [key, value] of Object.entries(localStorage))
    if (key.startsWith('first-reads:'))
      return (JSON.parse(value as string) as [string, string[]][]).find(([each]) => each === path)?.[1] ?? null;
  return null;
};

const isTogether = (address: string): boolean => new URL(address).pathname === readsTogetherPath;
/** Returns the reads that a request of the API stands for: its own path, or those it asks for together. */
const readsIn = (address: string): string[] => {
  const { pathname, search, searchParams } = new URL(address);
  return isTogether(address) ? searchParams.getAll('read') : [pathname + search];
};

test('the first visit to a page asks early for what the page reads, and for nothing else', async ({ page }) => {
  await arriveAs(page, 'corin');
  for (const [name, reads] of Object.entries(firstReads)) {
    const { path } = pages[name as PageName];
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('first-reads:')) localStorage.removeItem(key);
    });
    const asked: string[] = [];
    const ahead: string[] = [];
    page.on('request', request => {
      asked.push(request.url().replace(/^https?:\/\/[^/]+/, ''));
      // On a short line what the page itself reads first is asked for one by one.
      if (isTogether(request.url())) ahead.push(...readsIn(request.url()));
    });
    await page.goto(path);
    await expect.poll(() => page.evaluate(rememberedReads, path), path).not.toBeNull();
    const expected = reads.map(read => read.replaceAll('{account}', 'EXAMPLE-AU'));
    for (const read of expected)
      expect(
        asked.filter(each => each === read),
        `${path} is asked for ${read} once`,
      ).toHaveLength(1);
    const unused = async (): Promise<string[]> => {
      const kept = await page.evaluate<string[]>('[...(window.earlyAnswers?.keys() ?? [])]');
      return kept.filter(each => !ahead.includes(each));
    };
    await expect.poll(unused, `${path} reads all that was asked for`).toEqual([]);
    page.removeAllListeners('request');
  }
});

const readsOf = (name: PageName): string[] => firstReads[name]!.map(read => read.replaceAll('{account}', 'EXAMPLE-AU'));

test('a framed page that is opened from one of another part of the navigation is asked for its first reads while its code is on its way', async ({
  page,
}) => {
  const reads = readsOf('whoisUpdates');
  const asked: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => (release = resolve));
  page.on('request', request => {
    asked.push(...readsIn(request.url()).filter(path => reads.includes(path)));
    if (reads.every(read => asked.includes(read))) release();
  });
  await page.route(/\/assets\/WhoisUpdatesPage-/, async route => {
    await released;
    await route.continue();
  });
  await arriveAs(page, 'corin', '/resources/ipv4');
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('link', { name: 'Whois', exact: true }).first().click();
  await expect(framed(page).getByRole('heading', { level: 1, name: 'Whois updates' })).toBeVisible();
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  expect(asked.toSorted(), 'each once').toEqual(reads.toSorted());
});

test('once a framed page is whole the pages beside it are read in one request, and one of them opens without asking', async ({ page }) => {
  const asked: string[][] = [];
  page.on('request', request => void asked.push(readsIn(request.url())));
  const together = page.waitForResponse(/\/api\/reads\?/);
  await arriveAs(page, 'corin', '/resources/ipv4');
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  await together;
  const reads = readsOf('ipv4ShowList');
  const ahead = asked.filter(paths => paths.length > 1);
  expect(ahead, 'one request').toHaveLength(1);
  expect(ahead[0]).toEqual(expect.arrayContaining([...reads, ...readsOf('ipv6ShowList')]));
  expect(ahead[0], 'what this page has read itself').not.toContain(readsOf('ipv4')[1]);
  asked.length = 0;
  await page.getByRole('link', { name: 'IPv4 registrations', exact: true }).first().click();
  await expect(framed(page).getByRole('heading', { level: 1, name: 'IPv4 registrations' })).toBeVisible();
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  expect(asked.flat().filter(path => reads.includes(path))).toEqual([]);
});
