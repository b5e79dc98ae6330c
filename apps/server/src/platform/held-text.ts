import { createHash } from 'node:crypto';
import type { HeldText as Held, TextLimit } from '@portal/contract/long-text';

/**
 * A long text of a request, as the bytes of its JSON string: only a thread makes characters of them (`readApart`), because that takes the event loop too
 * long. Threads share the bytes.
 */
export class HeldText implements Held {
  readonly bytes: number;
  /** SHA-256 of the bytes: texts with the same are the same. */
  readonly digest: string;
  readonly pieces: readonly SharedArrayBuffer[];
  readonly limit: TextLimit;

  constructor(given: Pick<HeldText, 'pieces' | 'bytes' | 'digest' | 'limit'>) {
    this.pieces = given.pieces;
    this.bytes = given.bytes;
    this.digest = given.digest;
    this.limit = given.limit;
  }

  /** Its characters. Costs the event loop the more the longer it is. */
  whole(): string {
    return JSON.parse(`"${joined(this.pieces, this.bytes).toString()}"`) as string;
  }
}

const PIECE = 64 * 1024;

/** Collects the bytes of a text as they arrive, in pieces of one size however small the chunks are. */
export class TextHolder {
  readonly #pieces: SharedArrayBuffer[] = [];
  readonly #hash = createHash('sha256');
  bytes = 0;

  take(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    for (let at = 0; at < chunk.length; ) {
      const filled = this.bytes % PIECE;
      if (filled === 0) this.#pieces.push(new SharedArrayBuffer(PIECE));
      const part = chunk.subarray(at, at + PIECE - filled);
      new Uint8Array(this.#pieces.at(-1)!).set(part, filled);
      this.bytes += part.length;
      at += part.length;
    }
  }

  joined(): Buffer {
    return joined(this.#pieces, this.bytes);
  }

  /** Its bytes, for a thread. */
  shared(): { pieces: readonly SharedArrayBuffer[]; bytes: number } {
    return { pieces: this.#pieces, bytes: this.bytes };
  }

  text(limit: TextLimit): HeldText {
    return new HeldText({ pieces: this.#pieces, bytes: this.bytes, digest: this.#hash.digest('hex'), limit });
  }
}

/** The bytes of a text in one buffer. */
export const joined = (pieces: readonly SharedArrayBuffer[], bytes: number): Buffer =>
  Buffer.concat(
    pieces.map(piece => new Uint8Array(piece)),
    bytes,
  );

/** The body of a call with something else in the place of its long text, which is a field of its own. */
export const withTexts = (body: unknown, inPlace: (text: HeldText, name: string) => unknown): unknown =>
  typeof body === 'object' && body !== null && Object.values(body).some(each => each instanceof HeldText)
    ? Object.fromEntries(Object.entries(body).map(([name, each]) => [name, each instanceof HeldText ? inPlace(each, name) : each]))
    : body;
