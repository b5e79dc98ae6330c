import { Duplex } from 'node:stream';
import type { LiteArbiter, LiteClient } from './lite-arbiter.ts';
import { message, parameterStatus, READY_IDLE } from './lite-messages.ts';

const PARSE = 0x50;
const BIND = 0x42;
const CLOSE = 0x43;
const DESCRIBE = 0x44;
const QUERY = 0x51;
const SYNC = 0x53;
const FLUSH = 0x48;
const TERMINATE = 0x58;
const NAMED_STATEMENT = 0x53;

/** COPY over the wire ends PGlite's process; the statement is replaced by one that fails as a server without the feature would. */
const COPY = /\bcopy\b[^;]*\b(from\s+stdin|to\s+stdout)\b/i;
const COPY_REFUSED = Buffer.from(
  `do $$ begin raise exception 'COPY over the wire is not available on the embedded database' using errcode = '0A000', hint = 'insert ... select from unnest(...) is as fast'; end $$\0`,
);

let lastSocket = 0;

/** Settings given as `-c name=value` in the options of a startup packet; a backslash takes the next character as it is. */
function settingsIn(options: string): Map<string, string> {
  const words = [...options.matchAll(/(?:\\.|[^\s\\])+/gs)].map(([word]) => word.replace(/\\(.)/gs, '$1'));
  const settings = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const pair = word === '-c' ? (words[++i] ?? '') : word.startsWith('-c') ? word.slice(2) : word.startsWith('--') ? word.slice(2) : '';
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).replaceAll('-', '_');
    if (equals > 0 && /^[a-z_][a-z0-9_.]*$/i.test(name)) settings.set(name, pair.slice(equals + 1));
  }
  return settings;
}

/**
 * Replaces the TCP socket of `pg.Client` when the database is embedded: answers the startup itself, collects whole protocol
 * rounds and passes them to the arbiter of the single backend.
 */
export class LiteSocket extends Duplex implements LiteClient {
  settings: ReadonlyMap<string, string> = new Map();
  #arbiter: LiteArbiter;
  #started = false;
  #unread: Buffer = Buffer.alloc(0);
  #round: Buffer[] = [];
  #prefix = Buffer.from(`c${++lastSocket}_`);

  constructor(arbiter: LiteArbiter) {
    super();
    this.#arbiter = arbiter;
  }

  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  deliver(bytes: Uint8Array): void {
    if (!this.destroyed && bytes.length > 0) this.push(bytes);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#unread = this.#unread.length > 0 ? Buffer.concat([this.#unread, chunk]) : chunk;
    if (!this.#started) this.#start();
    let at = 0;
    while (this.#started && this.#unread.length - at >= 5) {
      const end = at + 1 + this.#unread.readInt32BE(at + 1);
      if (this.#unread.length < end) break;
      this.#take(this.#unread.subarray(at, end));
      at = end;
    }
    this.#unread = this.#unread.subarray(at);
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error);
    this.#arbiter.leave(this);
  }

  /** The startup packet has no type byte: length, protocol version, then pairs of names and values. */
  #start(): void {
    if (this.#unread.length < 8) return;
    const length = this.#unread.readInt32BE(0);
    if (this.#unread.length < length) return;
    const words = this.#unread.toString('utf8', 8, length).split('\0');
    this.#unread = this.#unread.subarray(length);
    const options = words.findIndex((word, i) => i % 2 === 0 && word === 'options');
    if (options >= 0) this.settings = settingsIn(words[options + 1] ?? '');
    this.#started = true;
    this.#arbiter.join(this);
    const parameters = { server_version: '18.0', server_encoding: 'UTF8', client_encoding: 'UTF8', DateStyle: 'ISO, MDY', TimeZone: 'UTC' };
    this.deliver(
      Buffer.concat([
        message('R', Buffer.alloc(4)),
        ...Object.entries({ ...parameters, standard_conforming_strings: 'on', integer_datetimes: 'on' }).map(pair =>
          parameterStatus(...pair),
        ),
        READY_IDLE,
      ]),
    );
  }

  #take(bytes: Buffer): void {
    const type = bytes[0];
    if (type === TERMINATE) {
      this.push(null);
      this.destroy();
      return;
    }
    this.#round.push(this.#withOwnNames(withoutCopy(bytes)));
    if (type === SYNC || type === QUERY || type === FLUSH) {
      this.#arbiter.submit(this, Buffer.concat(this.#round), type !== FLUSH);
      this.#round = [];
    }
  }

  /** All connections share one session, so each prefixes the names of its prepared statements. */
  #withOwnNames(bytes: Buffer): Buffer {
    const type = bytes[0];
    let at = -1;
    if (type === PARSE) at = 5;
    else if (type === BIND) at = bytes.indexOf(0, 5) + 1;
    else if ((type === DESCRIBE || type === CLOSE) && bytes[5] === NAMED_STATEMENT) at = 6;
    if (at < 0 || bytes[at] === 0) return bytes;
    const renamed = Buffer.concat([bytes.subarray(0, at), this.#prefix, bytes.subarray(at)]);
    renamed.writeInt32BE(renamed.length - 1, 1);
    return renamed;
  }
}

function withoutCopy(bytes: Buffer): Buffer {
  const type = bytes[0];
  if (type !== QUERY && type !== PARSE) return bytes;
  const textStart = type === QUERY ? 5 : bytes.indexOf(0, 5) + 1;
  const textEnd = bytes.indexOf(0, textStart);
  if (!COPY.test(bytes.toString('latin1', textStart, textEnd))) return bytes;
  return message(type === QUERY ? 'Q' : 'P', Buffer.concat([bytes.subarray(5, textStart), COPY_REFUSED, bytes.subarray(textEnd + 1)]));
}
