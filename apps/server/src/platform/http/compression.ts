import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type Encoding = 'br' | 'gzip' | 'identity';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** Fewest bytes worth compressing: shorter answers fit into one packet as they are. */
const MAX_IN_A_PACKET = 1200;
/** Half a millisecond for a page of a list; higher qualities take ten times as long for a tenth less. */
const QUALITY = 4;

/** Returns the best encoding that the browser takes. */
export function encodingOf(request: FastifyRequest): Encoding {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

/**
 * Compresses answers of the API. Calls need a bearer, which no other site can send, so no other site can have a guess compressed beside a
 * secret and learn from the length whether it was right (BREACH). Pages that stand on a cookie aren't compressed.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.url.startsWith('/api/') || typeof payload !== 'string' || reply.hasHeader('content-encoding')) return payload;
    void reply.header('vary', 'accept-encoding');
    const encoding = encodingOf(request);
    if (payload.length < MAX_IN_A_PACKET || encoding === 'identity') return payload;
    const body =
      encoding === 'br' ? await brotli(payload, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: QUALITY } }) : await gzip(payload);
    void reply.header('content-encoding', encoding).removeHeader('content-length');
    return body;
  });
}
