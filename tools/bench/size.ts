import type { Page } from '@playwright/test';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { arriveAs, greeting } from '../../e2e/people.ts';
import { root } from '../root.ts';
import { limits } from '../web/page-weight.ts';
import { type Bench, kilobytes } from './figures/bench.ts';
import { assetsOf, withBrowser } from './programs/browser.ts';

/** Bytes of the scripts and style sheets as they are sent, brotli at quality 11. */
function sizeOf(assets: Iterable<string>): number {
  let sum = 0;
  for (const asset of assets) {
    const file = path.join(root, 'dist/web', asset);
    sum += statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
  }
  return sum;
}

/** A script that notes when what all of these selectors find is shown: later requests were not waited for. */
const usefulClock = (...selectors: string[]): string => `new MutationObserver((_, observer) => {
  if (!${JSON.stringify(selectors)}.every(selector => document.querySelector(selector))) return;
  observer.disconnect();
  window.usefulAt = performance.now();
}).observe(document, { childList: true, subtree: true });`;
const askedBeforeUseful = `performance.getEntriesByType('resource').filter(entry => entry.startTime <= window.usefulAt)
  .map(entry => new URL(entry.name).pathname).filter(name => /\\.(js|css)$/.test(name))`;

export const bench: Bench = {
  about: 'scripts and style sheets asked for before the first useful screen, brotli',
  run: () =>
    withBrowser(async ({ newContext }) => {
      const context = await newContext();
      await context.addInitScript({ content: usefulClock('form input[name=password]') });
      const page = await context.newPage();
      const asked = assetsOf(page);
      await page.goto('/');
      await page.getByLabel('User name or e-mail').waitFor();
      const onlySignIn = new Set(await page.evaluate<string[]>(askedBeforeUseful));
      // What the portal behind the form needs comes beside it, while a person types (docs/decisions/0050-sign-in-without-waiting.md).
      await page.waitForLoadState('networkidle');
      const beside = new Set([...asked].filter(asset => !onlySignIn.has(asset)));
      await arriveAs(page, 'corin', '/');
      await context.close();

      const measure = async (address: string, useful: (page: Page) => Promise<void>) => {
        const fresh = await newContext();
        await fresh.addInitScript({ content: usefulClock('main h1', 'button[aria-label^="Hello, "]') });
        const tab = await fresh.newPage();
        await arriveAs(tab, 'corin', '/settings');
        // Signed in in this tab, and nothing else kept.
        const cache = await fresh.newCDPSession(tab);
        await cache.send('Network.clearBrowserCache');
        const assets = assetsOf(tab);
        await tab.goto(address);
        await useful(tab);
        const seen = new Set(assets);
        const before = new Set(await tab.evaluate<string[]>(askedBeforeUseful));
        await fresh.close();
        return { seen, before };
      };
      const { before: home } = await measure('/', async visit => {
        await greeting(visit).waitFor();
        await visit.getByRole('heading', { level: 1 }).waitFor();
      });
      const { seen: framed } = await measure('/resources/ipv4', async visit => {
        await greeting(visit).waitFor();
        await visit.frameLocator('iframe[title]').getByRole('heading', { level: 1 }).waitFor();
      });
      return [
        {
          // The form is HTML; its sheet and the code that begins the sign-in meanwhile (docs/decisions/0050-sign-in-without-waiting.md).
          what: 'sign-in page',
          value: `${kilobytes(sizeOf(onlySignIn))} in ${onlySignIn.size} files`,
          budget: kilobytes(limits.signIn.bytes),
          held: sizeOf(onlySignIn) <= limits.signIn.bytes,
        },
        { what: 'portal, beside the form', value: `${kilobytes(sizeOf(beside))} in ${beside.size} files` },
        {
          what: 'portal home',
          value: `${kilobytes(sizeOf(home))} in ${home.size} files`,
          budget: kilobytes(limits.firstScreen),
          held: sizeOf(home) <= limits.firstScreen,
        },
        { what: 'framed page, with the shell around it', value: `${kilobytes(sizeOf(framed))} in ${framed.size} files` },
        { what: 'framed page beyond the home page', value: kilobytes(sizeOf([...framed].filter(asset => !home.has(asset)))) },
      ];
    }),
};
