import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A change of a source: what stands between two places of it becomes other text, on as many lines. */
export type Edit = { start: number; end: number; text: string };

/** Returns the text of a source after its edits. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, text: put } of edits.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + put + result.slice(end);
  return result;
}

/** Writes files into a folder where they differ from what is there, and removes those it doesn't name. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const list = path.join(folder, 'files.json');
  const before = JSON.parse(await readFile(list, 'utf8').catch(() => '[]')) as string[];
  await Promise.all(before.filter(name => !files.has(name)).map(name => rm(path.join(folder, name), { force: true })));
  await Promise.all(
    [...files].map(async ([name, text]) => {
      const place = path.join(folder, name);
      if ((await readFile(place, 'utf8').catch(() => null)) === text) return;
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, text);
    }),
  );
  await mkdir(folder, { recursive: true });
  await writeFile(list, JSON.stringify([...files.keys()]));
}
