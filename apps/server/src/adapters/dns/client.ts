import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
import net from 'node:net';
import { BadMessage, type DnsMessage, decodeMessage, encodeQuestion, type Question } from './message.ts';

export type Transport = 'udp' | 'tcp';
/** Result of a question: a message, or why there is none. */
export type DnsResult = { milliseconds: number } & (
  | { message: DnsMessage; wire: Buffer; from?: string; failure?: undefined }
  | { message?: undefined; failure: QueryFailure }
);
export type QueryFailure = { kind: 'timeout' | 'refused' | 'garbage' | 'mismatch' | 'closed' | 'too-large' | 'no-route'; detail: string };
/** `anySource`: an answer counts also from another address than the one that was asked; over UDP only. */
export type QueryOptions = { transport: Transport; port: number; timeoutMs: number; anySource?: boolean };

/** Asks name servers over UDP and TCP. Never throws for what a server does. */
export type DnsClient = {
  query: (address: string, question: Question, options: QueryOptions) => Promise<DnsResult>;
  close: () => Promise<void>;
};

/** Sockets open at a time, over all questions of the process. */
const MAX_SOCKETS = 256;
/** Questions to one address at a time: a check must not look like an attack. */
const MAX_PER_TARGET = 6;
/** The most that one answer may have, in bytes: what TCP can carry. */
const LARGEST = 65_535;

/** Limits how much goes on at a time, in all and to each target. */
function gate() {
  const waiting: { target: string; go: () => void }[] = [];
  const open = new Map<string, number>();
  let total = 0;
  const mayStart = (target: string): boolean => total < MAX_SOCKETS && (open.get(target) ?? 0) < MAX_PER_TARGET;
  const start = (target: string): void => {
    total++;
    open.set(target, (open.get(target) ?? 0) + 1);
  };
  const end = (target: string): void => {
    total--;
    const left = open.get(target)! - 1;
    if (left === 0) open.delete(target);
    else open.set(target, left);
    const next = waiting.findIndex(each => mayStart(each.target));
    if (next >= 0) {
      const [{ target: chosen, go }] = waiting.splice(next, 1) as [{ target: string; go: () => void }];
      start(chosen);
      go();
    }
  };
  return async <T>(target: string, work: () => Promise<T>): Promise<T> => {
    if (mayStart(target)) start(target);
    else await new Promise<void>(go => waiting.push({ target, go }));
    try {
      return await work();
    } finally {
      end(target);
    }
  };
}

export function openDnsClient(): DnsClient {
  const within = gate();
  return {
    query: (address, question, options) =>
      within(address, async () => {
        const started = performance.now();
        const result =
          options.transport === 'udp' ? await queryUdp(address, question, options) : await queryTcp(address, question, options);
        return { ...result, milliseconds: Math.round((performance.now() - started) * 10) / 10 };
      }),
    close: () => Promise.resolve(),
  };
}

type Result = { message: DnsMessage; wire: Buffer; from?: string; failure?: undefined } | { message?: undefined; failure: QueryFailure };
const failed = (kind: QueryFailure['kind'], detail: string): Result => ({ failure: { kind, detail } });

/** Errors of this host, which has no way to the address: no IPv6 at all, most often. They say nothing of the server. */
const hereWithoutRoute = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);
function failedBy(error: Error): Result {
  const { code = error.message } = error as NodeJS.ErrnoException;
  return failed(hereWithoutRoute.has(code) ? 'no-route' : 'refused', code);
}

/** Reads an answer and compares it with its question. */
function accepted(wire: Buffer, id: number, question: Question): Result {
  let message: DnsMessage;
  try {
    message = decodeMessage(wire);
  } catch (error) {
    if (error instanceof BadMessage || error instanceof RangeError) return failed('garbage', error.message);
    throw error;
  }
  if (message.id !== id || !message.answer) return failed('mismatch', 'the answer belongs to another question');
  if (message.question && message.question.name !== question.name.toLowerCase().replace(/\.$/, ''))
    return failed('mismatch', `the answer is about ${message.question.name}`);
  return { message, wire };
}

function queryUdp(address: string, question: Question, { port, timeoutMs, anySource = false }: QueryOptions): Promise<Result> {
  return new Promise(resolve => {
    const socket = dgram.createSocket(net.isIPv6(address) ? 'udp6' : 'udp4');
    const id = randomInt(65_536);
    let last: Result | null = null;
    const done = (result: Result): void => {
      clearTimeout(timer);
      clearTimeout(again);
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.close();
      resolve(result);
    };
    const wire = encodeQuestion(id, question);
    const timer = setTimeout(() => done(last ?? failed('timeout', `no answer within ${timeoutMs / 1000} seconds`)), timeoutMs);
    const lose = (error: Error | null): void => {
      if (error) done(failedBy(error));
    };
    const send = (): void => (anySource ? socket.send(wire, port, address, lose) : socket.send(wire, lose));
    // One packet may be lost on the way. Sent again only once it was sent: a socket that has no route yet throws.
    let again: NodeJS.Timeout | undefined;
    const begin = (): void => {
      again = setTimeout(send, timeoutMs / 2);
      send();
    };
    socket.on('error', lose);
    socket.on('message', (answer, { address: from }) => {
      const result = accepted(answer, id, question);
      // Any host can send a packet here: only the answer counts, and the rest is remembered for the report.
      if (result.message) done({ ...result, from });
      else last = result;
    });
    if (anySource) return begin();
    // Without a route to the address Node hands the error to the callback, and the socket is not connected (ENETUNREACH, EINVAL). Its types don't say so.
    socket.connect(port, address, ((error?: Error) => (error ? lose(error) : begin())) as () => void);
  });
}

function queryTcp(address: string, question: Question, { port, timeoutMs }: QueryOptions): Promise<Result> {
  return new Promise(resolve => {
    const id = randomInt(65_536);
    const parts: Buffer[] = [];
    let size = 0;
    const socket = net.connect({ host: address, port });
    const done = (result: Result): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(
      () =>
        done(
          size > 0
            ? failed('timeout', `the answer was not complete within ${timeoutMs / 1000} seconds`)
            : failed('timeout', `no answer within ${timeoutMs / 1000} seconds`),
        ),
      timeoutMs,
    );
    socket.on('connect', () => {
      const wire = encodeQuestion(id, question);
      socket.write(Buffer.concat([Buffer.from([wire.length >> 8, wire.length & 255]), wire]));
    });
    socket.on('data', part => {
      parts.push(part as Buffer);
      size += part.length;
      if (size > LARGEST + 2) return done(failed('too-large', 'the server sends more than one answer can have'));
      const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      if (all.length >= 2 && all.length >= 2 + all.readUInt16BE(0)) done(accepted(all.subarray(2, 2 + all.readUInt16BE(0)), id, question));
    });
    socket.on('error', error => done(failedBy(error)));
    socket.on('close', () => done(failed('closed', 'the server closed the connection without an answer')));
  });
}
