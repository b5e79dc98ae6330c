import type { Download, Endpoint } from '@portal/contract';
import type { FastifyReply, RouteShorthandOptions } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { refuseWith } from '../failure.ts';
import { Accepted } from './accepted.ts';
import { serialiserOf } from './serialiser.ts';

/** Tells Fastify that the answer has a serialiser, which sends no field that is not in its schema. */
export function serialised({ answer }: Endpoint): Pick<RouteShorthandOptions, 'schema' | 'serializerCompiler'> {
  if (!answer || answer === 'download') return {};
  return { schema: { response: { '2xx': {} } }, serializerCompiler: () => sent => serialiserOf(answer)(sent) };
}

/** Sends a handler's answer: a value, a file, nothing (204), or a pending request (202). */
export async function send(endpoint: Endpoint, answer: unknown, reply: FastifyReply): Promise<unknown> {
  if (endpoint.answer === 'download') return sendFile(answer as Download, reply);
  if (answer instanceof Accepted) return reply.code(202).send(answer.answer);
  if (answer === undefined) return reply.code(204).send();
  return answer;
}

/** Sends a file, or the part of it that was asked for, as fast as it is read. */
async function sendFile({ fileName, contentType, bytes, sha256, ...download }: Download, reply: FastifyReply): Promise<FastifyReply> {
  void reply.type(contentType).header('content-disposition', attachmentNamed(fileName));
  if (bytes === undefined) return reply.send(Readable.from(await begun(download.chunks)));
  if (sha256 === undefined) return reply.header('content-length', bytes).send(Readable.from(await begun(download.chunks)));
  const etag = `"${sha256}"`;
  void reply.headers({ 'accept-ranges': 'bytes', etag });
  const part = askedPart(reply.request.headers, { bytes, etag });
  if (part === 'outside') throw refuseWith({ 'content-range': `bytes */${bytes}` }, 'RANGE_OUTSIDE');
  const chunks = await begun(part ? partOf(download.chunks, part) : download.chunks);
  if (!part) return reply.header('content-length', bytes).send(Readable.from(chunks));
  const head = { 'content-range': `bytes ${part.start}-${part.end - 1}/${bytes}`, 'content-length': part.end - part.start };
  return reply.code(206).headers(head).send(Readable.from(chunks));
}

type Part = { start: number; end: number };

/** Returns the one part that a request asks for, of a file that is still the same; null for the whole: also where several are asked for, or what no range is. */
function askedPart(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  { bytes, etag }: { bytes: number; etag: string },
): Part | 'outside' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (ifRange !== undefined && ifRange !== etag) return null;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return null;
  return start >= bytes || start >= end ? 'outside' : { start, end };
}

/** Returns a part of a file. The whole is read, and the end of the part waits for it: what reads it verifies the whole. */
async function* partOf(chunks: AsyncIterable<string | Uint8Array>, { start, end }: Part): AsyncGenerator<Uint8Array, void, void> {
  let offset = 0;
  let held: Uint8Array | null = null;
  for await (const each of chunks) {
    const chunk = typeof each === 'string' ? Buffer.from(each) : each;
    const piece = chunk.subarray(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += chunk.length;
    if (piece.length === 0) continue;
    if (held) yield held;
    held = piece;
  }
  if (held) yield held;
}

/** Waits for the first part of a stream: a refusal or failure on the first read is answered as an error and not as a truncated file. */
async function begun<Chunk>(chunks: AsyncIterable<Chunk>): Promise<AsyncIterable<Chunk>> {
  const parts = chunks[Symbol.asyncIterator]();
  const first = await parts.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => parts };
  })();
}

/** Returns the Content-Disposition that makes a browser save the file under its own name (RFC 6266), with an ASCII fallback. */
function attachmentNamed(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_');
  if (ascii === fileName) return `attachment; filename="${fileName}"`;
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
