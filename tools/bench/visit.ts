import type { BrowserContext, Locator, Page } from '@playwright/test';
import { framed, greeting } from '../../e2e/people.ts';
import type { Bench, Figure } from './figures/bench.ts';
import { percentile } from './figures/bench.ts';
import { withBrowser } from './programs/browser.ts';

/**
 * Lighthouse's DevTools constants for "Fast 3G", by which front ends are compared, and a middling telephone: each request takes 562.5 ms longer.
 */
const line = { downMbit: 1.47, upMbit: 0.69, requestMs: 562.5, processorSlowdown: 4 };
const runs = Number(process.env.VISIT_RUNS ?? 5);
/** The stream of session events stays open, so the network is never idle; prefetches have finished by then. */
const settleMs = 1500;
const wholeMs = 4000;
const PERSON = 'max';

type Budget = { head: number; content?: number; requests?: number };
/** First sight of the page, and its first real content. */
type Seen = (page: Page) => readonly Locator[];
type Visit = { marks: number[]; requests: number; bytes: number };

async function slowDown(page: Page, { cold = false } = {}): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  if (cold) await client.send('Network.clearBrowserCache');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.requestMs,
    downloadThroughput: (line.downMbit * 1e6) / 8,
    uploadThroughput: (line.upMbit * 1e6) / 8,
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: line.processorSlowdown });
}

/** Does something and waits until something is visible; in milliseconds from the start, with the requests answered until then. */
async function timed(page: Page, act: () => Promise<unknown>, seen: Seen): Promise<Visit> {
  const visit: Visit = { marks: [], requests: 0, bytes: 0 };
  page.on('requestfinished', async request => {
    visit.requests++;
    const sizes = await request.sizes().catch(() => null);
    if (sizes) visit.bytes += Math.max(0, sizes.responseBodySize) + sizes.responseHeadersSize;
  });
  const from = performance.now();
  const acting = act();
  for (const locator of seen(page)) {
    await locator.waitFor({ timeout: 60_000 });
    visit.marks.push(performance.now() - from);
  }
  await acting;
  return { ...visit, marks: visit.marks };
}

const nameField = (page: Page): Locator => page.getByLabel('User name or e-mail');
const rows = (root: Page | ReturnType<typeof framed>): Locator =>
  root.locator('table tbody tr, [role=row] [role=gridcell], [role=row] td').first();
const homeSeen: Seen = page => [greeting(page), page.locator('main h2').first()];
const framedSeen: Seen = page => [framed(page).locator('h1').first(), rows(framed(page))];

/** Pages that are opened in a tab that is signed in. */
const pages: readonly { name: string; path: string; seen: Seen; cold: Budget; warm: Budget }[] = [
  {
    name: 'home',
    path: '/',
    seen: page => [page.locator('main h1').first(), page.locator('main h2').first()],
    cold: { head: 1800, content: 2600, requests: 16 },
    warm: { head: 800, content: 1400, requests: 16 },
  },
  {
    name: 'account contacts',
    path: '/member-account-settings/account-contacts',
    seen: page => [page.locator('main h1').first(), rows(page)],
    cold: { head: 2200, content: 3200, requests: 24 },
    warm: { head: 900, content: 1500, requests: 24 },
  },
  {
    name: 'framed: IPv4',
    path: '/resources/ipv4',
    seen: framedSeen,
    cold: { head: 2200, content: 3200, requests: 24 },
    warm: { head: 900, content: 1500, requests: 24 },
  },
  {
    name: 'framed: whois updates',
    path: '/resources/whois-updates-js/all',
    seen: framedSeen,
    cold: { head: 2200, content: 3200, requests: 24 },
    warm: { head: 900, content: 1500, requests: 24 },
  },
];

async function fillIn(page: Page): Promise<void> {
  await page.goto('/');
  await nameField(page).fill(PERSON);
  await page.getByLabel('Password').fill(`demo-registry-${PERSON}`);
}
const press = (page: Page): Promise<void> => page.getByRole('button', { name: 'Log in', exact: true }).click({ noWaitAfter: true });

async function signedIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await fillIn(page);
  await press(page);
  await greeting(page).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(settleMs);
  return page;
}

