import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openPrograms, type ProgramName, type Programs } from './programs.ts';

/** Forbidden behaviour of a page, one sentence per entry. */
export type Watch = {
  readonly findings: readonly string[];
  /** This story causes this message; all others still fail it. */
  expect(message: RegExp): void;
};

/** A test of a program that runs, in any browser. */
export const programTest = base.extend<{ program: ProgramName; address: string }, { programs: Programs }>({
  programs: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted.
    async ({}, use) => {
      const programs = openPrograms();
      await use(programs);
      await programs.stop();
    },
    { scope: 'worker' },
  ],
  program: ['portal', { option: true }],
  address: [async ({ program, programs }, use, { file }) => use(await programs.addressOf(program, file)), { timeout: 240_000 }],
});

/**
 * The portal's test: it fails when any page of the context, or any frame in one, writes an error to the console, throws, breaks the
 * content security policy, or asks another host for something.
 */
export const test = programTest.extend<{ watch: Watch }>({
  baseURL: ({ address }, provide) => provide(address),
  watch: [
    async ({ context, baseURL }, use) => {
      const found: string[] = [];
      const expected: RegExp[] = [];
      await watchOver(context, new URL(baseURL!).origin, sentence => found.push(sentence));
      const unexpected = () => found.filter(sentence => !expected.some(message => message.test(sentence)));
      await use({
        get findings() {
          return unexpected();
        },
        expect: message => expected.push(message),
      });
      expect([...new Set(unexpected())], 'what the pages did that they must not').toEqual([]);
    },
    { auto: true },
  ],
});

async function watchOver(context: BrowserContext, origin: string, find: (sentence: string) => void): Promise<void> {
  await context.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
      console.error('Policy violation: ' + effectiveDirective + ' refused ' + blockedURI + ' (' + sourceFile + ':' + lineNumber + ')'))`,
  });
  context.on('console', message => {
    if (message.type() === 'error') find(`Console error on ${message.page()?.url()}: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', error => find(`Exception on ${error.page()?.url()}: ${error.error().stack ?? error.error().message}`));
  context.on('request', request => {
    const url = new URL(request.url());
    if (/^https?:|^wss?:/.test(url.protocol) && url.origin !== origin) find(`Request to another host: ${request.url()}`);
  });
}

/** The smaller copy of axe: half as much to send to each document, and to compile there. */
const axe = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

/** Loads axe into each document of the page that lacks it: pages are checked repeatedly as they change. */
async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    try {
      if (await frame.evaluate<boolean>('!window.axe')) await frame.evaluate(axe);
    } catch (error) {
      // One that has left the page, such as that of a silent sign-in, must not be examined.
      if (!frame.isDetached()) throw error;
    }
  }
}

/** Collects every accessibility finding of the page and its frames, with its rule and place; the story continues, so that all are reported together. */
export async function expectAccessible(page: Page): Promise<void> {
  // Pages are examined in Chromium. Axe ends the process of a page in Firefox ESR 153 (a write to address 0 in libxul).
  if (page.context().browser()?.browserType().name() === 'firefox') return;
  await expectHead(page);
  // Content about to be replaced is dimmed.
  await expectDrawn(page);
  await bringAxe(page);
  // Legacy mode is one run in the page instead of one in each frame and another page to merge them: the same findings in half the time,
  // as long as the frames are of one origin. Passed rules need no description. Nothing is loaded for the rules: those that want style sheets and media again are
  // about turned screens, which is no rule of these kinds, and about sound and video, which no page has.
  const { violations } = await new AxeBuilder({ page, axeSource: ';' })
    .options({ resultTypes: ['violations'], preload: false })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const words = violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(node => node.target.join(' ')).join(', ')})`);
  expect.soft(words, `accessibility of ${page.url()}`).toEqual([]);
}

/** The page has its head, or its frame has: a frame that is still on its way has nothing to be examined. */
async function expectHead(page: Page): Promise<void> {
  await expect(async () => {
    const heads = await Promise.all(page.frames().map(frame => frame.locator('h1').count()));
    expect(Math.max(...heads), `heads of ${page.url()}`).toBeGreaterThan(0);
  }).toPass({ timeout: 15_000 });
}

/** Waits until page and frames show their data without placeholders. The network is never idle, because of the stream of session events. */
export async function expectDrawn(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    // A preloaded frame may wait until it is opened.
    if (frame.parentFrame() && !(await (await frame.frameElement()).isVisible())) continue;
    // A busy button may wait for the person, behind a dialog.
    await expect(frame.locator('[aria-busy="true"]:not(button)')).toHaveCount(0);
  }
}

export { expect };

/** Widths and themes in which a page has to work: narrow and wide, dark and light. */
const usualLooks = [
  { width: 390, theme: 'dark' },
  { width: 1280, theme: 'light' },
] as const;

/** Expects a page and its frames to be accessible and not wider than the window, in each of these widths and themes. */
export async function expectFit(page: Page, looks: readonly { width: number; theme: 'light' | 'dark' }[] = usualLooks): Promise<void> {
  await expectDrawn(page);
  for (const { width, theme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    // A control half under the top bar would count as too small.
    for (const frame of page.frames()) await frame.evaluate(`scrollTo(0, 0); document.documentElement.dataset.theme = '${theme}'`);
    await expectAccessible(page);
    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect.soft(over, `horizontal scroll of ${page.url()} at ${width} px`).toBe(0);
  }
}
