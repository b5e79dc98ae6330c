import type { Page } from '@playwright/test';
import { arriveAs, greeting } from '../../e2e/people.ts';
import { type Bench } from './bench.ts';
import { withBrowser } from './browser.ts';
import { address } from './program.ts';

/** The stream of session events stays open, so the network is never idle; everything else has come by then. */
const settleMs = 3000;
/** A common definition of Fast 3G, and a middling telephone. */
const line = { downMbit: 1.6, upMbit: 0.75, roundTripMs: 150, processorSlowdown: 4 };

/** Slows line and processor down from now on; `cold` forgets what the browser keeps. */
async function slowDown(page: Page, { cold = false } = {}): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  if (cold) await client.send('Network.clearBrowserCache');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.roundTripMs,
    downloadThroughput: (line.downMbit * 1e6) / 8,
    uploadThroughput: (line.upMbit * 1e6) / 8,
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: line.processorSlowdown });
}

const shiftCounter = `window.layoutShift = 0;
new PerformanceObserver(list => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value; })
  .observe({ type: 'layout-shift', buffered: true });`;
const painted = `(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0) / 1000`;

/** The authorisation request a client sends: where "Log in" leads. */
const signInAddress = `/oidc/auth?${new URLSearchParams({
  client_id: 'portal',
  redirect_uri: `${address}/auth-callback`,
  response_type: 'code',
  scope: 'openid profile email',
  state: 'bench',
  nonce: 'bench',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}).toString()}`;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
};
const figure = (what: string, value: number, budget?: number) => ({
  what,
  value: `${value.toFixed(2)} s`,
  ...(budget !== undefined && { budget: `${budget.toFixed(1)} s`, held: value <= budget }),
});

export const bench: Bench = {
  about: `a visit over ${line.downMbit} Mbit/s down, ${line.upMbit} up, ${line.roundTripMs} ms round trip (Fast 3G), with a processor ${line.processorSlowdown} times slower; home as a person signed in in this tab sees it`,
  run: () =>
    withBrowser(async ({ newContext }) => {
      const hosts = new Set<string>();
      const open = async (): Promise<Page> => {
        const context = await newContext();
        await context.addInitScript({ content: shiftCounter });
        context.on('request', request => {
          const { host, protocol } = new URL(request.url());
          if (protocol.startsWith('http')) hosts.add(host);
        });
        return context.newPage();
      };
      const nameField = (page: Page) => page.getByLabel('User name or e-mail');
      const homeUseful = async (page: Page): Promise<void> => {
        await page.goto('/', { waitUntil: 'commit' });
        await greeting(page).waitFor();
        await page.getByRole('heading', { level: 1 }).waitFor();
      };

      const stranger = await open();
      await slowDown(stranger, { cold: true });
      const signIn = await seconds(async () => {
        await stranger.goto(signInAddress, { waitUntil: 'commit' });
        await nameField(stranger).waitFor();
      });
      const newcomer = await open();
      await slowDown(newcomer, { cold: true });
      const throughPortal = await seconds(async () => {
        await newcomer.goto('/', { waitUntil: 'commit' });
        await nameField(newcomer).waitFor();
      });

      const member = await open();
      await arriveAs(member, 'corin', '/');
      await slowDown(member, { cold: true });
      const useful = await seconds(() => homeUseful(member));
      const firstPaint = await member.evaluate<number>(painted);
      await member.waitForTimeout(settleMs);
      const shift = await member.evaluate<number>('window.layoutShift');
      const again: number[] = [];
      for (let visit = 0; visit < 5; visit++) {
        again.push(await seconds(() => homeUseful(member)));
        await member.waitForTimeout(settleMs);
      }
      const second = again.toSorted((a, b) => a - b)[2]!;
      const secondPaint = await member.evaluate<number>(painted);

      const tab = await member.context().newPage();
      await slowDown(tab);
      const newTab = await seconds(() => homeUseful(tab));
      return [
        figure('sign-in page useful, cold', signIn, 1),
        figure('home painted, cold', firstPaint, 1),
        figure('home useful, cold', useful, 2),
        figure('second visit painted', secondPaint),
        figure('second visit useful, median of 5', second, 0.8),
        { what: 'layout shift of home', value: shift.toFixed(4), budget: '0.01', held: shift < 0.01 },
        { what: 'hosts contacted', value: [...hosts].join(', '), budget: '1', held: hosts.size === 1 },
        figure('sign-in page when the portal is asked first, cold', throughPortal),
        figure('home in a new tab, through the provider, warm', newTab),
      ];
    }),
};
