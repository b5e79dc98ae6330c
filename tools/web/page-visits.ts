import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { sitePages } from '@portal/contract/pages';
import { applications, filesOf, type Manifest, pageFilesIn } from './page-files.ts';
import { root } from '../root.ts';

/** Requests of a first visit to a page before its reads can begin to be shown: documents, scripts, sheets and the typeface, and their bytes as sent. */
export type PageVisit = { page: string; path: string; framed: boolean; requests: number; bytes: number };

export const pageVisitsFile = 'docs/generated/page-visits.md';

/** Maximum number of requests of a visit before its reads. */
const most = { own: 12, framed: 16 };
/** The table is rewritten once a page differs by more than this share of its bytes; requests always count. */
const tolerance = 0.03;

const brotli = promisify(zlib.brotliCompress);

/** Returns the first visit of each page of a web build, those of the portal's own and those it frames. */
export async function pageVisitsIn(folder: string): Promise<PageVisit[]> {
  const manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const pages = await pageFilesIn(folder);
  const [portal, manager] = applications;
  const sizes = new Map<string, number>();
  const weigh = async (file: string): Promise<number> => {
    if (!sizes.has(file)) {
      const packed = await stat(path.join(folder, `${file}.br`)).catch(() => null);
      const plain = packed ? null : await readFile(path.join(folder, file));
      sizes.set(file, packed?.size ?? (file.endsWith('.html') ? (await brotli(plain!)).length : plain!.length));
    }
    return sizes.get(file)!;
  };
  const partsOf = async (document: string): Promise<string[]> => {
    const html = await readFile(path.join(folder, document), 'utf8');
    const fonts = [...html.matchAll(/href="\/(assets\/[^"]+\.woff2)"/g)].map(([, font]) => font!);
    return [document, ...filesOf(manifest, [document]), ...fonts];
  };
  const ofPortal = await partsOf(portal.document);
  const ofManager = await partsOf(manager.document);
  return Promise.all(
    Object.entries(pages)
      .map(([page, { app, files }]) => ({ page, framed: app === manager.views, files }))
      .map(async ({ page, framed, files }) => {
        const asked = new Set([...ofPortal, ...(framed ? ofManager : []), ...files]);
        const bytes = (await Promise.all([...asked].map(weigh))).reduce((sum, size) => sum + size, 0);
        const place = sitePages.find(({ name }) => name === page)?.path ?? '';
        return { page, path: place, framed, requests: asked.size, bytes };
      }),
  );
}

/** Returns a sentence for each page that asks for too much before its reads. */
export const tooManyRequests = (visits: readonly PageVisit[]): string[] =>
  visits
    .filter(({ framed, requests }) => requests > (framed ? most.framed : most.own))
    .map(
      ({ page, framed, requests }) =>
        `A first visit to "${page}" asks for ${requests} files before its reads; the limit is ${framed ? most.framed : most.own}. tools/web/shared-parts.ts says what goes where.`,
    );

/** The table of `docs/generated`. */
export function pageVisitsPage(visits: readonly PageVisit[]): string {
  const rows = visits
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.page.localeCompare(b.page))
    .map(
      ({ page, path: place, framed, requests, bytes }) =>
        `| \`${page}\` | \`${place}\` | ${framed ? 'yes' : ''} | ${requests} | ${(bytes / 1000).toFixed(1)} |`,
    );
  return `# First visits

What a browser that has nothing asks for before a page's own reads: documents, scripts, style sheets and the typeface, in requests and in kilobytes as they are sent. Written by \`npm run docs\` from the web build; \`npm test -- build\` refuses a page whose requests differ, or whose bytes differ by more than ${tolerance * 100} %.

| Page | Address | Framed | Requests | kB |
| --- | --- | --- | ---: | ---: |
${rows.join('\n')}
`;
}

/** Returns the pages whose line in the committed table is outdated. */
export function staleVisits(table: string, visits: readonly PageVisit[]): string[] {
  const lines = new Map(
    [...table.matchAll(/^\| `(\w+)` \|.*\| (\d+) \| ([\d.]+) \|$/gm)].map(([, page, requests, kilobytes]) => [
      page!,
      { requests: Number(requests), bytes: Number(kilobytes) * 1000 },
    ]),
  );
  const changed = visits.filter(({ page, requests, bytes }) => {
    const line = lines.get(page);
    return line?.requests !== requests || Math.abs(line.bytes - bytes) > bytes * tolerance;
  });
  const gone = [...lines.keys()].filter(page => !visits.some(visit => visit.page === page));
  return [...changed.map(({ page }) => page), ...gone];
}

/** Returns what is wrong with the visits of a build: too many requests, or a table that no longer tells. */
export async function visitFindings(folder: string): Promise<string[]> {
  const visits = await pageVisitsIn(folder);
  const table = await readFile(path.join(root, pageVisitsFile), 'utf8').catch(() => '');
  const stale = staleVisits(table, visits);
  return [
    ...tooManyRequests(visits),
    ...(stale.length > 0 ? [`${pageVisitsFile} is not up to date for ${stale.join(', ')}: run npm run docs and commit it.`] : []),
  ];
}
