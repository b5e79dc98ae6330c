import { printAddress } from '@portal/number-resources';
import { classes, readInverseValue } from '@portal/rpsl';
import { breathing, filteredInTurns } from '../../../platform/breathing.ts';
import {
  foreignAround,
  foreignInside,
  foreignInverse,
  foreignKeys,
  type ForeignFound,
  type ForeignSource,
  foreignSourceFacts,
  readForeign,
  wayInWords,
} from '../../foreign-sources/index.ts';
import { isValid, textOf } from './object-text.ts';
import type { QueryKey } from './query-key.ts';
import type { QueryLine } from './query-line.ts';
import type { AnswerPart, QueryPlace } from './query-place.ts';
import { problems } from './query-problem.ts';
import { originRemark } from './route-origins.ts';

/** Characters after which a part of an answer is sent. */
const PART = 65_536;
/** More addresses than these aren’t looked inside of. */
const LARGEST = { ipv4: 2n ** 24n, ipv6: 2n ** 112n };

/** The sources that are asked where none are named: ours, and those that the operator added to it. */
export const sourcesWithout = ({ source, foreign = [] }: Pick<QueryPlace, 'source' | 'foreign'>): string[] => [
  source,
  ...foreign.flatMap(({ name, isDefault }) => (isDefault ? name : [])),
];

/** The sources that a query asks, in the order in which they answer. */
export function sourcesOf(
  place: Pick<QueryPlace, 'source' | 'foreign'>,
  { sources, flags }: Pick<QueryLine, 'sources' | 'flags'>,
): readonly string[] {
  if (sources === 'all') return [place.source, ...(place.foreign ?? []).map(({ name }) => name)];
  if (sources !== null) return sources;
  return flags.has('resource') ? [place.source] : sourcesWithout(place);
}

/** The lines of `-q sources` about sources of other registries: the serial that each goes up to, and what it is. */
export const listForeign = (sources: readonly ForeignSource[]): string =>
  sources
    .map(({ name, way, objects, serial, asOf }) =>
      asOf === null
        ? `${name}:3:N:0-0\n% ${name} is another registry’s, and is not loaded yet\n`
        : `${name}:3:N:0-${serial}\n% ${name} is another registry’s, mirrored by ${wayInWords[way]}: ${objects} objects as of ${asOf}\n`,
    )
    .join('');

/** Finds the objects of a source that a query asks for. */
async function findForeign(place: QueryPlace, query: QueryLine, key: QueryKey, source: string): Promise<ForeignFound[]> {
  const { read } = place.db;
  const { flags, types } = query;
  const isAsked = ({ class: name }: { class: string }): boolean => types === null || types.some(type => type === name);
  if (flags.has('inverse')) {
    const values = query.inverse.flatMap(attribute => readInverseValue(attribute, query.key) ?? []);
    return (await foreignInverse(read, source, query.inverse, [...new Set(values)])).filter(isAsked);
  }
  if (key.kind === 'as-block') return [];
  if (key.kind !== 'addresses') return foreignKeys(read, source, key.keys.filter(isAsked));
  const { range } = key;
  const mayBeRoute = isAsked({ class: 'route' }) || isAsked({ class: 'route6' });
  if (flags.has('oneMore') || flags.has('allMore')) {
    if (range.last - range.first >= LARGEST[range.family]) throw problems.hugeRange('an IPv4 /8 or an IPv6 /16');
    return mayBeRoute ? foreignInside(read, source, range, { topOnly: flags.has('oneMore'), most: place.most }) : [];
  }
  const level = flags.has('exact') ? 'exact' : flags.has('oneLess') ? 'one-less' : flags.has('allLess') ? 'all-less' : 'nearest';
  const [routes, routers] = await Promise.all([
    mayBeRoute ? foreignAround(read, source, range, level) : [],
    range.first === range.last && isAsked({ class: 'inet-rtr' })
      ? foreignInverse(read, source, ['ifaddr'], [printAddress({ family: range.family, value: range.first })])
      : [],
  ]);
  return [...routes.filter(isAsked), ...routers];
}

/**
 * Answers a query from a source of another registry, after a remark that says whose the objects are. They have no contacts here, and count for nothing.
 * @throws QueryProblem where nothing is found
 */
export async function* foreignBlocks(place: QueryPlace, query: QueryLine, key: QueryKey, source: string): AsyncGenerator<AnswerPart> {
  const { flags } = query;
  const found = await findForeign(place, query, key, source);
  if (found.length === 0) throw problems.notFound(source);
  if (!flags.has('noGrouping')) found.sort((a, b) => classes[a.class].order - classes[b.class].order);
  const style = { brief: flags.has('brief'), keysOnly: flags.has('primaryKeys'), filtering: false };
  const isPlain = style.brief || style.keysOnly;
  const breathe = breathing();
  let text = '';
  let isShown = false;
  for (let at = 0; at < found.length; ) {
    const part = await readForeign(place.db.read, found.slice(at));
    at += part.taken;
    let objects = part.objects.map(object => ({ ...object, isPublic: true as const }));
    if (flags.has('validSyntax')) objects = await filteredInTurns(objects, isValid, breathe);
    if (flags.has('noValidSyntax')) objects = await filteredInTurns(objects, object => !isValid(object), breathe);
    if (!isShown && objects.length > 0 && !isPlain) text += await remarkOn(place, source);
    isShown ||= objects.length > 0;
    for (const object of objects) {
      const own = textOf(object, style);
      text += isPlain ? `${own}\n` : `% Information related to '${object.shown}'\n\n${originRemark(place, object)}${own}\n`;
      if (text.length >= PART) {
        yield { text, personal: 0 };
        text = '';
      }
      await breathe();
    }
  }
  if (!isShown) throw problems.notFound(source);
  if (text !== '') yield { text, personal: 0 };
}

/** Says whose the objects are, and of when. */
async function remarkOn({ db, source: own }: QueryPlace, source: string): Promise<string> {
  const [facts] = await foreignSourceFacts(db.read, [source]);
  return `% Objects of ${source}, another registry, mirrored as of ${facts?.asOf ?? 'now'} without contacts and remarks. ${own} doesn’t vouch for them.\n\n`;
}
