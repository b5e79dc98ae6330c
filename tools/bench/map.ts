import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { arriveAs } from '../../e2e/people.ts';
import { buildWeb, isWebBuilt } from '../web/build-web.ts';
import { findChromium } from '../chromium.ts';
import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import { pg, type PortalData, portalData } from './data/portal-data.ts';
import { address, startProgram, temporaryFolder } from './programs/program.ts';

const TIMES = 5;
const BUDGET_MS = 300;
const look = { baseURL: address, viewport: { width: 1280, height: 800 } };

/**
 * Notes when the picture of the address space is drawn: the frame after the one in which its marks are in the document. The shell looks into its frame,
 * which is of its origin: both have the same clock once the beginning of each is added.
 */
const drawnClock = `(() => {
  if (window !== top) return;
  const isDrawn = () => [...document.querySelectorAll('iframe')].some(each => each.contentDocument?.querySelector('[role=listbox] svg [role=option]'));
  const look = () => {
    if (!isDrawn()) return requestAnimationFrame(look);
    requestAnimationFrame(() => (window.drawnAt = performance.timeOrigin + performance.now()));
  };
  requestAnimationFrame(look);
})()`;
const answeredAt = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\/resources\\/address-(overview|map)\\?/.test(name))
  .map(({ responseEnd }) => performance.timeOrigin + responseEnd)`;

type Holder = { accountName: string; delegations: number; addresses: number };

/** The holders of the most IPv4 addresses and of the most IPv4 delegations, and one with three delegations as the baseline. */
async function holders({ url }: PortalData): Promise<[what: string, holder: Holder][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async (order: string): Promise<Holder> => {
    const { rows } = await client.query<{ account_name: string; delegations: string; addresses: string }>(
      `select account_name, count(*) as delegations, sum(size) as addresses from delegation where kind = 'ipv4' and status <> 'closed' group by account_name order by ${order} limit 1`,
    );
    return { accountName: rows[0]!.account_name, delegations: Number(rows[0]!.delegations), addresses: Number(rows[0]!.addresses) };
  };
  try {
    return [
      ['a small holder', await read('abs(count(*) - 3), 1')],
      ['most addresses', await read('3 desc')],
      ['most delegations', await read('2 desc, 1')],
    ];
  } finally {
    await client.end();
  }
}

type Kept = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Opens the page in a browser that knows the person but keeps no answers (docs/decisions/0204-reads-of-a-page.md), and returns the
 * milliseconds from the end of the answer that the picture is drawn from until it is drawn.
 */
async function drawing(browser: Browser, { cookies }: Kept, path: string): Promise<number> {
  await using context = await browser.newContext({ ...look, storageState: { cookies, origins: [] } });
  await context.addInitScript({ content: drawnClock });
  const page = await context.newPage();
  await page.goto(path);
  await page.frameLocator('iframe[title]').locator('[role=listbox] svg [role=option]').first().waitFor();
  // The content security policy of the portal lets no page evaluate words, and so nothing waits inside of it.
  let drawnAt = 0;
  while (drawnAt === 0) {
    await page.waitForTimeout(20);
    drawnAt = await page.evaluate<number>('window.drawnAt ?? 0');
  }
  const answers: number[] = [];
  for (const frame of page.frames()) answers.push(...(await frame.evaluate<number[]>(answeredAt)));
  const before = answers.filter(at => at <= drawnAt);
  if (before.length === 0) throw new Error(`no answer was found before the map of ${path}`);
  return drawnAt - Math.max(...before);
}

export const bench: Bench = {
  about: `the IPv4 page of the largest holders of a whole registry: from the end of the answer to the frame that shows the map, ${TIMES} times, processor not slowed down`,
  run: async () => {
    const found = await findChromium();
    if (!found) throw new Error('this needs Chromium');
    if (!(await isWebBuilt())) await buildWeb();
    await using temporary = temporaryFolder();
    await using data = await portalData(temporary.folder);
    const figures: Figure[] = [{ what: 'data', value: data.about }];
    await using _program = await startProgram(data.environment);
    const headers = { authorization: `Bearer ${await data.tokenOf('stella')}`, 'content-type': 'application/json' };
    const browser = await chromium.launch({ executablePath: found.path, args: found.args });
    try {
      const context = await browser.newContext(look);
      await arriveAs(await context.newPage(), 'stella');
      const kept = await context.storageState();
      let baseline = Number.NaN;
      for (const [what, { accountName, delegations, addresses }] of await holders(data)) {
        const account = encodeURIComponent(accountName);
        // Registry staff read an account during a visit only.
        const visit = await fetch(`${address}/api/staff/accounts/${account}/visit`, { method: 'POST', headers, body: '{}' });
        if (!visit.ok) throw new Error(`The visit was answered ${visit.status}: ${await visit.text()}`);
        const path = `/${account}/index.html?to=/resources/ipv4`;
        // The first time fills the server's own caches.
        await drawing(browser, kept, path);
        const took: number[] = [];
        for (let time = 0; time < TIMES; time++) took.push(await drawing(browser, kept, path));
        const median = percentile(took, 0.5);
        if (Number.isNaN(baseline)) baseline = median;
        figures.push({
          what: `${what}: ${accountName}, ${addresses} addresses in ${delegations} delegations`,
          value: `median ${milliseconds(median)}, slowest ${milliseconds(Math.max(...took))}, ${(median / baseline).toFixed(1)} times the small holder`,
          budget: `median ${BUDGET_MS} ms`,
          held: median <= BUDGET_MS,
        });
      }
    } finally {
      await browser.close();
    }
    return figures;
  },
};
