import type { Readable } from 'node:stream';
import { smallBody } from '@portal/contract';
import type { LongField } from '@portal/contract/long-text';
import { fileSize } from '@portal/contract/file-kinds';
import { type Breathe, breathing } from '../breathing.ts';
import { refuse } from '../failure.ts';
import { HeldBody } from '../held-body.ts';
import { type HeldText, TextHolder } from '../held-text.ts';

/** How deep a body may be nested: more than any call takes. */
export const deepestBody = 32;
/** How many values a body may have. They are as dear to parse as their bytes, so only calls that declare long lists take as many as a megabyte of prefixes has. */
export const maxBodyValues = 20_000;
export const maxListedValues = 100_000;
/** Maximum number of values that the event loop parses and checks; more of them are for a thread. */
export const maxParsedValues = 500;
/** Fields of one object: it is many times as dear to parse with thousands. */
export const maxObjectFields = 1_000;

/** Bytes that are looked at in one turn. */
const PIECE = 64 * 1024;
const [SPACE, QUOTE, BACKSLASH, COMMA, COLON] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const WORD_LENGTH = 'false'.length;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reads the JSON of a body as it arrives, while others have their turn. Returns its text, and the long text of its endpoint apart, in whose place the text has
 * an empty one; null where it is short. One of so many values that a thread has to parse it is returned as bytes. @param announced length, or null; `takesHeld`: the
 * endpoint has such a body read in a thread @throws Failure PAYLOAD_TOO_LARGE, INVALID_REQUEST of one nested too deep, of too many values or of too many fields in an object
 */
export async function readJson(
  payload: Readable,
  {
    largest,
    announced,
    longField,
    takesHeld,
  }: { largest: number; announced: number | null; longField: LongField | null; takesHeld: boolean },
): Promise<{ text: string; held: { name: string; text: HeldText } | null } | HeldBody> {
  const tooLarge = (limit: number) => refuse('PAYLOAD_TOO_LARGE', { limit: fileSize(limit) });
  if (announced !== null && announced > largest) throw tooLarge(largest);
  const scan = new Scan(longField?.name ?? null, mostValues({ largest, longField, takesHeld }));
  const breathe = breathing();
  let bytes = 0;
  // The stream is kept on a refusal, which is answered on its connection.
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > largest) throw tooLarge(largest);
    for (let at = 0; at < chunk.length; at += PIECE) {
      scan.take(chunk.subarray(at, at + PIECE));
      if (longField && scan.plainBytes > smallBody)
        throw refuse('PAYLOAD_TOO_LARGE', { limit: `${fileSize(smallBody)} beside ${longField.name}` });
      await breathe();
    }
  }
  if (announced !== null && announced !== bytes) throw refuse('INVALID_REQUEST', { detail: 'the body is not JSON' });
  const outcome = scan.outcome(longField);
  if (scan.values <= maxParsedValues) return { text: await decoded(outcome.plain, breathe), held: outcome.held };
  const holder = new TextHolder();
  for (const piece of outcome.plain) {
    holder.take(piece);
    await breathe();
  }
  return new HeldBody({ ...holder.shared(), dryRun: scan.dryRun, long: outcome.held });
}

/** The text of some bytes, as `toString` has it. A text of a megabyte is decoded while others have their turn. */
async function decoded(pieces: readonly Uint8Array[], breathe: Breathe): Promise<string> {
  if (pieces.length <= 1) return Buffer.concat(pieces).toString();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  for (const piece of pieces) {
    parts.push(decoder.decode(piece, { stream: true }));
    await breathe();
  }
  const text = [...parts, decoder.decode()].join('');
  // Put together in one turn, and read as JSON in the next.
  await breathe();
  return text;
}

function mostValues({ largest, longField, takesHeld }: { largest: number; longField: LongField | null; takesHeld: boolean }): number {
  if (!takesHeld) return maxParsedValues;
  return longField === null && largest > smallBody ? maxListedValues : maxBodyValues;
}

