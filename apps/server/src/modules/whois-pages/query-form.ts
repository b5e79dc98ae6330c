import { isClassName } from '@portal/rpsl';
import { LONGEST } from './asked.ts';

/** Which ranges a question is about, by their flags of port 43. */
export const levels = [
  { flag: '', word: 'Usual' },
  { flag: '-x', word: 'Exact' },
  { flag: '-l', word: 'One up' },
  { flag: '-L', word: 'All above' },
  { flag: '-m', word: 'One down' },
  { flag: '-M', word: 'All below' },
] as const;

/** Choices that are on or off, by their names in addresses. */
export const choices = [
  { name: 'brief', flag: '-r', word: 'Without contacts' },
  { name: 'keys', flag: '-K', word: 'Keys only' },
  { name: 'reverse', flag: '-d', word: 'Reverse zones too' },
  { name: 'versions', flag: '--list-versions', word: 'Versions of the object' },
] as const;

/** A question with flags, as the form and its address have it. */
export type Query = { key: string; flags: string[]; level: string; types: string[]; sources: string; chosen: ReadonlySet<string> };
export type WrongQuery = { wrong: { why: string; right: string } };

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Reads the fields of the form; null where nothing was asked. Only the flags of the form can be given: others are for port 43. @param sources that can be asked here */
export function readQuery(fields: Readonly<Record<string, unknown>>, sources: readonly string[] = []): Query | WrongQuery | null {
  const key = asText(fields['key']).replace(/\s+/g, ' ');
  if (key === '') return null;
  if (key.length > LONGEST) return { wrong: { why: `That is longer than ${LONGEST} characters.`, right: 'Ask for one thing at a time.' } };
  if (/(?:^|\s)-/.test(key.replaceAll(' - ', ' ')))
    return { wrong: { why: 'The key has a flag in it.', right: 'Choose flags in the form; port 43 takes all of them.' } };
  const level = asText(fields['level']);
  if (!levels.some(({ flag }) => flag === level))
    return { wrong: { why: `“${level}” is no level.`, right: `Choose one of ${levels.map(({ flag }) => flag || 'none').join(', ')}.` } };
  const types = asText(fields['types'])
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(type => type !== '');
  const unknown = types.find(type => !isClassName(type));
  if (unknown !== undefined)
    return {
      wrong: { why: `“${unknown}” is no object type.`, right: 'Write types such as inetnum, route, aut-num, separated by commas.' },
    };
  const named = asText(fields['sources'])
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(name => name !== '');
  const unkept = named.find(name => name !== 'ALL' && !sources.some(source => source.toUpperCase() === name));
  if (unkept !== undefined)
    return {
      wrong: {
        why: `Objects of the source “${unkept.slice(0, 40)}” aren’t kept here.`,
        right:
          sources.length > 1 ? `Write some of ${sources.join(', ')}, separated by commas, or all.` : `There is ${sources.join('')} only.`,
      },
    };
  const chosen = choices.filter(({ name }) => asText(fields[name]) !== '');
  const flags = [
    ...(level === '' ? [] : [level]),
    ...(named.includes('ALL') ? ['-a'] : named.length === 0 ? [] : [`-s ${named.join(',')}`]),
    ...(types.length === 0 ? [] : [`-T ${types.join(',')}`]),
    ...chosen.map(({ flag }) => flag),
  ];
  return {
    key,
    flags,
    level,
    types,
    sources: named.includes('ALL') ? 'all' : named.join(', '),
    chosen: new Set(chosen.map(({ name }) => name)),
  };
}

/** The line that port 43 takes. */
export const lineOf = ({ flags, key }: Pick<Query, 'flags' | 'key'>): string => [...flags, key].join(' ');

/** Returns the command of a question for a shell, piece by piece, each with what it does. @param host of port 43 */
export function piecesOf({ flags, key }: Pick<Query, 'flags' | 'key'>, host: string): { text: string; does: string }[] {
  const parts = [...flags.map(flag => ({ text: flag, does: doesOf(flag) })), { text: key, does: 'asked for' }];
  parts[0]!.text = `'${parts[0]!.text}`;
  parts.at(-1)!.text += "'";
  return [{ text: 'whois', does: 'client' }, { text: `-h ${host}`, does: 'this registry' }, { text: '--', does: 'query' }, ...parts];
}

/** Says what a flag does, in a word or two. */
export function doesOf(flag: string): string {
  if (flag.startsWith('-T ')) return 'types';
  if (flag === '-a' || flag.startsWith('-s ')) return 'sources';
  if (flag === '-r') return 'no contacts';
  return [...levels, ...choices].find(each => each.flag === flag)!.word.toLowerCase();
}
