import { type ClassName, findAttribute, findClass, type AttributeName, classes } from '@portal/rpsl';
import { exclusions, findLongFlag, findShortFlag, type FlagName, levelFlags, type QueryFlag, queryFlags } from './query-flags.ts';
import { problems, type QueryProblem } from './query-problem.ts';

/** A parsed query. */
export type QueryLine = {
  flags: ReadonlySet<FlagName>;
  arguments: Readonly<Partial<Record<FlagName, string>>>;
  /** The words that aren't flags, separated by spaces. */
  key: string;
  /** Sources of -s in their order, as they are known; `all` for -a, null where none are named. */
  sources: readonly string[] | 'all' | null;
  /** Classes of -T; null for all. */
  types: readonly ClassName[] | null;
  /** Attributes of -i, with groups such as `person` expanded. */
  inverse: readonly AttributeName[];
  client: { tag: string; address: string | null } | null;
  encoding: 'utf8' | 'latin1' | 'ascii';
  warnings: readonly QueryProblem[];
};

const MAX_WORDS = 60;
/** Group names of -i, each for several attributes. */
const inverseGroups: Readonly<Record<string, readonly AttributeName[]>> = {
  person: ['admin-c', 'tech-c', 'zone-c', 'abuse-c'],
  pn: ['admin-c', 'tech-c', 'zone-c', 'abuse-c'],
};
const inverseAttributes: ReadonlySet<string> = new Set(
  Object.values(classes).flatMap(({ template }) => template.flatMap(row => (row.key.includes('inverse') ? [row.attribute] : []))),
);
const encodings: Readonly<Record<string, QueryLine['encoding']>> = {
  'utf-8': 'utf8',
  utf8: 'utf8',
  'latin-1': 'latin1',
  latin1: 'latin1',
  'iso-8859-1': 'latin1',
  'us-ascii': 'ascii',
  ascii: 'ascii',
};

const spelt = (name: FlagName): string => {
  const { short, long }: QueryFlag = queryFlags[name];
  return short[0] === undefined ? `--${long[0]}` : `-${short[0]}`;
};

/**
 * Reads a query: flags (joined, before or after the key, long names in any case) and the key.
 * @throws QueryProblem with what is wrong: unknown or repeated flags, a missing argument, an unknown class, attribute or source, no key.
 */
export function readQueryLine(
  line: string,
  { source, foreign = [] }: { source: string; foreign?: readonly { name: string }[] | undefined },
): QueryLine {
  const words = line.split(/[\s\0]+/).filter(word => word !== '');
  if (words.length > MAX_WORDS) throw problems.tooManyWords(MAX_WORDS);
  const flags = new Set<FlagName>();
  const given: Partial<Record<FlagName, string>> = {};
  const key: string[] = [];
  const take = (name: FlagName, argument: string | undefined): void => {
    // Some clients send -k twice; lists may be given in parts.
    if (flags.has(name) && name !== 'persistent' && name !== 'types' && name !== 'inverse') throw problems.repeatedFlag(spelt(name));
    flags.add(name);
    if (argument === undefined) return;
    const before = given[name];
    given[name] = before === undefined ? argument : `${before},${argument}`;
  };
  const argumentOf = (name: FlagName, rest: string): string => {
    const argument = rest === '' ? words.shift() : rest;
    if (argument === undefined) throw problems.invalidOption(spelt(name), `needs ${(queryFlags[name] as QueryFlag).argument}`);
    return argument;
  };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (/^--[a-z]/i.test(word)) {
      const [, long = '', value] = /^--([^=]*)(?:=(.*))?$/.exec(word) ?? [];
      const name = findLongFlag(long);
      if (!name) throw problems.invalidOption(word, 'is no flag');
      const takes = (queryFlags[name] as QueryFlag).argument !== undefined;
      if (!takes && value !== undefined) throw problems.invalidOption(word, 'takes nothing');
      take(name, takes ? argumentOf(name, value ?? '') : undefined);
    } else if (/^-[a-z]/i.test(word)) {
      for (let at = 1; at < word.length; at++) {
        const name = findShortFlag(word[at]!);
        if (!name) throw problems.invalidOption(`-${word[at]}`, 'is no flag');
        if ((queryFlags[name] as QueryFlag).argument === undefined) take(name, undefined);
        else {
          take(name, argumentOf(name, word.slice(at + 1)));
          break;
        }
      }
    } else key.push(word);
  }

  for (const [one, other] of exclusions) if (flags.has(one) && flags.has(other)) throw problems.excludeEachOther(spelt(one), spelt(other));
  const levels = levelFlags.filter(name => flags.has(name));
  if (levels.length > 1) throw problems.twoIpFlags();
  const known = new Map([source, ...foreign.map(({ name }) => name)].map(name => [name.toUpperCase(), name]));
  const sources = list(given.sources).map(name => {
    const found = known.get(name.toUpperCase());
    if (found === undefined) throw problems.unknownSource(name, [...known.values()]);
    return found;
  });
  if (flags.has('sources') && sources.length === 0) throw problems.invalidOption('-s', 'needs SOURCES');
  const types = flags.has('types') ? list(given.types).map(classNamed) : null;
  const inverse = list(given.inverse).flatMap(inverseNamed);
  if (flags.has('inverse') && inverse.length === 0) throw problems.invalidOption('-i', 'needs ATTRIBUTES');
  if (types?.length === 0) throw problems.invalidOption('-T', 'needs CLASSES');
  const encoding = given.charset === undefined ? 'utf8' : encodings[given.charset.toLowerCase()];
  if (encoding === undefined) throw problems.invalidOption(`-Z ${given.charset}`, 'is none of utf-8, latin-1 and us-ascii');
  const [tag = '', address = null] = given.client?.split(',', 2) ?? [];
  return {
    flags,
    arguments: given,
    key: key.join(' '),
    sources: flags.has('allSources') ? 'all' : flags.has('sources') ? [...new Set(sources)] : null,
    types,
    inverse,
    client: given.client === undefined ? null : { tag, address },
    encoding,
    warnings: [],
  };
}

const list = (text: string | undefined): string[] => (text ?? '').split(',').filter(part => part !== '');

function classNamed(name: string): ClassName {
  const found = findClass(name);
  if (!found) throw problems.unknownClass(name);
  return found.name;
}

function inverseNamed(name: string): readonly AttributeName[] {
  const group = inverseGroups[name.toLowerCase()];
  if (group) return group;
  const attribute = findAttribute(name);
  if (!attribute) throw problems.unknownAttribute(name);
  if (!inverseAttributes.has(attribute)) throw problems.notInverse(name);
  return [attribute];
}
