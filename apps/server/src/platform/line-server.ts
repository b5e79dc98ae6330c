import net from 'node:net';
import { breathing } from './breathing.ts';

type Chunk = string | Buffer;
type Answer = Chunk | AsyncIterable<Chunk>;

/** The answer to one line, and whether the connection ends after it; later lines are ignored then. */
export type Reply = { answer: Answer | Promise<Answer>; close: boolean };

/** One client. */
export type Peer = {
  /** Address as the system writes it; IPv4 clients of an IPv6 socket in IPv4 form. */
  readonly address: string;
  /** How long, in ms, it may be silent between lines. The conversation may change that for this connection. */
  idle: number;
};

export type LineServerOptions = {
  host: string;
  port: number;
  /**
   * Starts a conversation: returns the function that answers its lines. It is called for each line in the order of arrival, possibly before
   * earlier answers are ready, so anything that changes the meaning of later lines must happen before it returns. A line comes as bytes, without
   * LF or CR LF; the text before the end of a half-closed connection counts as one.
   */
  converse: (peer: Peer) => (line: Buffer) => Reply;
  /** Bytes of the longest line. */
  longestLine: number;
  /** How long, in ms, a client may be silent, or leave an answer unread. */
  idle: number;
  /** Maximum concurrent connections, in total and per address (an IPv6 /64 counts as one). Silent ones give way to new ones after two seconds. */
  connections: { all: number; ofAddress: (address: string) => number };
  /** Messages sent before the server itself closes a connection; those about a line in the protocol that the conversation is in. */
  refusals: {
    lineTooLong: string | ((peer: Peer) => string);
    idle: string;
    tooMany: string;
    failed: string | ((peer: Peer) => string);
  };
  onError: (error: unknown) => void;
  /** The clock, in ms; `performance.now` by default. Tests pass their own. */
  clock?: () => number;
};

export type LineServer = {
  readonly port: number;
  /** Connections open now, refused so far, and closed because they idled. */
  readonly connections: { open: number; refused: number; idled: number };
  /** Stops accepting, lets answers under way finish for up to five seconds, and ends every connection. */
  close(): Promise<void>;
};

/** Maximum lines of one connection that are answered concurrently. */
const AHEAD = 64;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** How long, in ms, a client may go on sending after the last answer, so that it gets to read it. */
const LINGER_MS = 2_000;
/** How long, in ms, a connection may be silent at the start before it gives way to a new one. */
const REPLACEABLE_AFTER_MS = 2_000;
const CLOSE_TIMEOUT_MS = 5_000;
const MAX_LEAVING = 1_000;
/** Bytes of an answer written per step; a client that reads slowly gets time for each. */
const SLICE = 65_536;

/** Where a slice that begins at `at` ends: never between the two halves of a character. */
function endOfSlice(answer: Chunk, at: number): number {
  const end = Math.min(answer.length, at + SLICE);
  return typeof answer === 'string' && end < answer.length && (answer.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}

/** Returns the group an address counts in: IPv4 itself, IPv6 by /64. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const groups = tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** Opens a TCP server of lines: for any protocol in which a client sends lines and gets an answer to each, in order. An error on one connection affects no other. */
export async function openLineServer(options: LineServerOptions): Promise<LineServer> {
  const open = new Set<Connection>();
  /** Connections being closed, with a moment to read why. */
  const leaving = new Set<Connection>();
  const perAddress = new Map<string, Set<Connection>>();
  const counts = { refused: 0, idled: 0 };
  const { clock = () => performance.now() } = options;
  let closing = false;

  const forget = (connection: Connection): void => {
    open.delete(connection);
    leaving.delete(connection);
    const same = perAddress.get(connection.group);
    same?.delete(connection);
    if (same?.size === 0) perAddress.delete(connection.group);
  };
  const sendAway = (connection: Connection, why: string): void => {
    forget(connection);
    if (leaving.size >= MAX_LEAVING) return connection.destroy();
    leaving.add(connection);
    connection.refuse(why);
  };
  /** Returns whether there is room in a group of connections, if necessary in place of its longest silent member. */
  const roomIn = (crowd: ReadonlySet<Connection> | undefined, most: number): boolean => {
    if (crowd === undefined || crowd.size < most) return true;
    const before = clock() - REPLACEABLE_AFTER_MS;
    for (const connection of crowd) {
      if (connection.openedAt > before) break;
      if (!connection.isSilent) continue;
      sendAway(connection, options.refusals.idle);
      counts.idled++;
      return true;
    }
    return false;
  };

  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, socket => {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
    const connection = new Connection(socket, address, options, forget);
    const isRoom =
      !closing && roomIn(perAddress.get(connection.group), options.connections.ofAddress(address)) && roomIn(open, options.connections.all);
    if (!isRoom) {
      counts.refused++;
      sendAway(connection, options.refusals.tooMany);
      return;
    }
    open.add(connection);
    const same = perAddress.get(connection.group);
    if (same) same.add(connection);
    else perAddress.set(connection.group, new Set([connection]));
    connection.start();
  });
  // One clock for all connections: a timer each would cost more than the answers.
  const sweep = setInterval(() => {
    const now = clock();
    for (const connection of open) if (connection.deadline < now && connection.expire()) counts.idled++;
    for (const connection of leaving) if (connection.deadline < now) connection.destroy();
  }, 250);
  sweep.unref();

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', options.onError);
  return {
    port: (server.address() as net.AddressInfo).port,
    get connections() {
      return { open: open.size, ...counts };
    },
    close: async () => {
      closing = true;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const connection of open) connection.endSoon();
      const cutOff = setTimeout(() => {
        for (const connection of [...open, ...leaving]) connection.destroy();
      }, CLOSE_TIMEOUT_MS);
      await closed;
      clearTimeout(cutOff);
      clearInterval(sweep);
    },
  };
}