/** Looks for the long text, byte by byte, and counts. That it is JSON at all is found out afterwards. */
class Scan {
  readonly #name: string | null;
  readonly #maxValues: number;
  readonly #plain: Uint8Array[] = [];
  readonly #held = new TextHolder();
  plainBytes = 0;
  values = 0;
  /** The value of the body's field `dryRun`, if it is one of these words. */
  dryRun: boolean | undefined;
  #depth = 0;
  /** Of each object around this place. */
  readonly #fields: number[] = [];
  #inText = false;
  #isEscaped = false;
  #isHolding = false;
  /** Of a field of the body itself: its name as far as it is known, and whether what comes is its value. */
  #field: number[] = [];
  #isName = false;
  #isValue = false;
  /** The value of `dryRun` as far as it came. */
  #word: number[] | null = null;
  /** Where the long text stood, in `#plain`. */
  #place: number | null = null;

  constructor(name: string | null, maxValues: number) {
    this.#name = name;
    this.#maxValues = maxValues;
  }

  #keep(chunk: Uint8Array): void {
    this.#plain.push(chunk);
    this.plainBytes += chunk.length;
  }

  take(chunk: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#inText = false;
          if (this.#isHolding) {
            this.#held.take(chunk.subarray(from, at));
            this.#isHolding = false;
            from = at;
          }
        } else if (this.#isName && this.#field.length < 100) this.#field.push(byte);
        continue;
      }
      if (this.#word !== null) this.#takeWord(byte);
      switch (byte) {
        case QUOTE:
          this.#inText = true;
          if (this.#isValue) {
            if (this.#place !== null) throw refuse('INVALID_REQUEST', { detail: `the body has ${this.#name} twice` });
            this.#isHolding = true;
            this.#keep(chunk.subarray(from, at + 1));
            from = at + 1;
            this.#place = this.#plain.length;
          }
          break;
        case COLON:
          this.#countField();
          if (this.#depth === 1) {
            const name = Buffer.from(this.#field).toString();
            this.#isName = false;
            this.#isValue = name === this.#name;
            if (name === 'dryRun') this.#word = [];
          }
          break;
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.#count();
          if (++this.#depth > deepestBody) throw refuse('INVALID_REQUEST', { detail: `the body is nested deeper than ${deepestBody}` });
          this.#fields[this.#depth] = 0;
          this.#begin(byte === OPEN_OBJECT && this.#depth === 1);
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          this.#depth--;
          this.#begin(false);
          break;
        case COMMA:
          this.#count();
          this.#begin(this.#depth === 1);
          break;
      }
    }
    if (this.#isHolding) this.#held.take(chunk.subarray(from));
    else this.#keep(chunk.subarray(from));
  }

  #count(): void {
    if (++this.values > this.#maxValues) throw refuse('INVALID_REQUEST', { detail: `the body has more than ${this.#maxValues} values` });
  }

  #countField(): void {
    const fields = (this.#fields[this.#depth] ?? 0) + 1;
    this.#fields[this.#depth] = fields;
    if (fields > maxObjectFields)
      throw refuse('INVALID_REQUEST', { detail: `the body has an object with more than ${maxObjectFields} fields` });
  }

  /** Notes the value of `dryRun`; its last one counts, as everywhere in JSON. */
  #takeWord(byte: number): void {
    const word = this.#word!;
    if (byte !== COMMA && byte !== CLOSE_OBJECT) {
      // A value that is longer is none of the words.
      if (byte > SPACE && word.length <= WORD_LENGTH) word.push(byte);
      return;
    }
    const said = Buffer.from(word).toString();
    this.dryRun = said === 'true' ? true : said === 'false' ? false : undefined;
    this.#word = null;
  }

  #begin(isName: boolean): void {
    this.#isName = isName;
    this.#isValue = false;
    this.#field = [];
  }

  outcome(longField: LongField | null): { plain: readonly Uint8Array[]; held: { name: string; text: HeldText } | null } {
    const isShort = this.#held.bytes <= smallBody;
    if (this.#place !== null && isShort) this.#plain.splice(this.#place, 0, this.#held.joined());
    return {
      plain: this.#plain,
      held: longField === null || isShort ? null : { name: longField.name, text: this.#held.text(longField.limit) },
    };
  }
}
