import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.ts';

const ignored = new Set(['node_modules', '.git', 'dist', 'data', '.data', 'test-results', 'playwright-report', 'coverage']);

/** A text file of the project, with its path from the root, `/` between folders. */
export type ProjectFile = { path: string; text: string };

/** Returns every file of the project whose path matches, in order, without installed, built and runtime files. */
export async function projectFiles(wanted: RegExp): Promise<ProjectFile[]> {
  const paths = (await below('')).filter(file => wanted.test(file)).sort();
  return Promise.all(paths.map(async file => ({ path: file, text: await readFile(path.join(root, file), 'utf8') })));
}

async function below(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const lists = entries.map(async (entry): Promise<string[]> => {
    if (ignored.has(entry.name)) return [];
    const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? below(place) : entry.isFile() ? [place] : [];
  });
  return (await Promise.all(lists)).flat();
}
