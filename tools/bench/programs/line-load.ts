import { readFileSync } from 'node:fs';
import { SECOND_MS } from '@portal/contract/days';
import net from 'node:net';

/**
 * Puts load on a line server from a separate process: queries of a file (one a line) over so many connections, kept open or one a query, for so many
 * seconds. Prints the result as JSON. An answer ends with two empty lines, or with the connection.
 */
const { PORT, QUERIES = '', CONNECTIONS, SECONDS, KEPT, FROM = '0' } = process.env;
const kept = KEPT === 'yes';
const queries = readFileSync(QUERIES, 'utf8').trim().split('\n');
const end = performance.now() + Number(SECONDS) * SECOND_MS;
const isOver = (): boolean => performance.now() >= end;
const took: number[] = [];
let bytes = 0;
let wrong = 0;
let next = Number(FROM);
const query = (): string => `${kept ? '-k ' : ''}${queries[next++ % queries.length]}\n`;
const END = Buffer.from('\n\n\n');

function storedOpen(): Promise<void> {
  return new Promise(resolve => {
    const socket = net.connect({ port: Number(PORT), host: '127.0.0.1', noDelay: true });
    let asked = performance.now();
    let tail: Buffer = Buffer.alloc(0);
    const ask = (): void => {
      asked = performance.now();
      socket.write(query());
    };
    socket.once('connect', ask);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      tail = chunk.length >= 3 ? chunk.subarray(-3) : Buffer.concat([tail, chunk]).subarray(-3);
      if (!tail.equals(END)) return;
      tail = Buffer.alloc(0);
      took.push(performance.now() - asked);
      if (!isOver()) ask();
      else socket.destroy();
    });
    socket.on('error', () => wrong++);
    socket.on('close', () => resolve());
  });
}

function once(): Promise<void> {
  return new Promise(resolve => {
    const asked = performance.now();
    const socket = net.connect({ port: Number(PORT), host: '127.0.0.1', noDelay: true }, () => socket.write(query()));
    let got = 0;
    socket.on('data', (chunk: Buffer) => (got += chunk.length));
    socket.on('error', () => wrong++);
    socket.on('close', () => {
      bytes += got;
      if (got === 0) wrong++;
      took.push(performance.now() - asked);
      resolve();
    });
  });
}

const started = performance.now();
await Promise.all(
  Array.from({ length: Number(CONNECTIONS) }, async () => {
    if (kept) await storedOpen();
    else while (!isOver()) await once();
  }),
);
const seconds = (performance.now() - started) / 1000;
took.sort((a, b) => a - b);
const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
console.log(
  JSON.stringify({
    perSecond: took.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    size: bytes / took.length,
    wrong,
    asked: next - Number(FROM),
  }),
);
