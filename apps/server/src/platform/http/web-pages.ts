import fastifyStatic from '@fastify/static';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { type PageName, pages, type SitePage } from '@portal/contract/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from './html.ts';
import { type Encoding, encodingOf } from './compression.ts';
import type { InlineHashes } from './security-headers.ts';
import { type Document, hashSource, readWebBuild, type WebBuild } from './web-build.ts';

export type { Document } from './web-build.ts';

export type WebPages = {
  /** Address of a built asset by its source path (`apps/server/web/sign-in.css`), for server-rendered pages. */
  asset(source: string): string;
  inlineHashes: InlineHashes;
  /** Serves the assets and the files that are pages of their own. */
  serve(app: FastifyInstance): Promise<void>;
  /** Answers with a document. `page` is the page of the site map that it shows, whose files the HTML then names. */
  send(shown: Shown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Sends the sign-in form, which contains no secrets, with the data that starts the sign-in. */
  sendSignInForm(form: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};
/**
 * A document and the name of the page it shows; `framed` when it frames that page, from this server. `session`, at our own provider: whether the
 * page needs one, or is the address at which a sign-in ends.
 */
export type Shown = { document: Document; page?: string; framed?: boolean; session?: 'needed' | 'begins' };
type Variant = { etag: string; bodies: Record<Encoding, Buffer> };
type Theme = 'system' | 'light' | 'dark';
/** The variant of the page for a request: its theme, and whether the person saves data (Save-Data, W3C) and gets no web font. */
type Look = { theme: Theme; saves: boolean };
const favicon = fs.readFileSync(new URL('../../../web/favicon.svg', import.meta.url));
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/**
 * The built web apps. The first HTML holds shell, theme and environment, so that the page is painted before any script runs;
 * each variant is rendered and compressed once, at start.
 */
export async function openWebPages(folder: string, factsNow: () => PageFacts): Promise<WebPages> {
  const build = readWebBuild(folder);
  /** Documents by the brand that they show: the one in force, and previews of registry staff. */
  const renderers = new Map<string, ReturnType<typeof renderer>>();
  const rendererNow = (): ReturnType<typeof renderer> => {
    const facts = factsNow();
    const used = renderers.get(facts.key) ?? renderer(build, facts);
    // The one used longest ago goes first: previews never push out the brand in force.
    renderers.delete(facts.key);
    renderers.set(facts.key, used);
    if (renderers.size > MAX_BRANDS) renderers.delete(renderers.keys().next().value!);
    return used;
  };
  const sheet = build.asset('apps/server/web/sign-in.css');
  // Pages that follow the form, for a second factor, link to its sheet.
  const formStyle = fs.readFileSync(path.join(folder, sheet), 'utf8').trim();
  /** Forms that were sent before, compressed. There are few: one for each theme. */
  const forms = new Map<string, Promise<Variant>>();

  return {
    asset: build.asset,
    sendSignInForm: async (form, request, reply) => {
      const markup = form
        .replace('<!--begin-->', () => rendererNow().begin)
        // Inline, because nothing is shown before the style sheet arrives.
        .replace(`<link rel="stylesheet" href="${sheet}">`, () => `<style>${formStyle}</style>`);
      // By all that it shows: what it begins with is another one after a change of the brand, and in a preview.
      if (!forms.has(markup) && forms.size >= MAX_FORMS) forms.clear();
      const rendered = forms.get(markup) ?? compressed(Buffer.from(markup));
      forms.set(markup, rendered);
      const { bodies } = await rendered;
      const encoding = encodingOf(request);
      void reply.header('vary', 'cookie, accept-encoding, save-data');
      if (encoding !== 'identity') void reply.header('content-encoding', encoding);
      return reply.type('text/html; charset=utf-8').send(bodies[encoding]);
    },
    inlineHashes: { styles: build.styleHashes, scripts: [hashSource(build.firstScript)], formStyles: [hashSource(formStyle)] },
    serve: app => serveFiles(app, folder),
    send: async (shown, request, reply) => {
      const { etag, bodies } = await rendererNow().variantOf(shown, { theme: themeOf(request), saves: savesData(request.headers) });
      const { release } = request.query as { release?: string };
      // The theme cookie chooses the variant; everything else on the page is public. An address that names the variant always has the same answer.
      if (release === releaseOf(etag))
        void reply.header('vary', 'accept-encoding, save-data').header('cache-control', 'private, max-age=31536000, immutable');
      else void reply.header('vary', variesWith(shown)).header('cache-control', keptFor(shown));
      void reply.header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      const encoding = encodingOf(request);
      if (encoding !== 'identity') void reply.header('content-encoding', encoding);
      return reply.type('text/html; charset=utf-8').send(bodies[encoding]);
    },
  };
}

type PageFacts = {
  /** Another one whenever any of the facts is. */
  key: string;
  /** The style element of the accent colour; null where it is that of the sheets. */
  style: Html | null;
  /** Replaces `<!--env-->`, as a data block. */
  environment: unknown;
  /** In the portal's document as well, unless it is null. */
  theme: unknown;
  title: string;
  /** The most used pages can be read without scripts: the portal's document leads there. */
  hasPlainPages: boolean;
};

/** Serves the assets and the icon. */
async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  // Browsers ask for it by this name whatever a page says.
  app.get('/favicon.ico', (_request, reply) => reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(favicon));
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
}

const dataBlock = (id: string, data: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

/** Renders the documents of the build, and what the sign-in form begins with. */
function renderer(build: WebBuild, { environment, theme: links, title, style, hasPlainPages }: PageFacts) {
  const { documents: built, firstScript, pageFiles } = build;
  const env = dataBlock('env', environment);
  const themeLinks = links === null ? '' : dataBlock('theme', links);
  const signInFiles = build.filesFrom(signInCode);
  const known = (dataOf: readonly string[]): string => [...signInFiles.map(linkTo), ...dataOf.map(dataLink)].join('');
  /** Facts that the first script needs for the session: the address of the code of sign-in; where a sign-in ends, everything that its end needs. */
  const sessionHead = (session: Shown['session']): string => {
    if (session === undefined || signInFiles.length === 0) return '';
    const meta = `<meta name="sign-in-code" content="/${signInFiles[0]}" data-session="${session}">`;
    // Most people come back to home.
    return session === 'needed' ? meta : meta + known([providerKeys]) + (pageFiles.pages['home'] ?? []).map(linkTo).join('');
  };

  /** Renders each variant on its first request: as many as there are pages and themes. */
  const variants = new Map<string, Promise<Variant>>();
  const variantOf = (shown: Shown, look: Look): Promise<Variant> => {
    const { document, page, framed = false, session } = shown;
    const key = `${document} ${page} ${framed} ${session} ${look.theme} ${look.saves}`;
    const rendered = variants.get(key) ?? render(shown, look);
    variants.set(key, rendered);
    return rendered;
  };
  async function render({ document, page, framed = false, session }: Shown, { theme, saves }: Look): Promise<Variant> {
    // The frame's address contains a hash of its document, so that a browser caches it until that changes.
    const release = framed
      ? releaseOf((await variantOf({ document: 'resource-manager', ...(page && { page }) }, { theme, saves })).etag)
      : null;
    // What ends a sign-in shows no page: those of home are named with its session.
    const files = page === undefined || session === 'begins' ? [] : [...(framed ? pageFiles.frame : []), ...(pageFiles.pages[page] ?? [])];
    // If there is a first script, it requests the application's files (packages/app-kit/src/first/application-files.ts).
    const startsItself = !built[document].includes('<!--first-script-->');
    const markup = built[document]
      .replace(
        /<html([^>]*)>/,
        (_, attributes: string) => `<html${attributes}${theme === 'system' ? '' : ` data-theme="${theme}"`}${saves ? ' data-save' : ''}>`,
      )
      .replace(fontPreload, font => (saves || !startsItself ? '' : font))
      .replace('<!--env-->', () => env + (document === 'portal' ? themeLinks : ''))
      // With another provider the server can't tell who is signed in without scripts.
      .replace(/<a href="\/plain">[^<]*<\/a>[^.]*\.\s*/, plain => (hasPlainPages ? plain : ''))
      .replace(ownFiles, link => (startsItself ? link : ''))
      // Facts for the first script stand before it: it runs as soon as it is read.
      .replace('<!--first-script-->', () => {
        const typeface = saves ? undefined : fontPreload.exec(built[document])?.[1];
        const ofPage = files.map(file => `/${file}`);
        const [entry, ...own] = [...built[document].matchAll(ownFiles)].map(([, src, href]) => src ?? href!);
        const facts =
          dataBlock('files', { entry, all: [...sheetsIn(built[document]), ...(entry ? [entry] : []), ...own, ...ofPage] }) +
          (typeface ? metaOf('typeface', typeface) : '') +
          sessionHead(session) +
          (release === null ? '' : metaOf('frame-release', release)) +
          dataBlock('reads', { page: page ?? null, ...pageFiles.reads });
        return `${facts}<script data-first="${document === 'portal' ? 'page' : 'frame'}">${firstScript}</script>`;
      })
      .replace('</head>', () => `${style?.markup ?? ''}${startsItself ? files.map(linkTo).join('') : ''}</head>`)
      .replace('<!--page-head-->', () => (page === undefined ? '' : headOf(page) + waitingTiles))
      .replace(waitingTitle, bar => (page === undefined ? '' : headOf(page)) || bar)
      .replace(/<title>MyRegistry<\/title>/, () => html`<title>${title}</title>`.markup)
      .replaceAll('<span data-product>MyRegistry</span>', () => html`<span data-product>${title}</span>`.markup);
    return compressed(Buffer.from(markup));
  }
  const portalFiles = [
    ...[...built.portal.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!),
    ...(pageFiles.pages['home'] ?? []).map(file => `/${file}`),
  ];
  // What the page's own script imports would else be found when that has come, and the one that begins the sign-in waits for it.
  const imported = build.importsOf(signInPages).map(linkTo);
  const begin =
    env +
    dataBlock('portal-files', [...portalFiles, build.asset('apps/server/web/sign-in.css')]) +
    known([]) +
    imported.join('') +
    scriptOf(build.asset(signInForm));

  return { variantOf, begin };
}

/** The code of sign-in, which the first script loads before the portal's own has come, and the script of the form. */
const signInCode = 'packages/app-kit/src/auth/portal-user-manager.ts';
const signInForm = 'apps/portal/src/sign-in-form.ts';
const signInPages = 'apps/server/web/sign-in.ts';
const providerKeys = '/oidc/jwks';

/** Brands whose documents are kept: the one before too, while requests of its time are answered. */
const MAX_BRANDS = 3;
/** Maximum number of cached forms. */
const MAX_FORMS = 20;

/**
 * Returns the head of a page by the site map, as the page has it itself (packages/ui/src/layout/PageHead.tsx); empty for home, which greets, for pages that
 * only lead elsewhere, and for those of registry staff, of which others must not learn.
 */
function headOf(name: string): string {
  const { title, access, path } = pages[name as PageName] as SitePage;
  const says = !['/', '/auth-callback', '/logout'].includes(path) && access.who !== 'staff' && name !== 'notFound';
  return says
    ? html`<div class="PageHead_head"><div class="PageHead_line"><div class="PageHead_words"><h1>${title}</h1></div></div></div>`.markup
    : '';
}
/** In the portal's first HTML, and what stands below the head in the frame's. */
const waitingTitle = '<i class="Skeleton_bar portal_Waiting_title"></i>';
const waitingTiles = `<div aria-busy="true" class="Skeleton_tiles"><span class="vh">Loading</span>${'<div class="Skeleton_tile Skeleton_waiting"></div>'.repeat(3)}</div>`;
/** The script of a document and the files that it imports, in this order, as the web build names them. */
const ownFiles = /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>\s*|<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>\s*/g;
const sheetsIn = (document: string): string[] =>
  [...document.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, href]) => href!);
