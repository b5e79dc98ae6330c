import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import net from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { outgoingTrace } from '../platform/telemetry/spans.ts';

/** How long, in ms, another registry may be silent, and how long one file or conversation may take. */
const PATIENCE_MS = 30 * SECOND_MS;
const LIMIT_MS = 30 * MINUTE_MS;

/** Thrown where another registry doesn’t answer, breaks off, refuses, or sends more than it may. Its message is a sentence for the operator. */
export class MirrorUnreachable extends Error {}

const reasonOf = (error: unknown): string => {
  const { code, message, cause } = error as { code?: string; message: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? code ?? message;
};

/** A signal that ends what is silent, or takes too long. `heard` is called at each sign of life. */
function patience({ silentMs, limitMs }: { silentMs: number; limitMs: number }) {
  const controller = new AbortController();
  const give = (why: string) => (): void => controller.abort(new MirrorUnreachable(why));
  const silent = setTimeout(give(`was silent for ${silentMs / SECOND_MS} seconds`), silentMs);
  const limit = setTimeout(give(`took longer than ${limitMs / MINUTE_MS} minutes`), limitMs);
  return {
    signal: controller.signal,
    heard: () => void silent.refresh(),
    end: () => {
      clearTimeout(silent);
      clearTimeout(limit);
    },
  };
}

type Limits = { maxBytes: number; silentMs?: number; limitMs?: number };

/**
 * Copies a file of another registry, by HTTP or from this machine, to a file here; its bytes are those that were sent, compressed or not. Addresses are the operator’s:
 * redirects are not followed, and no proxy or cookie takes part.
 * @returns its SHA-256 in hexadecimal, and its size @throws {MirrorUnreachable}
 */
export async function copyFile(
  address: string,
  to: string,
  { maxBytes, silentMs = PATIENCE_MS, limitMs = LIMIT_MS }: Limits,
): Promise<{ sha256: string; bytes: number }> {
  const waiting = patience({ silentMs, limitMs });
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      waiting.heard();
      bytes += chunk.length;
      if (bytes > maxBytes) throw new MirrorUnreachable(`has more than ${maxBytes} bytes`);
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    const chunks = address.startsWith('file:') ? createReadStream(fileURLToPath(address)) : await bodyOf(address, waiting.signal);
    await pipeline(chunks, counted, createWriteStream(to), { signal: waiting.signal });
    return { sha256: hash.digest('hex'), bytes };
  } catch (error) {
    await fs.rm(to, { force: true });
    const said = waiting.signal.aborted ? (waiting.signal.reason as Error) : error;
    throw new MirrorUnreachable(
      said instanceof MirrorUnreachable ? `${address} ${said.message}.` : `${address} can’t be read (${reasonOf(said)}).`,
    );
  } finally {
    waiting.end();
  }
}

async function bodyOf(address: string, signal: AbortSignal): Promise<Readable> {
  const answer = await fetch(address, {
    headers: { ...outgoingTrace(), 'accept-encoding': 'identity', 'user-agent': 'MyRegistry mirror' },
    redirect: 'manual',
    signal,
  });
  if (answer.status >= 300 && answer.status < 400)
    throw new MirrorUnreachable(`leads to ${answer.headers.get('location')?.slice(0, 200) ?? 'nowhere'}, and redirects are not followed`);
  if (!answer.ok || !answer.body) throw new MirrorUnreachable(`answers ${answer.status}`);
  return Readable.fromWeb(answer.body as never);
}

/** Asks a whois server one line, and hands over its answer as it comes. Where no more of it is read, the connection ends. @throws {MirrorUnreachable} */
export async function* askLine(
  { host, port }: { host: string; port: number },
  line: string,
  { maxBytes, silentMs = PATIENCE_MS, limitMs = LIMIT_MS }: Limits,
): AsyncGenerator<Buffer, void, void> {
  const waiting = patience({ silentMs, limitMs });
  const socket = net.connect({ host, port });
  const end = (): void => void socket.destroy(waiting.signal.reason as Error);
  waiting.signal.addEventListener('abort', end, { once: true });
  let bytes = 0;
  try {
    socket.write(`${line}\n`);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      waiting.heard();
      bytes += chunk.length;
      if (bytes > maxBytes) throw new MirrorUnreachable(`sends more than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw new MirrorUnreachable(
      error instanceof MirrorUnreachable ? `${host}:${port} ${error.message}.` : `${host}:${port} doesn’t answer (${reasonOf(error)}).`,
    );
  } finally {
    waiting.end();
    socket.destroy();
  }
}