/** Connections with an answer to send that wait for the end of this turn of the event loop. */
let answered: Connection[] = [];

/**
 * Lets a connection send its answers when all lines that arrived in the same turn of the event loop are answered. Written one at a time, each
 * answer wakes its client and the server waits for that; written together, the same port answers 1.4 times as many lines (decision 164).
 */
function sendTogether(connection: Connection): void {
  if (answered.push(connection) > 1) return;
  setImmediate(() => {
    const connections = answered;
    answered = [];
    for (const each of connections) void each.flush();
  });
}

class Connection {
  readonly group: string;
  readonly openedAt: number;
  /** When this client times out, by the clock of the server. */
  deadline: number;
  /** No line of it has been complete yet. */
  isSilent = true;

  readonly #socket: net.Socket;
  readonly #options: LineServerOptions;
  readonly #clock: () => number;
  readonly #peer: Peer;
  #reply: ((line: Buffer) => Reply) | null = null;
  /** Pieces of the incomplete line. */
  #pieces: Buffer[] = [];
  #piecesLength = 0;
  /** Lines that wait for earlier ones to be answered. */
  #held: Buffer | null = null;
  #queue: Reply[] = [];
  #flushing = false;
  /** No further line is taken. */
  #deaf = false;
  #ended = false;

  constructor(socket: net.Socket, address: string, options: LineServerOptions, forget: (connection: Connection) => void) {
    this.#socket = socket;
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.openedAt = this.#clock();
    this.group = addressGroup(address);
    this.#peer = { address, idle: options.idle };
    this.deadline = this.openedAt + options.idle;
    // A connection that breaks is nothing to report; 'close' follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#deaf = true;
      this.#queue = [];
      forget(this);
    });
  }

  start(): void {
    this.#reply = this.#options.converse(this.#peer);
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('end', () => {
      this.#ended = true;
      if (this.#held === null) this.#finish();
    });
  }

  /** The input has ended: text without a line end counts as a line. */
  #finish(): void {
    if (!this.#deaf && this.#piecesLength > 0) this.#line(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#piecesLength = 0;
    this.endSoon();
  }

  /** Takes no more lines, and hangs up when all pending answers are sent. */
  endSoon(): void {
    this.#deaf = true;
    this.#held = null;
    this.#ended = true;
    if (!this.#flushing) this.#hangUp();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Sends the reason and closes, after pending answers. */
  refuse(why: string): void {
    this.#deaf = true;
    this.#held = null;
    this.#pieces = [];
    this.#enqueue({ answer: why, close: true });
  }

  #words(which: 'lineTooLong' | 'failed'): string {
    const words = this.#options.refusals[which];
    return typeof words === 'string' ? words : words(this.#peer);
  }

  /** The deadline has passed. Returns whether the client was simply idle. */
  expire(): boolean {
    if (this.#flushing || this.#deaf) {
      this.destroy();
      return false;
    }
    this.refuse(this.#options.refusals.idle);
    return true;
  }

  #take(chunk: Buffer): void {
    if (this.#deaf) return;
    if (this.#held) {
      this.#held = Buffer.concat([this.#held, chunk]);
      return;
    }
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      if (this.#queue.length >= AHEAD) {
        this.#held = chunk.subarray(from);
        this.#socket.pause();
        return;
      }
      let line = chunk.subarray(from, at);
      from = at + 1;
      if (this.#piecesLength > 0) {
        line = Buffer.concat([...this.#pieces, line]);
        this.#pieces = [];
        this.#piecesLength = 0;
      }
      if (line.at(-1) === CARRIAGE_RETURN) line = line.subarray(0, -1);
      this.#line(line);
      if (this.#deaf) return;
    }
    if (from === chunk.length) return;
    // A copy, because keeping a few bytes would keep the whole buffer alive.
    this.#pieces.push(from === 0 ? chunk : Buffer.from(chunk.subarray(from)));
    this.#piecesLength += chunk.length - from;
    if (this.#piecesLength > this.#options.longestLine + 1) this.refuse(this.#words('lineTooLong'));
  }

  #line(line: Buffer): void {
    this.isSilent = false;
    if (line.length > this.#options.longestLine) {
      this.refuse(this.#words('lineTooLong'));
      return;
    }
    try {
      const reply = this.#reply!(line);
      if (reply.close) this.#deaf = true;
      this.#enqueue(reply);
    } catch (error) {
      this.#options.onError(error);
      this.refuse(this.#words('failed'));
    }
  }

  #enqueue(reply: Reply): void {
    // It is awaited later; until then an unhandled rejection would end the process.
    if (reply.answer instanceof Promise) reply.answer.catch(() => {});
    this.#queue.push(reply);
    if (this.#flushing) return;
    this.#flushing = true;
    this.deadline = Number.POSITIVE_INFINITY;
    sendTogether(this);
  }

  /** Sends the answers in the order of their lines, no faster than the client reads. Only for `sendTogether`: while it runs, `#flushing` is set. */
  async flush(): Promise<void> {
    for (let reply = this.#queue[0]; reply; reply = this.#queue[0]) {
      try {
        const answer = reply.answer instanceof Promise ? await reply.answer : reply.answer;
        if (typeof answer === 'object' && Symbol.asyncIterator in answer) {
          const breathe = breathing();
          for await (const chunk of answer) {
            if (this.#socket.destroyed) break;
            await this.#send(chunk, breathe);
            await breathe();
          }
        } else {
          if (reply.close && answer.length <= SLICE) return this.#hangUp(answer);
          await this.#send(answer);
        }
      } catch (error) {
        this.#options.onError(error);
        this.#deaf = true;
        return this.#hangUp(this.#words('failed'));
      }
      if (reply.close) return this.#hangUp();
      this.#queue.shift();
      this.#release();
    }
    this.#flushing = false;
    if (this.#ended) this.#hangUp();
    else this.deadline = this.#clock() + this.#peer.idle;
  }

  /** Processes lines that had to wait. */
  #release(): void {
    if (this.#held === null || this.#queue.length >= AHEAD / 2) return;
    const held = this.#held;
    this.#held = null;
    this.#take(held);
    if (this.#held !== null) return;
    if (this.#ended) this.#finish();
    else this.#socket.resume();
  }

  async #send(answer: Chunk, breathe = breathing()): Promise<void> {
    if (answer.length <= SLICE) return this.#write(answer);
    // The system takes megabytes at once for a client that reads fast: others have their turn meanwhile all the same.
    for (let at = 0, next = 0; at < answer.length && !this.#socket.destroyed; at = next) {
      next = endOfSlice(answer, at);
      await this.#write(typeof answer === 'string' ? answer.slice(at, next) : answer.subarray(at, next));
      await breathe();
    }
  }

  #write(chunk: Chunk): Promise<void> | void {
    if (chunk.length === 0 || this.#socket.destroyed || this.#socket.write(chunk)) return;
    this.deadline = this.#clock() + this.#options.idle;
    return new Promise(resolve => {
      const go = (): void => {
        this.#socket.off('drain', go).off('close', go);
        this.deadline = Number.POSITIVE_INFINITY;
        resolve();
      };
      this.#socket.on('drain', go).on('close', go);
    });
  }

  /** Sends the last answer and waits a little for the client to close: closing with unread bytes would reset the connection and lose the answer. */
  #hangUp(last: Chunk = ''): void {
    this.#deaf = true;
    this.#flushing = true;
    this.#queue = [];
    this.#socket.end(last);
    this.#socket.resume();
    this.deadline = this.#clock() + (this.#socket.writableLength > 0 ? this.#options.idle : LINGER_MS);
    this.#socket.once('finish', () => {
      this.deadline = this.#clock() + LINGER_MS;
    });
  }
}