/** The typeface of the first words, as the web build names it; the first script asks for it when its time has come. */
const fontPreload = /<link rel="preload"(?=[^>]*as="font")[^>]*href="([^"]+)"[^>]*>\s*/;
const metaOf = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;
const scriptOf = (address: string): string => `<script type="module" src="${address}"></script>`;
/** Requests public data of the provider the same way as the sign-in library. */
const dataLink = (address: string): string => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${address}">`;

async function compressed(body: Buffer): Promise<Variant> {
  return {
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    bodies: { identity: body, br: await brotli(body), gzip: await gzip(body) },
  };
}

/** Asks for a file of the page with the document, and not when the script that needs it has come. A sheet is applied by that script. */
const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`;

/**
 * How long a browser may show a page of the portal without asking: a page shown from its store asks for it again behind
 * (packages/app-kit/src/first/stored-document.ts), and the files it names stay for a day. The way back from a sign-in is fetched beside the form, for
 * this sign-in. What isn't found is asked for each time.
 */
function keptFor({ document, page, session }: Shown): string {
  if (document !== 'portal' || page === undefined || page === 'notFound') return 'no-cache';
  return `private, max-age=${(session === 'begins' ? WAY_BACK_MS : HOUR_MS) / SECOND_MS}`;
}

/** Longer than most people take to sign in. */
const WAY_BACK_MS = 10 * MINUTE_MS;

/** Returns the request headers that an answer depends on. Cookies change as the sign-in succeeds: the way back, which shows no one's page, is the same before and after. */
const variesWith = ({ session }: Shown): string => `${session === 'begins' ? '' : 'cookie, '}accept-encoding, save-data`;

const releaseOf = (etag: string): string => etag.replaceAll('"', '');

/** Whether the person asks for less data (Save-Data Client Hint). */
const savesData = ({ 'save-data': save }: FastifyRequest['headers']): boolean => save === 'on';

function themeOf(request: FastifyRequest): Theme {
  const theme = /(?:^|;\s*)theme=(light|dark)\b/.exec(request.headers.cookie ?? '')?.[1];
  return (theme as 'light' | 'dark' | undefined) ?? 'system';
}
