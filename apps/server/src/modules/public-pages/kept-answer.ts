import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sends an answer that is the same for everyone, which browsers and caches keep for a while: with its ETag, and 304 for those that have it already (RFC 9110,
 * 13.1.2). @param seconds how long it may be kept without asking
 */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, seconds }: { body: string; type: string; seconds: number },
): FastifyReply {
  // Weak: compressed answers have other bytes.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  void reply.header('etag', etag).header('cache-control', `public, max-age=${seconds}`);
  const known = (request.headers['if-none-match'] ?? '').split(',').map(each => each.trim());
  return known.includes(etag) || known.includes('*') ? reply.code(304).send() : reply.type(type).send(body);
}
