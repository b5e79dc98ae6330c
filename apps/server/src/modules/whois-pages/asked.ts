import {
  type NumberResource,
  printAddress,
  printPrefix,
  printRange,
  printAsNumber,
  printAsRange,
  prefixOfRange,
} from '@portal/number-resources';
import { readQueryKey } from '../whois/index.ts';

/** The longest question; names of objects are shorter. */
export const LONGEST = 255;

/** A question: numbers, a name of anything else, or nothing that can be answered. */
export type Asked =
  | { kind: 'numbers'; key: string; resource: NumberResource }
  | { kind: 'name'; key: string }
  | { kind: 'wrong'; why: string; right: string };

/** Reads what a person typed or an address names, as port 43 reads the key of a query. `key` is how permanent addresses spell it. */
export function readAsked(text: string): Asked {
  const asked = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\s*[–—]\s*/g, ' - ');
  if (asked === '')
    return { kind: 'wrong', why: 'Nothing was asked.', right: 'Write an address, a prefix, an AS number, a domain or a name.' };
  if (asked.length > LONGEST)
    return { kind: 'wrong', why: `That is longer than ${LONGEST} characters.`, right: 'Ask for one thing at a time.' };
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(asked))
    return { kind: 'wrong', why: 'No object has this name.', right: 'Write an address, a prefix, an AS number, a domain or a name.' };
  if (/(?:^|\s)--?[a-z]/i.test(asked))
    return {
      kind: 'wrong',
      why: 'Flags such as -M are for port 43.',
      right: 'Ask here without them: what lies above and below is on the page of each prefix.',
    };
  const key = readQueryKey(asked);
  switch (key.kind) {
    case 'addresses':
      return { kind: 'numbers', key: spelled(key.range), resource: key.range };
    case 'as':
      return { kind: 'numbers', key: printAsNumber(key.number), resource: { family: 'asn', first: key.number, last: key.number } };
    case 'as-block':
      return {
        kind: 'numbers',
        key: printAsRange({ family: 'asn', first: key.first, last: key.last }),
        resource: { family: 'asn', first: key.first, last: key.last },
      };
    case 'name': {
      const large =
        /^\d+(?:\.\d+){3}(?:\/\d+)?$/.test(asked) &&
        asked
          .split('/')[0]!
          .split('.')
          .find(part => Number(part) > 255);
      if (large)
        return { kind: 'wrong', why: `${large} is too large.`, right: 'Each part of an IPv4 address is 0 to 255, such as 203.0.113.30.' };
      return key.nearly === null
        ? { kind: 'name', key: asked }
        : {
            kind: 'wrong',
            why: `“${asked}” looks like numbers, and isn’t: ${key.nearly}.`,
            right: 'Write 198.18.0.0/19, 2001:db8::/32 or AS64500.',
          };
    }
  }
}

/** One address without its length, whole prefixes with it, everything else by its ends. */
function spelled(range: Exclude<NumberResource, { family: 'asn' }>): string {
  if (range.first === range.last) return printAddress({ family: range.family, value: range.first });
  const prefix = prefixOfRange(range);
  return prefix ? printPrefix(prefix) : printRange(range);
}
