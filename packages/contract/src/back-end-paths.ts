/**
 * Path prefixes that the server answers itself: data for machines, or pages that it renders. All other paths belong to the web apps.
 */
export const backEndPaths = {
  '/api': 'data',
  '/registry-api': 'data',
  '/env.json': 'data',
  '/theme.json': 'data',
  '/auth': 'data',
  '/.well-known': 'data',
  '/robots.txt': 'data',
  '/rdap': 'data',
  '/whois': 'page',
  '/accessibility': 'page',
  '/privacy': 'page',
  '/legal': 'page',
  '/status': 'page',
  '/numbers': 'page',
  '/help': 'page',
  '/log': 'page',
  '/brand': 'data',
  '/nrtm4': 'data',
  '/whois-dump': 'data',
  '/statistics': 'data',
  '/rpki': 'data',
  '/rrdp': 'data',
  '/schemas': 'data',
  '/checkout-events': 'data',
  '/healthz': 'data',
  '/readyz': 'data',
  '/metrics': 'data',
  '/oidc': 'page',
  '/sign-in': 'page',
  '/account': 'page',
  '/plain': 'page',
  '/calendar': 'data',
  '/feeds': 'data',
  '/ballots': 'page',
  '/elections': 'page',
  '/certificates': 'page',
  '/checklists': 'page',
  '/irt-validation': 'page',
  '/dev': 'page',
} as const satisfies Record<string, 'data' | 'page'>;

const byFirstSegment: ReadonlyMap<string, 'data' | 'page'> = new Map(Object.entries(backEndPaths));

/** Path of the registry API reference: a page among data. */
export const apiReferencePath = '/registry-api/docs';

/** Returns what the server itself answers a path with, also one with a query or hash; null for a path of the web apps. */
export const backEndAnswerOf = (path: string): 'data' | 'page' | null =>
  path === apiReferencePath ? 'page' : (byFirstSegment.get(/^\/[^/?#]*/.exec(path)?.[0] ?? '') ?? null);
