import { quote } from '../problem.ts';
import { readAsNumber } from './as-numbers.ts';
import { isWrong, right, type Syntax, type SyntaxReading, wrong } from './reading.ts';

/** The kinds of sets, by what their names begin with (RFC 2622 sections 5 and 9). */
export const setPrefixes = {
  'as-set': 'AS-',
  'route-set': 'RS-',
  'filter-set': 'FLTR-',
  'peering-set': 'PRNG-',
  'rtr-set': 'RTRS-',
} as const;

export type SetKind = keyof typeof setPrefixes;

const part = /^[a-z](?:[a-z0-9_-]{0,78}[a-z0-9])$/i;

/** A set's name of this kind, plain or hierarchical: `AS-EXAMPLE`, `AS64500:AS-CUSTOMERS`. Not AS-ANY or RS-ANY, which are words of the language. */
export function readSetName(kind: SetKind, value: string): SyntaxReading {
  const prefix = setPrefixes[kind];
  const example = `${prefix}EXAMPLE`;
  if (value.length > 255) return wrong('name-too-long', `This name has ${value.length} characters, the longest may have 255`);
  let hasSet = false;
  for (const name of value.split(':')) {
    if (/^as\d/i.test(name)) {
      const number = readAsNumber(name, nowhere);
      if (isWrong(number)) return number;
      continue;
    }
    if (!name.toUpperCase().startsWith(prefix))
      return wrong(
        'not-a-set-name',
        `${quote(name === '' ? value : name)} isn’t the name of ${an(kind)}. It starts with ${prefix}, such as ${example} or AS64500:${example}`,
      );
    if (!part.test(name) || name.length <= prefix.length)
      return wrong(
        'not-a-set-name',
        `${quote(name)} isn’t a name: ${prefix} is followed by letters, digits, _ and -, and a letter or digit at the end`,
      );
    if (/^(as|rs)-any$/i.test(name))
      return wrong('reserved-name', `${name.toUpperCase()} is a word of the policy language. Choose another name`);
    hasSet = true;
  }
  return hasSet
    ? right(value)
    : wrong('not-a-set-name', `${quote(value)} names no set; at least one part starts with ${prefix}, such as AS64500:${example}`);
}

/** True for a text that is such a name. */
export function isSetName(kind: SetKind, value: string): boolean {
  return !isWrong(readSetName(kind, value));
}

export function setNameSyntax(kind: SetKind): Syntax {
  return value => readSetName(kind, value);
}

const nowhere = { class: '', attributes: [] };

function an(kind: SetKind): string {
  return kind === 'as-set' ? 'an as-set' : `a ${kind}`;
}
