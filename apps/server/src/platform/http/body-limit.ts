import type { FastifyInstance } from 'fastify';

/** Bodies of this size, in bytes, are files, lists and texts of thousands of lines: what they ask for takes long, and much memory. */
export const LONG_BODY = 64 * 1024;

/**
 * Limits the body size of all routes added to a scope from now on, unless a route has its own limit. Unlike a parser's limit, the refusal (413) names
 * it. @param bytes of a body
 */
export function limitBodies(scope: FastifyInstance, bytes: number): void {
  scope.addHook('onRoute', route => {
    route.bodyLimit ??= bytes;
  });
}
