import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { applications, filesOf, type Manifest, pageFilesIn } from './page-files.ts';
import { root } from '../root.ts';
import { signInCode } from './shared-parts.ts';

/** The weight of a page besides what its application needs to start: scripts and style sheets, and their bytes as they are sent. */
export type PageWeight = { app: string; page: string; files: number; bytes: number };

/** The code that the sign-in form loads to start a sign-in, without any of the portal’s own. */
const signIn = 'sign-in form';

/** Limits of a page besides the start of its application, of that start, and of the first screen: the start of the portal with home. */
export const limits = {
  files: 6,
  bytes: 94_000,
  signIn: { files: 4, bytes: 30_000 },
  start: { files: 8, bytes: 127_500 },
  firstScreen: 130_000,
};

/** Returns the weight of each application's start (`page` is empty) and of each page of a web build, in bytes of brotli. */
export async function pageWeightsIn(folder: string): Promise<PageWeight[]> {
  const manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const pages = await pageFilesIn(folder);
  const weigh = async (files: Iterable<string>): Promise<{ files: number; bytes: number }> => {
    const sizes = await Promise.all([...files].map(async file => (await readFile(path.join(folder, `${file}.br`))).length));
    return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  };
  const weights: PageWeight[] = [{ app: 'portal', page: signIn, ...(await weigh(filesOf(manifest, signInCode))) }];
  for (const { document, name, views } of applications) {
    weights.push({ app: name, page: '', ...(await weigh(filesOf(manifest, [document]))) });
    for (const [page, { app, files }] of Object.entries(pages))
      if (app === views) weights.push({ app: name, page, ...(await weigh(files)) });
  }
  return weights;
}

/** Returns a sentence for each start and page that costs more than its limit. */
export function overweight(weights: readonly PageWeight[]): string[] {
  const firstScreen = weights
    .filter(({ app, page }) => app === 'portal' && (page === '' || page === 'home'))
    .reduce((sum, { bytes }) => sum + bytes, 0);
  const single = weights.flatMap(({ app, page, files, bytes }) => {
    const most = page === '' ? limits.start : page === signIn ? limits.signIn : limits;
    const what = page === '' ? `The start of ${app}` : page === signIn ? 'The sign-in form' : `The page "${page}" of ${app}`;
    return [
      ...(files > most.files
        ? [`${what} is ${files} files; the limit is ${most.files}. tools/web/shared-parts.ts says what goes where.`]
        : []),
      ...(bytes > most.bytes
        ? [
            `${what} is ${bytes} bytes of brotli; the limit is ${most.bytes}. Load what it does not show first when it is needed (schemas: decision 205).`,
          ]
        : []),
    ];
  });
  const words = `The first screen of home is ${firstScreen} bytes of brotli; the limit is ${limits.firstScreen}.`;
  return firstScreen > limits.firstScreen ? [...single, words] : single;
}

if (process.argv[1] === import.meta.filename) {
  const weights = await pageWeightsIn(path.resolve(process.argv[2] ?? path.join(root, 'dist/web')));
  for (const { app, page, files, bytes } of weights)
    console.log(
      `${String(files).padStart(3)} files ${(bytes / 1000).toFixed(1).padStart(7)} KB  ${page === '' ? `${app}, start` : `${app}: ${page}`}`,
    );
  const found = overweight(weights);
  for (const sentence of found) console.error(sentence);
  process.exitCode = found.length === 0 ? 0 : 1;
}
