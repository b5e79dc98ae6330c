import { type AddressRange, parseAsNumber, parseAsRange, parseRange, ResourceSyntaxError } from '@portal/number-resources';
import { type ClassName, classNames, readKey } from '@portal/rpsl';

/** The parsed key of a query. */
export type QueryKey =
  | { kind: 'addresses'; range: AddressRange }
  | { kind: 'as'; number: number; keys: readonly ClassKey[] }
  | { kind: 'as-block'; first: number; last: number }
  /** Primary keys it may be, a netname or e-mail address, and the words of a name. */
  /** `nearly` says what is wrong with it if it looks like addresses or AS numbers. */
  | { kind: 'name'; keys: readonly ClassKey[]; lookup: string; words: readonly string[]; nearly: string | null };

export type ClassKey = { class: ClassName; key: string };

/** Classes found by addresses and numbers, not by name. */
const numbered: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'as-block', 'aut-num']);
const named = classNames.filter(name => !numbered.has(name));

/** Recognises a key; anything else is a name. */
export function readQueryKey(text: string): QueryKey {
  const range = readRange(text);
  if (range) return { kind: 'addresses', range };
  if (/^as\d{1,10}\s*-\s*as\d{1,10}$/i.test(text) && faultOf(() => parseAsRange(text)) === null) {
    const { first, last } = parseAsRange(text);
    return { kind: 'as-block', first, last };
  }
  if (/^(?:as)?\d{1,10}$/i.test(text)) {
    const number = readAsNumber(text);
    if (number !== null) return { kind: 'as', number, keys: [{ class: 'aut-num', key: `as${number}` }] };
  }
  const lower = text.toLowerCase();
  return {
    kind: 'name',
    keys: named.flatMap(name => {
      const key = readKey(name, text);
      return key === null ? [] : [{ class: name, key: key.key }];
    }),
    lookup: lower,
    words: lower.split(' ').filter(word => word !== ''),
    nearly: nearlyNumbers(text),
  };
}

/** Returns what is wrong with text that looks like addresses or AS numbers but isn't valid; null for a name. */
function nearlyNumbers(text: string): string | null {
  const ends = text.split(/\s*-\s*/);
  if (ends.every(end => /^as\d+$/i.test(end))) return faultOf(() => parseAsRange(text));
  return ends.every(end => /^[\d.]*\.[\d.]*(?:\/\d+)?$|^\d{1,3}\/\d+$|^[\da-f.:]*:[\da-f.:]*(?:\/\d+)?$/i.test(end))
    ? faultOf(() => parseRange(text))
    : null;
}

function faultOf(parse: () => unknown): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return error.message;
  }
}

function readAsNumber(text: string): number | null {
  try {
    return parseAsNumber(text);
  } catch {
    return null;
  }
}

/** The parts of an IPv4 prefix with trailing zeros omitted, as RPSL and router configurations write it. */
const shortPrefix = /^(\d{1,3}(?:\.\d{1,3}){0,2})\.?\/(\d{1,2})$/;

function readRange(given: string): AddressRange | null {
  const [, parts, bits] = shortPrefix.exec(given) ?? [];
  const text = parts === undefined ? given : `${parts}${'.0'.repeat(4 - parts.split('.').length)}/${bits}`;
  if (!/^[\da-f]*[.:]/i.test(text)) return null;
  try {
    return parseRange(text);
  } catch {
    // 192.0.2.1/24 stands for its prefix.
    const prefix = /^([\d.]+|[\da-f:.]+)\/(\d{1,3})$/i.exec(text);
    if (!prefix) return null;
    try {
      const { family, first } = parseRange(prefix[1]!);
      const bits = family === 'ipv4' ? 32 : 128;
      const length = Number(prefix[2]);
      if (length > bits) return null;
      const size = 1n << BigInt(bits - length);
      const start = first - (first % size);
      return { family, first: start, last: start + size - 1n };
    } catch {
      return null;
    }
  }
}
