import type { Page } from '@playwright/test';
import { enterCode, greeting } from '../../e2e/people.ts';
import { type Bench } from './bench.ts';
import { withBrowser } from './browser.ts';

/** A common definition of Fast 3G, and a middling telephone. */
const line = { downMbit: 1.6, upMbit: 0.75, roundTripMs: 150, processorSlowdown: 4 };

async function slowDown(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
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
const painted = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;

export const bench: Bench = {
  about: `a visit over ${line.downMbit} Mbit/s down, ${line.upMbit} up, ${line.roundTripMs} ms round trip, with a processor ${line.processorSlowdown} times slower; nothing in the cache at first`,
  run: () =>
    withBrowser(async ({ newContext }) => {
      const context = await newContext();
      await context.addInitScript({ content: shiftCounter });
      const hosts = new Set<string>();
      context.on('request', request => {
        const { host, protocol } = new URL(request.url());
        if (protocol.startsWith('http')) hosts.add(host);
      });
      const page = await context.newPage();
      await slowDown(page);
      const seconds = async (work: () => Promise<unknown>): Promise<string> => {
        const from = performance.now();
        await work();
        return `${((performance.now() - from) / 1000).toFixed(2)} s`;
      };

      const signIn = await seconds(async () => {
        await page.goto('/');
        await page.getByLabel('User name or e-mail').waitFor();
      });
      await page.getByLabel('User name or e-mail').fill('corin');
      await page.getByLabel('Password').fill('demo-registry-corin');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByLabel('One-time code').waitFor();
      const useful = await seconds(async () => {
        await enterCode(page, 'corin');
        await greeting(page).waitFor();
        await page.getByRole('heading', { level: 1 }).waitFor();
      });
      const firstPaint = await page.evaluate<number>(painted);
      await page.waitForLoadState('networkidle');
      const shift = await page.evaluate<number>('window.layoutShift');

      const again = await context.newPage();
      await slowDown(again);
      const second = await seconds(async () => {
        await again.goto('/');
        await greeting(again).waitFor();
        await again.getByRole('heading', { level: 1 }).waitFor();
      });
      const secondPaint = await again.evaluate<number>(painted);
      return [
        { what: 'sign-in useful', value: signIn },
        { what: 'home painted, from the start of its document', value: `${(firstPaint / 1000).toFixed(2)} s` },
        { what: 'home useful, from the last sign-in button', value: useful },
        { what: 'second visit useful', value: second },
        { what: 'second visit painted', value: `${(secondPaint / 1000).toFixed(2)} s` },
        { what: 'layout shift of home', value: shift.toFixed(4), budget: '0.1', held: shift < 0.1 },
        { what: 'hosts contacted', value: [...hosts].join(', '), budget: '1', held: hosts.size === 1 },
      ];
    }),
};
