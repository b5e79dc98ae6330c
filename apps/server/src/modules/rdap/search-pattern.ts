import { RdapRefusal } from './refusal.ts';

/** A search pattern: text with stars for any number of characters, case-insensitive (RFC 9082, section 4.1). */
export type SearchPattern = {
  /** The query in lower case. */
  text: string;
  matches(value: string): boolean;
  /** The same for LIKE, on text in lower case. */
  like: string;
};

/**
 * Reads a pattern.
 * @throws {RdapRefusal} 400 when it is too long; 422 for a pattern that is not served (RFC 9082, section 4.1): more than four stars, or fewer than two
 *   other characters.
 */
export function readPattern(asked: string): SearchPattern {
  const text = asked.trim().toLowerCase();
  if (text.length > 200) throw new RdapRefusal(400, 'A search pattern has at most 200 characters.');
  const parts = text.split('*');
  if (parts.length > 5) throw new RdapRefusal(422, 'A search pattern has at most four stars.');
  if (parts.join('').length < 2) throw new RdapRefusal(422, 'A search pattern needs at least two characters besides the star.');
  return { text, matches: value => matchesParts(value.toLowerCase(), parts), like: parts.map(escaped).join('%') };
}

/** Linear time: the first part at the start, the last at the end, each other one at its next occurrence. */
function matchesParts(value: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** A LIKE pattern for everything that begins so. */
export const beginsWith = (text: string): string => `${escaped(text)}%`;
