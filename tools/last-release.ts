import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.ts';

/** The last release by its number and its commit, as `ops/last-release` names them. */
export async function lastRelease(): Promise<{ version: string; commit: string }> {
  const [version, commit] = (await readFile(path.join(root, 'ops/last-release'), 'utf8')).trim().split(' ');
  return { version: version!, commit: commit! };
}
