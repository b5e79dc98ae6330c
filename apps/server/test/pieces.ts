import { Readable } from 'node:stream';
import type { TestPortal } from './portal.ts';

/** Bytes of a piece, as a network delivers them. */
const PIECE = 64 * 1024;

/** Sends a JSON body in pieces, as a network does. */
export async function sendInPieces(
  { http }: Pick<TestPortal, 'http'>,
  { url, method = 'POST', token }: { url: string; method?: 'POST' | 'PUT'; token: string },
  body: Buffer,
): Promise<{ status: number; answer: Record<string, unknown> }> {
  const pieces = Array.from({ length: Math.ceil(body.length / PIECE) }, (_, place) => body.subarray(place * PIECE, (place + 1) * PIECE));
  const { statusCode, body: text } = await http.inject({
    method,
    url,
    headers: {
      host: 'portal.test',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    },
    payload: Readable.from(pieces),
  });
  return { status: statusCode, answer: JSON.parse(text) as Record<string, unknown> };
}
