import { backEndAnswerOf } from '@portal/contract/back-end-paths';
import { findPage, isDeskPath, type SitePage } from '@portal/contract/pages';
import type { FastifyInstance } from 'fastify';
import { refuse } from './failure.ts';
import { pathOf } from './http.ts';
import type { PageKind } from './security-headers.ts';
import type { Shown, WebPages } from './web-pages.ts';

/** Returns the kind of what a path is answered with, by which its security headers are chosen. */
export function pageKindOf(path: string, product: string): PageKind {
  const own = backEndAnswerOf(path);
  if (own) return own === 'data' ? 'data' : 'sign-in';
  if (isAsset(path)) return 'asset';
  const { document } = shownAt(path, product);
  return document === 'portal' || document === 'desk' ? 'shell' : 'framed';
}

/** Answers the paths of the web apps with their documents and files; everything else is not found. Without `pages` nothing is there. `framesHere`: framed pages stand on this origin; `ownProvider`: people sign in at our own provider. */
export async function servePages(
  http: FastifyInstance,
  pages: WebPages | null,
  { product, framesHere, ownProvider }: { product: string; framesHere: boolean; ownProvider: boolean },
): Promise<void> {
  await pages?.serve(http);
  http.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && backEndAnswerOf(path) !== 'data' && !path.startsWith('/assets/');
    if (!pages || !isPage) throw refuse('NOT_FOUND', { what: 'This address' });
    const shown = shownAt(path, product);
    // The portal shows its not-found page; the status says so too.
    if (shown.document === 'portal' && shown.page === 'notFound') void reply.code(404);
    const { cookie } = request.headers;
    const stranger = ownProvider && !hasProviderState(cookie) && needsSignIn(path, request.query as { guest?: string }, product);
    return pages.send({ ...shown, framed: Boolean(shown.framed) && framesHere, stranger }, request, reply);
  });
}

/** Whether the browser says that a person is signed in at our provider (OpenID Connect Session Management 1.0, 3.2). */
const hasProviderState = (cookie: string | undefined): boolean => /(?:^|;\s*)(?:__Host-)?op_state=[^;]/.test(cookie ?? '');

function needsSignIn(path: string, { guest }: { guest?: string }, product: string): boolean {
  const { name, page }: { name: string; page: SitePage } = findPage(path, product);
  return page.access.who !== 'anyone' && name !== 'logout' && !(name === 'home' && guest !== undefined);
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
