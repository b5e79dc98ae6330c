import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../root.ts';
import type { ReadAddresses } from './page-reads.ts';

type Chunk = { file: string; css?: string[]; imports?: string[] };
export type Manifest = Record<string, Chunk | undefined>;

/** The applications with pages of the site map: where each names its views, and the document that shows them. */
export const applications = [
  { name: 'portal', views: 'apps/portal/src/views.ts', document: 'apps/portal/index.html' },
  { name: 'resource-manager', views: 'apps/resource-manager/src/views.ts', document: 'apps/resource-manager/resource-manager.html' },
] as const;

/** The source of each page's view, by the page's name, as `views.ts` of an application lists them. */
export function viewsIn(text: string, folder: string): Record<string, string> {
  const lines = text.matchAll(/^ {2}(\w+): (?:\w+\()?\(\) => import\('\.\/([^']+)'\)/gm);
  return Object.fromEntries([...lines].map(([, name, file]) => [name!, `${folder}/${file}`]));
}

/** Returns scripts and style sheets of an entry and of everything it imports statically, each once. */
export function filesOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) if (/\.(js|css)$/.test(file)) files.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const name of names) visit(name);
  return files;
}

/**
 * Returns the files that each page needs besides those its document names, by the page's name.
 * @throws Error when a view of the lists is not part of the build
 */
export async function pageFilesIn(folder: string): Promise<Record<string, { app: string; files: string[] }>> {
  const manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const pages: Record<string, { app: string; files: string[] }> = {};
  for (const { views, document } of applications) {
    const common = filesOf(manifest, [document]);
    const sources = viewsIn(await readFile(path.join(root, views), 'utf8'), path.posix.dirname(views));
    for (const [name, source] of Object.entries(sources)) {
      if (!manifest[source]) throw new Error(`The view of "${name}", ${source}, is not part of the web build.`);
      pages[name] = { app: views, files: [...filesOf(manifest, [source])].filter(file => !common.has(file)) };
    }
  }
  return pages;
}

/**
 * Writes what the server tells browsers in the first HTML: the files of each page, those of the frame besides what the portal loads, and the reads of
 * all pages.
 */
export async function writePageFiles(folder: string, reads: ReadAddresses): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const [portal, manager] = applications;
  const common = filesOf(manifest, [portal.document]);
  const frame = [...filesOf(manifest, [manager.document])].filter(file => !common.has(file));
  const pages = Object.fromEntries(Object.entries(await pageFilesIn(folder)).map(([name, { files }]) => [name, files]));
  await writeFile(path.join(folder, '.vite/page-files.json'), JSON.stringify({ frame, pages, reads }));
}
