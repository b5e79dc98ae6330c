import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export type Chromium = { path: string; from: string; version: string; args: string[] };

/** Without windows: half the work. */
const withoutWindows = '/usr/bin/chromium-headless-shell';
const withWindows = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** A test browser that calls home would look like the portal calling foreign hosts. */
// biome-ignore format: one purpose
const quietFlags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--disable-features=OptimizationHints,MediaRouter',
];

const versionOf = (path: string): string => {
  try {
    return execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 }).trim();
  } catch {
    return 'version unknown';
  }
};

/**
 * The browser of the tests: CHROMIUM_PATH, else one installed on this machine, else the one that came with the dependencies (Linux x64
 * only; unpacked to a temporary folder). null where there is none.
 */
export async function findChromium(): Promise<Chromium | null> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`);
    return { path: given, from: 'CHROMIUM_PATH', version: versionOf(given), args: quietFlags };
  }
  const path = [withoutWindows, ...withWindows].find(place => existsSync(place));
  if (path) return { path, from: 'installed', version: versionOf(path), args: quietFlags };
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const { default: packaged } = await import('@sparticuz/chromium');
  const unpacked = await packaged.executablePath();
  return {
    path: unpacked,
    from: '@sparticuz/chromium',
    version: versionOf(unpacked),
    args: [...new Set([...packaged.args, ...quietFlags])],
  };
}

/** The Chromium that people use, with its windows hidden: it keeps sites apart, and third-party data out, which the one without windows doesn't. null where there is none. */
export function findWholeChromium(): Chromium | null {
  const path = process.env.CHROMIUM_PATH ? undefined : withWindows.find(place => existsSync(place));
  return path === undefined ? null : { path, from: 'installed', version: versionOf(path), args: quietFlags };
}
