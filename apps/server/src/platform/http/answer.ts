import type { Download, Endpoint } from '@portal/contract';
import type { FastifyReply, RouteShorthandOptions } from 'fastify';
import { Readable } from 'node:stream';
import { Accepted } from './accepted.ts';
import { serialiserOf } from './serialiser.ts';

/** Tells Fastify that the answer has a serialiser, which sends no field that is not in its schema. */
export function serialised({ answer }: Endpoint): Pick<RouteShorthandOptions, 'schema' | 'serializerCompiler'> {
  if (!answer || answer === 'download') return {};
  return { schema: { response: { '2xx': {} } }, serializerCompiler: () => sent => serialiserOf(answer)(sent) };
}

/** Sends a handler's answer: a value, a file, nothing (204), or a pending request (202). */
export async function send(endpoint: Endpoint, answer: unknown, reply: FastifyReply): Promise<unknown> {
  if (endpoint.answer === 'download') {
    const { fileName, contentType, bytes, ...download } = answer as Download;
    const chunks = await begun(download.chunks);
    if (bytes !== undefined) void reply.header('content-length', bytes);
    return reply.type(contentType).header('content-disposition', attachmentNamed(fileName)).send(Readable.from(chunks));
  }
  if (answer instanceof Accepted) return reply.code(202).send(answer.answer);
  if (answer === undefined) return reply.code(204).send();
  return answer;
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
