import type { FastifyInstance } from 'fastify';

/**
 * Limits the bodies of all routes that a scope gets from here on, where a route has no limit of its own. Unlike a limit of a parser it is the limit that the refusal
 * (413) names. @param bytes of a body
 */
export function limitBodies(scope: FastifyInstance, bytes: number): void {
  scope.addHook('onRoute', route => {
    route.bodyLimit ??= bytes;
  });
}
