import { defineConfig } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findChromium, findWholeChromium } from './tools/chromium.ts';
import { findFirefox, firefoxForPlaywright } from './tools/firefox.ts';
import { quickParent, ROOM_FOR_STORIES } from './tools/memory-folder.ts';

const chromium = await findChromium();
const wholeChromium = findWholeChromium();
const firefox = findFirefox();
if (!chromium) throw new Error('There is no Chromium here: install one, or name it in CHROMIUM_PATH.');

// Shared by the processes of one run; deleted with the first of them, which alone finds it unnamed.
if (!process.env.E2E_FOLDER) {
  const folder = mkdtempSync(path.join(quickParent(ROOM_FOR_STORIES), 'portal-e2e-'));
  process.env.E2E_FOLDER = folder;
  // Compile cache of programs: that of the other tests.
  process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/node-compile');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

const long = ['billing-desk', 'crawler', 'error-reports', 'glewlwyd', 'joining', 'session', 'site-map', 'transfers', 'whole-election'].map(
  name => `${name}.e2e.ts`,
);

/** Where a Chromium with windows differs from one without: frames of other sites, sign-in, passkeys, uploads and downloads. These run in it, if there is one, and in no other. */
const inWholeChromium = wholeChromium ? ['documents', 'frames', 'passkeys', 'sign-in'].map(name => `${name}.e2e.ts`) : [];

/**
 * Documents of stories live for seconds: what V8 spends on optimizing their scripts, and axe in each of them, does not come back. In seconds of processor of the
 * renderer: three files of stories 41 and 40 without this, 37 with it; pages that are loaded one after another and examined 26 to 29, and 20 to 22. The benchmarks
 * measure a browser that optimizes.
 */
const unoptimized = '--js-flags=--no-opt,--no-maglev';

/** The browser tests run against the real program (e2e/programs.ts). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  // Each has its own programs and browser; much of a story is waiting.
  workers: Number(process.env.E2E_WORKERS ?? Math.min(4, os.availableParallelism() + 1)),
  // The longest stories come first, for none of them may begin when the others are over: walks through all pages, and what waits for a schedule, for tokens
  // to end or for other programs. They are one project, because a worker starts its programs anew for another one.
  projects: [
    { name: 'long', testMatch: long },
    { name: 'portal', testIgnore: [...long, ...inWholeChromium] },
    ...(wholeChromium
      ? [
          {
            name: 'whole Chromium',
            testMatch: inWholeChromium,
            use: { launchOptions: { executablePath: wholeChromium.path, args: [...wholeChromium.args, unoptimized] } },
          },
        ]
      : []),
    // The main journeys; their pages are examined in Chromium.
    ...(firefox
      ? [
          {
            name: 'Firefox',
            grep: /@firefox/,
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              launchOptions: {
                executablePath: firefoxForPlaywright(firefox.path, process.env.E2E_FOLDER!),
                args: [],
                // As reducedMotion below, which this browser can't be asked for.
                firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
              },
            },
          },
        ]
      : []),
  ],
  forbidOnly: Boolean(process.env.CI),
  // A machine that does other things as well takes its time.
  timeout: 150_000,
  // Where no one can look, a story that failed is run once more with new programs, and listed as flaky: what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-AU',
    timezoneId: 'Australia/Brisbane',
    // Text can't be judged while it fades from one colour to another.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromium.path, args: [...chromium.args, unoptimized] },
    // A trace of every action is recorded on request (`npm run e2e -- --trace on <file>`): it takes as long as the stories themselves.
    screenshot: 'only-on-failure',
  },
});
