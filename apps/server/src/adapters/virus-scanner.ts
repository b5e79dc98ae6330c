import { MINUTE_MS } from '@portal/contract/days';
import net from 'node:net';
import { circuitBreaker, isSilence } from '../platform/circuit-breaker.ts';

/** A scanner that is silent this long is not there. */
const PATIENCE_MS = MINUTE_MS;
/** clamd takes chunks of any length below its StreamMaxLength. */
const CHUNK = 65_536;

/**
 * ClamAV's daemon over TCP: INSTREAM, chunks with their length before them, an empty one at the end (clamd(8)).
 * @param address tcp://host:port @param patienceMs how long it may be silent
 */
export function clamdScanner(address: string, patienceMs = PATIENCE_MS) {
  const { hostname, port } = new URL(address);
  // It ends the connection when a file is too large for it.
  const whileItAnswers = circuitBreaker(
    'The virus scanner',
    error => isSilence(error) && (error as { code?: string }).code !== 'ECONNRESET',
  );
  return {
    scan: (chunks: AsyncIterable<Uint8Array>): Promise<string | null> => whileItAnswers(() => scan(chunks)),
  };
  async function scan(chunks: AsyncIterable<Uint8Array>): Promise<string | null> {
    const socket = net.connect({ host: hostname, port: Number(port || 3310) });
    const silence = Object.assign(new Error(`The virus scanner at ${address} does not answer.`), { code: 'ETIMEDOUT' });
    socket.setTimeout(patienceMs, () => socket.destroy(silence));
    const answer = readAnswer(socket);
    // The waiting caller gets the error; until then it must not count as unhandled.
    answer.catch(() => {});
    try {
      await write(socket, Buffer.from('zINSTREAM\0'));
      for await (const chunk of chunks) {
        for (let offset = 0; offset < chunk.length; offset += CHUNK) {
          const piece = chunk.subarray(offset, offset + CHUNK);
          const length = Buffer.alloc(4);
          length.writeUInt32BE(piece.length);
          await write(socket, Buffer.concat([length, piece]));
        }
      }
      await write(socket, Buffer.alloc(4));
      return findingOf(await answer);
    } finally {
      socket.destroy();
    }
  }
}

const write = (socket: net.Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, error => (error ? reject(error) : resolve()));
  });

async function readAnswer(socket: net.Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.includes('\0') || text.length > 10_000) break;
  }
  return text.replace(/\0.*$/s, '').trim();
}

/** `stream: OK`, `stream: Eicar-Signature FOUND`, or an error. */
function findingOf(answer: string): string | null {
  if (answer === 'stream: OK') return null;
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
  if (found !== undefined) return found;
  throw new Error(`The virus scanner answered: ${answer || 'nothing'}`);
}
