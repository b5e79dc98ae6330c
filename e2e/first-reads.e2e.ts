import { pages, type PageName } from '@portal/contract/pages';
import { readsTogetherPath } from '@portal/contract/shell/reads-together';
import type { Page } from '@playwright/test';
import { arriveAs, framed } from './people.ts';
import { expect, test } from './portal-test.ts';

/** Returns the addresses that pages declare to read first, by the pages' names, as the HTML has them. */
const declaredReads = async (page: Page): Promise<Record<string, string[]>> => {
  const { pages: declared } = JSON.parse((await page.locator('#reads').textContent())!) as { pages: Record<string, string[]> };
  return Object.fromEntries(
    Object.entries(declared).map(([name, reads]) => [name, reads.map(read => read.replaceAll('{account}', 'EXAMPLE-AU'))]),
  );
};

const isTogether = (address: string): boolean => new URL(address).pathname === readsTogetherPath;
/** Returns the reads that a request of the API stands for: its own path, or those it asks for together. */
const readsIn = (address: string): string[] => {
  const { pathname, search, searchParams } = new URL(address);
  return isTogether(address) ? searchParams.getAll('read') : [pathname + search];
};

test('what a page declares is requested before its code has loaded, and read by it once', async ({ page }) => {
  await arriveAs(page, 'corin');
  const declared = await declaredReads(page);
  expect(Object.keys(declared).length).toBeGreaterThan(20);
  // A page that is left keeps its answers: each begins without them.
  await page.addInitScript({
    content: `if (location.protocol !== 'about:') for (const of of ['portal', 'frame']) sessionStorage.removeItem('kept-answers:' + of);`,
  });
  for (const [name, reads] of Object.entries(declared)) {
    const { path } = pages[name as PageName];
    // What the page before still asks for its neighbours doesn't count.
    await page.goto('about:blank');
    const asked: string[] = [];
    const ahead: string[] = [];
    page.on('request', request => {
      asked.push(request.url().replace(/^https?:\/\/[^/]+/, ''));
      // On a fast connection the page's first reads are requested one by one.
      if (isTogether(request.url())) ahead.push(...readsIn(request.url()));
    });
    await page.goto(path);
    await expect.poll(() => reads.filter(read => !asked.includes(read)), `${path} is asked for all`).toEqual([]);
    const unused = async (): Promise<string[]> => {
      const kept = await page.evaluate<string[]>('[...(window.readsAhead?.keys() ?? [])]');
      return kept.filter(each => !ahead.includes(each));
    };
    await expect.poll(unused, `${path} reads all that was asked for`).toEqual([]);
    for (const read of reads)
      expect(
        asked.filter(each => each === read),
        `${path} is asked for ${read} once`,
      ).toHaveLength(1);
    page.removeAllListeners('request');
  }
});

test('a framed page opened from another part of the navigation has its first reads requested while its code is loading', async ({
  page,
}) => {
  await arriveAs(page, 'corin', '/resources/ipv4');
  const { whoisUpdates: reads = [] } = await declaredReads(page);
  expect(reads.length).toBeGreaterThan(1);
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
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('navigation').filter({ hasText: 'Membership' }).getByRole('link', { name: 'Whois', exact: true }).first().click();
  await expect(framed(page).getByRole('heading', { level: 1, name: 'Whois updates' })).toBeVisible();
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  expect(asked.toSorted(), 'each once').toEqual(reads.toSorted());
});

test('once a framed page is complete its neighbours are read in one request, and one of them opens without a request', async ({ page }) => {
  const asked: string[][] = [];
  page.on('request', request => void asked.push(readsIn(request.url())));
  const together = page.waitForResponse(/\/api\/reads\?/);
  await arriveAs(page, 'corin', '/resources/ipv4');
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  await together;
  const declared = await declaredReads(page);
  const reads = declared['ipv6ShowList']!;
  const ahead = asked.filter(paths => paths.length > 1);
  expect(ahead, 'one request').toHaveLength(1);
  expect(ahead[0]).toEqual(expect.arrayContaining(reads));
  // The blocks of this page are those of the list of IPv4 registrations.
  for (const own of [declared['ipv4']![1], ...declared['ipv4ShowList']!])
    expect(ahead[0], 'what this page has read itself').not.toContain(own);
  asked.length = 0;
  await page.getByRole('link', { name: 'IPv6 registrations', exact: true }).first().click();
  await expect(framed(page).getByRole('heading', { level: 1, name: 'IPv6 registrations' })).toBeVisible();
  await expect(framed(page).getByRole('row').nth(1)).toBeVisible();
  expect(asked.flat().filter(path => reads.includes(path))).toEqual([]);
});

test('the pages that are opened most are shown as they were at their next load, before they are there', async ({ page }) => {
  await arriveAs(page, 'corin');
  for (const [path, keeper, seen] of [
    ['/', 'portal', page.getByRole('heading', { name: 'Routes' })],
    ['/member-account-settings/account-contacts', 'portal', page.getByRole('cell').first()],
    ['/resources/ipv4', 'frame', framed(page).getByRole('row').nth(1)],
    ['/resources/whois-updates-js/all', 'frame', framed(page).getByRole('row').nth(1)],
  ] as const) {
    await page.goto(path);
    await expect(seen).toBeVisible();
    // A page that is left before all of it was read has no picture; one that reads what no tab keeps never has.
    await expect
      .poll(
        async () => {
          await page.reload();
          await expect(seen).toBeVisible();
          return page.evaluate(key => sessionStorage.getItem(key)?.slice(0, 200) ?? '', `last-picture:${keeper}`);
        },
        { message: path },
      )
      .toContain(`"address":"${path}"`);
  }
});
