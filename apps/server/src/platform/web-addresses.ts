import { backEndAnswerOf } from '@portal/contract/back-end-paths';
import type { IncomingMessage } from 'node:http';
import { findPage, isDeskPath, type SitePage } from '@portal/contract/pages';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse, refuseWith } from './failure.ts';
import { pathOf } from './http/http.ts';
import type { PageKind } from './http/security-headers.ts';
import type { Shown, WebPages } from './http/web-pages.ts';

/** Returns the kind of content at a path, which decides its security headers. */
export function pageKindOf(path: string, product: string): PageKind {
  const own = backEndAnswerOf(path);
  if (own) return own === 'data' ? 'data' : 'sign-in';
  if (isAsset(path)) return 'asset';
  const { document } = shownAt(path, product);
  return document === 'portal' || document === 'desk' ? 'shell' : 'framed';
}

export type PagesOptions = {
  product: string;
  /** Framed pages are on this origin. */
  framesHere: boolean;
  /** Renders the sign-in form for a browser without a session, with our own provider; null with another provider. */
  signInForm: ((request: FastifyRequest) => Promise<string>) | null;
  /** The methods of the calls at a path. */
  methodsAt: (path: string) => string[];
};

/** Answers the paths of the web apps with their documents and files; everything else is not found. Without `pages` nothing is there. */
export async function servePages(
  http: FastifyInstance,
  pages: WebPages | null,
  { product, framesHere, signInForm, methodsAt }: PagesOptions,
): Promise<void> {
  await pages?.serve(http);
  http.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const methods = methodsAt(path);
    if (methods.length > 0) throw refuseWith({ allow: methods.join(', ') }, 'METHOD_NOT_ALLOWED', { method: request.method });
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && backEndAnswerOf(path) !== 'data' && !path.startsWith('/assets/');
    if (!pages || !isPage) throw refuse('NOT_FOUND', { what: 'This address' });
    const shown = shownAt(path, product);
    // The portal shows its not-found page; the status says so too.
    if (shown.document === 'portal' && shown.page === 'notFound') void reply.code(404);
    if (signInForm && isUnknownVisitor(request.raw, product)) return pages.sendSignInForm(await signInForm(request), request, reply);
    const session = signInForm === null ? undefined : sessionNeededAt(path, product);
    return pages.send({ ...shown, framed: Boolean(shown.framed) && framesHere, ...(session && { session }) }, request, reply);
  });
}

/** Requests the portal although the server sees no session in the browser: the tab has its own (apps/portal/src/sign-in-form.ts). */
const portalCookie = /(?:^|;\s*)portal-tab=1(?:;|$)/;
/** The browser says that a person is signed in at our provider (OpenID Connect Session Management 1.0, 3.2). */
const providerState = /(?:^|;\s*)(?:__Host-)?op_state=[^;]/;

/**
 * Returns whether a browser without a session at our own provider opens a page of the portal for signed-in people. Only a navigation of a tab
 * counts, as browsers say (Fetch Metadata: `Sec-Fetch-Dest`); for all else, and over plain HTTP, the portal finds out itself.
 */
export function isUnknownVisitor({ method, url = '/', headers }: IncomingMessage, product: string): boolean {
  const { cookie = '' } = headers;
  if (method !== 'GET' || headers['sec-fetch-dest'] !== 'document' || providerState.test(cookie) || portalCookie.test(cookie)) return false;
  const path = pathOf(url);
  if (backEndAnswerOf(path) || isAsset(path) || shownAt(path, product).document !== 'portal') return false;
  const isGuest = path === '/' && new URLSearchParams(url.slice(path.length)).has('guest');
  return sessionNeededAt(path, product) === 'needed' && !isGuest;
}

/** Whether a page of the portal needs a session, completes a sign-in, or neither. */
function sessionNeededAt(path: string, product: string): Shown['session'] {
  const { name, page }: { name: string; page: SitePage } = findPage(path, product);
  if (name === 'authCallback') return 'begins';
  return page.access.who === 'anyone' || name === 'logout' ? undefined : 'needed';
}

const isAsset = (path: string): boolean => path.startsWith('/assets/') || path === '/favicon.ico';

/**
 * Which document answers a path, and with which page: framed pages at `<path>.html`, the staff's below `/desk`, everything else is the portal's
 * own (history fallback).
 */
function shownAt(path: string, product: string): Shown {
  if (isDeskPath(path)) return { document: 'desk' };
  if (path === '/silent-renew-oidc.html') return { document: 'silent-renew' };
  if (path.endsWith('.html')) {
    const { name, page } = findPage(path.slice(0, -'.html'.length), product);
    if (page.app === 'resource-manager') return { document: 'resource-manager', page: name };
  }
  const { name, page } = findPage(path, product);
  return { document: 'portal', page: name, framed: page.app === 'resource-manager' };
}