const goTo = (page: Page, path: string) => (): Promise<unknown> => page.goto(path, { waitUntil: 'commit' });

type Journey = { name: string; budget: Budget; visit: (context: BrowserContext) => Promise<Visit> };
const journeys: readonly Journey[] = [
  {
    name: 'a stranger asks for / and gets the form',
    budget: { head: 1300, requests: 6 },
    visit: async context => {
      const page = await context.newPage();
      await slowDown(page);
      return timed(page, goTo(page, '/'), each => [nameField(each)]);
    },
  },
  {
    name: 'press Log in, home',
    budget: { head: 2500, content: 3500, requests: 25 },
    visit: async context => {
      const page = await context.newPage();
      await slowDown(page);
      await fillIn(page);
      return timed(page, () => press(page), homeSeen);
    },
  },
  ...pages.flatMap(({ name, path, seen, cold, warm }) =>
    (
      [
        ['cold', cold],
        ['warm', warm],
      ] as const
    ).map(
      ([kind, budget]): Journey => ({
        name: `${name}, same tab, ${kind}`,
        budget,
        visit: async context => {
          const page = await signedIn(context);
          if (kind === 'warm') {
            await page.goto(path);
            await page.waitForTimeout(wholeMs);
          }
          await page.goto('about:blank');
          await slowDown(page, { cold: kind === 'cold' });
          return timed(page, goTo(page, path), seen);
        },
      }),
    ),
  ),
  {
    name: 'home in a new tab, another tab open, warm',
    budget: { head: 900, content: 1500 },
    visit: async context => {
      await signedIn(context);
      const tab = await context.newPage();
      await slowDown(tab);
      return timed(tab, goTo(tab, '/'), homeSeen);
    },
  },
  {
    name: 'home in a new tab, no other open, warm',
    budget: { head: 2000, content: 2800 },
    visit: async context => {
      const page = await signedIn(context);
      await page.goto('about:blank');
      const tab = await context.newPage();
      await page.close();
      await slowDown(tab);
      return timed(tab, goTo(tab, '/'), homeSeen);
    },
  },
  {
    name: 'press IPv4 registrations on framed IPv4, first',
    budget: { head: 250, content: 1000, requests: 4 },
    visit: async context => {
      const page = await signedIn(context);
      await page.goto('/resources/ipv4');
      await rows(framed(page)).waitFor();
      await page.waitForTimeout(500);
      await slowDown(page);
      return timed(
        page,
        () => page.getByRole('link', { name: 'IPv4 registrations', exact: true }).first().click(),
        each => [framed(each).getByRole('heading', { level: 1, name: 'IPv4 registrations' }), rows(framed(each))],
      );
    },
  },
];

const median = (values: readonly number[]): number => percentile(values, 0.5);

function figuresOf({ name, budget }: Journey, visits: readonly Visit[]): Figure[] {
  const head = median(visits.map(({ marks }) => marks[0]!));
  const content = median(visits.map(({ marks }) => marks.at(-1)!));
  const requests = median(visits.map(each => each.requests));
  const bytes = median(visits.map(each => each.bytes));
  const one = (what: string, value: number, unit: string, most: number | undefined): Figure => ({
    what: `${name}: ${what}`,
    value: `${Math.round(value)}${unit}`,
    ...(most !== undefined && { budget: `${most}${unit}`, held: value <= most }),
  });
  return [
    one('head', head, ' ms', budget.head),
    ...(budget.content === undefined ? [] : [one('content', content, ' ms', budget.content)]),
    one('requests', requests, '', budget.requests),
    { what: `${name}: received`, value: `${Math.round(bytes / 1000)} kB` },
  ];
}

export const bench: Bench = {
  about: `visits over ${line.downMbit} Mbit/s down, ${line.upMbit} up, each request ${line.requestMs} ms longer, with a processor ${line.processorSlowdown} times slower; medians of ${runs}`,
  run: () =>
    withBrowser(async ({ newContext }) => {
      const figures: Figure[] = [];
      for (const journey of journeys) {
        const visits: Visit[] = [];
        for (let run = 0; run < runs; run++) {
          const context = await newContext();
          visits.push(await journey.visit(context));
          await context.close();
        }
        figures.push(...figuresOf(journey, visits));
      }
      return figures;
    }),
};
