import fastifyStatic from '@fastify/static';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type WebPages = {
  /** Address of a built asset by its source path (`apps/server/web/sign-in.css`), for server-rendered pages. */
  asset(source: string): string;
  /** CSP hashes of the style sheets in the HTML. */
  styleHashes: readonly string[];
  /** Serves the assets and the files that are pages of their own. */
  serve(app: FastifyInstance): Promise<void>;
  send(document: Document, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};
/** The documents of the web build. */
export type Document = 'portal' | 'resource-manager' | 'desk' | 'silent-renew';

const sources: Record<Document, string> = {
  portal: 'apps/portal/index.html',
  'resource-manager': 'apps/resource-manager/resource-manager.html',
  desk: 'apps/desk/desk.html',
  'silent-renew': 'apps/portal/silent-renew-oidc.html',
};
type Encoding = 'br' | 'gzip' | 'identity';
const themes = ['system', 'light', 'dark'] as const;
const favicon = fs.readFileSync(new URL('../../web/favicon.svg', import.meta.url));
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/**
 * The built web apps. The first HTML holds shell, theme and environment, so that the page is painted before any script runs;
 * each variant is rendered and compressed once, at start.
 * @param environment what `<!--env-->` is replaced with, as a data block.
 */
export async function openWebPages(folder: string, { environment, title }: { environment: unknown; title: string }): Promise<WebPages> {
  if (!fs.existsSync(path.join(folder, '.vite/manifest.json')))
    throw new Error(`There is no web build in ${folder}. "npm start" makes it; or run "node tools/build-web.ts".`);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[] }
  >;
  const asset = (source: string): string => {
    const entry = manifest[source];
    if (!entry) throw new Error(`${source} is not part of the web build.`);
    return `/${entry.file}`;
  };

  const styleHashes = new Set<string>();
  const variants = new Map<string, { etag: string; bodies: Record<Encoding, Buffer> }>();
  const env = JSON.stringify(environment).replaceAll('<', '\\u003c');
  for (const [document, source] of Object.entries(sources) as [Document, string][]) {
    const built = fs.readFileSync(path.join(folder, source), 'utf8');
    for (const [, style] of built.matchAll(/<style>([\s\S]*?)<\/style>/g))
      styleHashes.add(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
    for (const theme of themes) {
      const html = built
        .replace(/<html([^>]*)>/, (_, attributes: string) => `<html${attributes}${theme === 'system' ? '' : ` data-theme="${theme}"`}>`)
        .replace('<!--env-->', () => `<script type="application/json" id="env">${env}</script>`)
        .replace('<!--early-calls-->', () => `<script type="module" src="${asset('apps/portal/src/early-calls.ts')}"></script>`)
        .replace(/<title>MyRegistry<\/title>/, () => `<title>${title}</title>`)
        .replaceAll('<span data-product>MyRegistry</span>', () => `<span data-product>${title}</span>`);
      const body = Buffer.from(html);
      variants.set(`${document} ${theme}`, {
        etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
        bodies: { identity: body, br: await brotli(body), gzip: await gzip(body) },
      });
    }
  }

  return {
    asset,
    styleHashes: [...styleHashes],
    serve: async app => {
      // Browsers ask for it by this name whatever a page says.
      app.get('/favicon.ico', (_request, reply) =>
        reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(favicon),
      );
      await app.register(fastifyStatic, {
        root: path.join(folder, 'assets'),
        prefix: '/assets/',
        preCompressed: true,
        index: false,
        cacheControl: false,
        setHeaders: response => {
          response.header('cache-control', 'public, max-age=31536000, immutable');
        },
      });
    },
    send: async (document, request, reply) => {
      const { etag, bodies } = variants.get(`${document} ${themeOf(request)}`)!;
      // The theme cookie chooses the variant; everything else on the page is public.
      void reply.header('vary', 'cookie, accept-encoding').header('cache-control', 'no-cache').header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      const encoding = encodingOf(request);
      if (encoding !== 'identity') void reply.header('content-encoding', encoding);
      return reply.type('text/html; charset=utf-8').send(bodies[encoding]);
    },
  };
}

function themeOf(request: FastifyRequest): (typeof themes)[number] {
  const theme = /(?:^|;\s*)theme=(light|dark)\b/.exec(request.headers.cookie ?? '')?.[1];
  return (theme as 'light' | 'dark' | undefined) ?? 'system';
}

function encodingOf(request: FastifyRequest): Encoding {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}
