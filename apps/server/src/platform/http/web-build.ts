import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The documents of the web build. */
export type Document = 'portal' | 'resource-manager' | 'desk' | 'silent-renew';

const sources: Record<Document, string> = {
  portal: 'apps/portal/index.html',
  'resource-manager': 'apps/resource-manager/resource-manager.html',
  desk: 'apps/desk/desk.html',
  'silent-renew': 'apps/portal/silent-renew-oidc.html',
};
/** The output of the web build. */
export type WebBuild = ReturnType<typeof readWebBuild>;

/** Reads what `tools/web/build-web.ts` made. @throws Error without a build, and for a first script that can't stand in HTML */
export function readWebBuild(folder: string) {
  if (!fs.existsSync(path.join(folder, '.vite/manifest.json')))
    throw new Error(`There is no web build in ${folder}. "npm start" makes it; or run "node tools/web/build-web.ts".`);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; name?: string; css?: string[]; imports?: string[] }
  >;
  const asset = (source: string): string => {
    const entry = manifest[source];
    if (!entry) throw new Error(`${source} is not part of the web build.`);
    return `/${entry.file}`;
  };

  const firstScript = fs.readFileSync(path.join(folder, '.vite/first-script.js'), 'utf8').trim();
  if (/<\/script|<!--/i.test(firstScript))
    throw new Error('The first script of the web build cannot stand in HTML: it holds the end of a script.');

  const styleHashes = new Set<string>();
  const built = Object.fromEntries(
    Object.entries(sources).map(([document, source]) => [document, fs.readFileSync(path.join(folder, source), 'utf8')]),
  ) as Record<Document, string>;
  for (const document of Object.values(built))
    for (const [, style] of document.matchAll(/<style>([\s\S]*?)<\/style>/g)) styleHashes.add(hashSource(style!));
  const filesOf = (names: readonly string[]): string[] => names.flatMap(name => manifest[name]?.file ?? []);
  return {
    folder,
    /** Address of an asset by its source. */
    asset,
    firstScript,
    documents: built,
    styleHashes: [...styleHashes],
    pageFiles: readPageFiles(folder),
    /** Files that a source imports, without itself. */
    importsOf: (source: string): string[] => filesOf(manifest[source]?.imports ?? []),
    /** The file of a source, and those that it imports. */
    filesFrom: (source: string): string[] => filesOf([source, ...(manifest[source]?.imports ?? [])]),
  };
}

type PageFiles = {
  frame: readonly string[];
  pages: Readonly<Record<string, readonly string[] | undefined>>;
  reads?: Readonly<Record<string, unknown>>;
};
/** The files of each page and of the frame, and what pages read first, as the web build wrote them down (tools/web/page-files.ts); a build without the list names none ahead. */
function readPageFiles(folder: string): PageFiles {
  const file = path.join(folder, '.vite/page-files.json');
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as PageFiles) : { frame: [], pages: {} };
}

/** Returns the source by which a content security policy names an inline script or style sheet (CSP 3, 2.3.1). */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
