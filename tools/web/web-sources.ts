import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../root.ts';

/** Sources of the web build; a change of any of these makes it stale. */
const parts = [
  'apps/portal',
  'apps/resource-manager',
  'apps/desk',
  'apps/server/web',
  'apps/registry-command',
  'packages',
  'vite.config.ts',
  'package-lock.json',
  // How it is built; the checks of what was built are there, too.
  'tools/web',
  'tools/merge-runtime.ts',
];

/** SHA-256 over names and contents of everything the web build is made from, tests left out. */
export async function hashWebSources(): Promise<string> {
  const files = (await Promise.all(parts.map(filesBelow))).flat().sort();
  const contents = await Promise.all(files.map(file => readFile(file)));
  const hash = createHash('sha256');
  for (const [place, file] of files.entries()) {
    hash.update(`${path.relative(root, file)}\0`);
    hash.update(contents[place] ?? '');
  }
  return hash.digest('hex');
}

async function filesBelow(part: string): Promise<string[]> {
  const place = path.join(root, part);
  try {
    const entries = await readdir(place, { withFileTypes: true, recursive: true });
    return entries
      .filter(entry => entry.isFile() && !entry.parentPath.includes('node_modules') && !/\.test\.tsx?$/.test(entry.name))
      .map(entry => path.join(entry.parentPath, entry.name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return [place];
    if (code === 'ENOENT') return [];
    throw error;
  }
}
