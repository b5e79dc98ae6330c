import type { FastifyInstance } from 'fastify';

/** Prefixes of API paths: below them an unsupported method is answered with the supported ones. */
const calls = /^\/(?:api|registry-api)\//;

/**
 * Notes the calls that are mounted from now on, and returns how to find the methods of a path, sorted; none where it has no call. Parts with a parameter stand for
 * any part of an address. What has methods is in the public descriptions of both APIs, so that its answer gives nothing away.
 */
export function watchMethods(app: FastifyInstance): (path: string) => string[] {
  const patterns = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url }) => {
    if (!calls.test(url)) return;
    const methods = patterns.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    patterns.set(url, methods);
  });
  /** Written out when the first address is asked for. */
  let written: { parts: string[]; methods: ReadonlySet<string> }[] | undefined;
  return path => {
    if (!calls.test(path)) return [];
    written ??= [...patterns].map(([url, methods]) => ({ parts: url.split('/'), methods }));
    const parts = path.split('/');
    const fits = (pattern: readonly string[]): boolean =>
      pattern.length === parts.length && pattern.every((each, at) => (each.startsWith(':') ? parts[at] !== '' : each === parts[at]));
    return [...new Set(written.flatMap(each => (fits(each.parts) ? [...each.methods] : [])))].toSorted();
  };
}
