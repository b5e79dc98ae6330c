import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type Encoding = 'br' | 'gzip' | 'identity';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** Minimum size worth compressing: shorter answers fit into one packet anyway. */
const MAX_IN_A_PACKET = 1200;
/** Takes half a millisecond for a page of a list; higher qualities take ten times as long to save another tenth. */
const QUALITY = 4;

/** Returns the best encoding that the browser takes. */
export function encodingOf(request: FastifyRequest): Encoding {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

/** Paths of the answers that are compressed here. */
const compressed = ['/api/', '/registry-api/', '/rdap/'];
const rdap = '/rdap/';

/**
 * Compresses answers of the APIs and of RDAP. Calls of the APIs need a bearer, which no other site can send, so no other site can have a guess compressed beside a
 * secret and learn from the length whether it was right (BREACH); RDAP has no secrets. Pages that depend on a cookie aren’t compressed.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!compressed.some(each => request.url.startsWith(each)) || reply.hasHeader('content-encoding')) return payload;
    // Most binary answers of the APIs, documents and archives, are compressed already.
    if (typeof payload !== 'string' && !(Buffer.isBuffer(payload) && request.url.startsWith(rdap))) return payload;
    void reply.header('vary', 'accept-encoding');
    const encoding = encodingOf(request);
    if (payload.length < MAX_IN_A_PACKET || encoding === 'identity') return payload;
    const body =
      encoding === 'br' ? await brotli(payload, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: QUALITY } }) : await gzip(payload);
    void reply.header('content-encoding', encoding).removeHeader('content-length');
    // A strong ETag identifies exact bytes, and compression changes them (RFC 9110, section 8.8.3.3).
    const etag = reply.getHeader('etag');
    if (typeof etag === 'string' && etag.startsWith('"')) void reply.header('etag', `W/${etag}`);
    return body;
  });
}
