import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';

const installed = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** The Firefox of this machine: FIREFOX_PATH, else one that is installed; null where there is none. */
export function findFirefox(): { path: string; version: string } | null {
  const found = process.env.FIREFOX_PATH ?? installed.find(place => existsSync(place));
  if (found === undefined) return null;
  if (!existsSync(found)) throw new Error(`FIREFOX_PATH names ${found}, which does not exist.`);
  return { path: found, version: execFileSync(found, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() };
}

/** Writes a program into a folder that starts a Firefox as Playwright can drive it. @returns its path */
export function firefoxForPlaywright(firefox: string, folder: string): string {
  const file = path.join(folder, 'firefox');
  const relay = path.join(root, 'dev/browsers/firefox-relay.ts');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${relay}' '${firefox}' "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}
