import { type Prefix, prefixAt, readResource, ResourceSyntaxError } from '@portal/number-resources';

/** Result of strictly parsing an entered prefix, with an error and suggestion if it fails. */
export type PrefixReading =
  | { prefix: Prefix; problem?: undefined; suggestion?: undefined }
  | { prefix: null; problem: string; suggestion: string | null };

/** Reads a prefix or single address of one family. */
export function readPrefix(text: string, family: 'ipv4' | 'ipv6' | null, example: string): PrefixReading {
  const wrong = (problem: string, suggestion: string | null = null): PrefixReading => ({ prefix: null, problem, suggestion });
  if (text.trim() === '') return wrong(`Enter a prefix, such as ${example}`);
  try {
    const found = readResource(text);
    if (found.family === 'asn') return wrong(`Enter a prefix, such as ${example}`);
    if (family !== null && found.family !== family)
      return wrong(`Enter an ${family === 'ipv6' ? 'IPv6' : 'IPv4'} prefix, such as ${example}`);
    for (let length = found.family === 'ipv6' ? 128 : 32; length >= 0; length--) {
      const prefix = prefixAt(found.family, found.first, length);
      if (prefix.first !== found.first || prefix.last > found.last) break;
      if (prefix.last === found.last) return { prefix };
    }
    return wrong('This range is no single prefix. Enter a prefix', null);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    // The probable meaning is offered separately, as a link.
    return wrong(error.reason, error.suggestion ?? null);
  }
}

/** A number as it was entered, and its value; null if invalid or out of bounds. */
export type NumberReading = { text: string; value: number | null };

/** Reads a whole number from an address, with or without the slash of a prefix length; otherwise the fallback. */
export function readNumber(
  text: string | null,
  { fallback, least, most }: { fallback: number; least: number; most: number },
): NumberReading {
  const written = text ?? String(fallback);
  const plain = written.trim().replace(/^\//, '');
  const value = /^\d{1,6}$/.test(plain) ? Number(plain) : Number.NaN;
  return { text: written, value: value >= least && value <= most ? value : null };
}
