import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { buildWeb, isWebBuilt } from '../../web/build-web.ts';
import { findChromium } from '../../chromium.ts';
import { address, startProgram, temporaryFolder } from './program.ts';

export type BrowserBench = { browser: Browser; newContext: () => Promise<BrowserContext> };

/** The portal with its demo registry in memory, freshly built, and a browser that shows it. */
export async function withBrowser<T>(work: (bench: BrowserBench) => Promise<T>): Promise<T> {
  const found = await findChromium();
  if (!found) throw new Error('this needs Chromium');
  if (!(await isWebBuilt())) await buildWeb();
  await using temporary = temporaryFolder();
  await using _program = await startProgram({ DATABASE_URL: 'memory://', DATA_DIR: temporary.folder });
  const browser = await chromium.launch({ executablePath: found.path, args: found.args });
  try {
    return await work({ browser, newContext: () => browser.newContext({ baseURL: address, viewport: { width: 1280, height: 800 } }) });
  } finally {
    await browser.close();
  }
}

/** Paths of the scripts and style sheets a page asks for from now on. */
export function assetsOf(page: Page): Set<string> {
  const assets = new Set<string>();
  page.context().on('request', request => {
    const { pathname } = new URL(request.url());
    if (/\.(js|css)$/.test(pathname)) assets.add(pathname);
  });
  return assets;
}
