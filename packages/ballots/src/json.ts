import { modulus } from './modulus.ts';
import { order } from './group.ts';
import { Refusal, refuseUnless } from './refusal.ts';

/** Values that messages consist of (section 4.1): no null, and no numbers but small ones from 0 up. Objects have no field twice. */
export type Json = boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = ReadonlyMap<string, Json>;

/** How large a message may be: characters, lists and objects within each other, values together. */
export type JsonLimits = { length: number; depth: number; values: number };

/**
 * Reads a message of strangers, in time and memory in proportion to its text.
 * @param what how refusals call it: "The ballot"
 * @throws {Refusal} FORM for what is not JSON of messages, TOO_LARGE beyond the limits
 */
export function parseJson(text: string, what: string, limits: JsonLimits): Json {
  refuseUnless(text.length <= limits.length, 'TOO_LARGE', `${what} has more than ${limits.length} characters`);
  const reader = new JsonReader(text, what, limits);
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsonReader {
  readonly #text: string;
  readonly #what: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #values = 0;

  constructor(text: string, what: string, limits: JsonLimits) {
    this.#text = text;
    this.#what = what;
    this.#limits = limits;
  }

  value(depth: number): Json {
    this.#values++;
    refuseUnless(this.#values <= this.#limits.values, 'TOO_LARGE', `${this.#what} has more than ${this.#limits.values} values`);
    refuseUnless(depth <= this.#limits.depth, 'TOO_LARGE', `${this.#what} is nested deeper than ${this.#limits.depth}`);
    this.#space();
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === '[') return this.#list(depth);
    if (first === '{') return this.#object(depth);
    for (const [word, value] of [
      ['true', true],
      ['false', false],
    ] as const)
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    return this.#number();
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw this.#wrong('goes on behind its end');
  }

  #list(depth: number): Json[] {
    const list: Json[] = [];
    this.#parts('[', ']', () => list.push(this.value(depth + 1)));
    return list;
  }

  #object(depth: number): JsonObject {
    const fields = new Map<string, Json>();
    this.#parts('{', '}', () => {
      this.#space();
      const name = this.#string();
      if (fields.has(name)) throw this.#wrong('has a field twice');
      this.#space();
      this.#take(':');
      fields.set(name, this.value(depth + 1));
    });
    return fields;
  }

  #parts(open: string, close: string, readPart: () => void): void {
    this.#take(open);
    this.#space();
    if (this.#text[this.#at] !== close) {
      readPart();
      this.#space();
      while (this.#text[this.#at] === ',') {
        this.#at++;
        readPart();
        this.#space();
      }
    }
    this.#take(close);
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw this.#wrong('lacks a quotation mark');
    let end = this.#at + 1;
    while (this.#text[end] !== '"') {
      if (end >= this.#text.length) throw this.#wrong('ends within a text');
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    const quoted = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw this.#wrong('has a text with characters that JSON does not have');
    }
  }

  #number(): number {
    let end = this.#at;
    while (this.#text[end]! >= '0' && this.#text[end]! <= '9') end++;
    const digits = this.#text.slice(this.#at, end);
    const number = Number(digits);
    if (digits === '' || (digits !== '0' && digits.startsWith('0')) || !Number.isSafeInteger(number))
      throw this.#wrong('has a value that is no text, list, object, truth value or small number');
    this.#at = end;
    return number;
  }

  #space(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#wrong(`lacks a ${character}`);
    this.#at++;
  }

  #wrong(sentence: string): Refusal {
    return new Refusal('FORM', `${this.#what} ${sentence} (character ${this.#at + 1})`);
  }
}

/** The fields of an object: all that are required, any that are optional, and no other. @throws {Refusal} */
export function readFields<Required extends string, Optional extends string = never>(
  value: Json,
  what: string,
  required: readonly Required[],
  optional: readonly Optional[] = [],
): Record<Required, Json> & Partial<Record<Optional, Json>> {
  refuseUnless(value instanceof Map, 'FORM', `${what} is no object`);
  for (const name of required) refuseUnless(value.has(name), 'FORM', `${what} has no field ${name}`);
  const known: readonly string[] = [...required, ...optional];
  for (const name of value.keys())
    refuseUnless(known.includes(name), 'FORM', `${what} has a field that the specification does not have: ${name.slice(0, 40)}`);
  return Object.fromEntries(value as JsonObject) as Record<Required, Json> & Partial<Record<Optional, Json>>;
}

/** @throws {Refusal} */
export function readText(value: Json, what: string): string {
  refuseUnless(typeof value === 'string', 'FORM', `${what} is no text`);
  return value;
}

/** A small number. @throws {Refusal} beyond `max` too */
export function readCount(value: Json, what: string, max: number): number {
  refuseUnless(typeof value === 'number', 'FORM', `${what} is no number`);
  refuseUnless(value <= max, 'TOO_LARGE', `${what} is more than ${max}`);
  return value;
}

/** A list of at least so many values, and of at most so many. @throws {Refusal} */
export function readList(value: Json, what: string, { min = 0, max }: { min?: number; max: number }): readonly Json[] {
  refuseUnless(Array.isArray(value), 'FORM', `${what} is no list`);
  const list = value as readonly Json[];
  refuseUnless(list.length >= min, 'FORM', `${what} has fewer than ${min} values`);
  refuseUnless(list.length <= max, 'TOO_LARGE', `${what} has more than ${max} values`);
  return list;
}

/** Digits of the largest number in messages. */
const MAX_DIGITS = 617;

/** A number in base 10, without zeros before it (section 4.2). @throws {Refusal} */
export function readNumber(value: Json, what: string): bigint {
  const isNumber = typeof value === 'string' && value.length <= MAX_DIGITS && /^(?:0|[1-9][0-9]*)$/.test(value);
  refuseUnless(isNumber, 'FORM', `${what} is no number in base 10`);
  return BigInt(value as string);
}

/** A number below the order of the group (section 4.2). @throws {Refusal} */
export function readExponent(value: Json, what: string): bigint {
  const exponent = readNumber(value, what);
  refuseUnless(exponent < order, 'FORM', `${what} is not below the order of the group`);
  return exponent;
}

/**
 * A number from 1 to the modulus less 1 (section 4.2). Whether it is of the group is checked where it is used, with `isElement`.
 * @throws {Refusal}
 */
export function readElement(value: Json, what: string): bigint {
  const number = readNumber(value, what);
  refuseUnless(number > 0n && number < modulus, 'NOT_AN_ELEMENT', `${what} is not between 0 and the modulus of the group`);
  return number;
}
