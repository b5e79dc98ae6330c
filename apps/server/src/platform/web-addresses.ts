import { backEndAnswerOf } from '@portal/contract/back-end-paths';
import { findPage, isDeskPath } from '@portal/contract/pages';
import type { FastifyInstance } from 'fastify';
import { refuse } from './failure.ts';
import { pathOf } from './http.ts';
import type { PageKind } from './security-headers.ts';
import type { WebPages } from './web-pages.ts';

/** Returns the kind of what a path is answered with, by which its security headers are chosen. */
export function pageKindOf(path: string, product: string): PageKind {
  const own = backEndAnswerOf(path);
  if (own) return own === 'data' ? 'data' : 'sign-in';
  if (isAsset(path)) return 'asset';
  const document = documentOf(path, product);
  return document === 'portal' || document === 'desk' ? 'shell' : 'framed';
}

/** Answers the paths of the web apps with their documents and files; everything else is not found. Without `pages` nothing is there. */
export async function servePages(http: FastifyInstance, pages: WebPages | null, product: string): Promise<void> {
  await pages?.serve(http);
  http.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && backEndAnswerOf(path) !== 'data' && !path.startsWith('/assets/');
    if (!pages || !isPage) throw refuse('NOT_FOUND', { what: 'This address' });
    const document = documentOf(path, product);
    // The portal shows its not-found page; the status says so too.
    if (document === 'portal' && findPage(path, product).name === 'notFound') void reply.code(404);
    return pages.send(document, request, reply);
  });
}

const isAsset = (path: string): boolean => path.startsWith('/assets/') || path === '/favicon.ico';

/** Which document answers a path: framed pages at `<path>.html`, the staff's below `/desk`, everything else is the portal's own (history fallback). */
function documentOf(path: string, product: string): 'portal' | 'resource-manager' | 'desk' | 'silent-renew' {
  if (isDeskPath(path)) return 'desk';
  if (path === '/silent-renew-oidc.html') return 'silent-renew';
  if (path.endsWith('.html') && findPage(path.slice(0, -'.html'.length), product).page.app === 'resource-manager')
    return 'resource-manager';
  return 'portal';
}
