import { parsePrefix, validateOrigin, type VrpIndex } from '@portal/number-resources';
import { breathing, joinedInTurns } from '../../../platform/breathing.ts';
import { WideSet } from '../../../platform/wide-set.ts';
import { foreignMembers, foreignRoutesOf } from '../../foreign-sources/index.ts';
import { type Members, ownMembers, prefixesOfOrigin, type ReadMembers } from './irr-sets.ts';
import type { QueryPlace } from './query-place.ts';
import { isInvalid } from './route-origins.ts';
import { validPrefixes, withoutInvalid } from './valid-prefixes.ts';

/** The sources that a command asks, in their order, and the VRPs that routes are compared with; null without a filter. */
export type Looked = { place: Pick<QueryPlace, 'db' | 'source' | 'foreign'>; sources: readonly string[]; index: VrpIndex | null };

/** The names of all sources here, ours first. */
export const knownSources = ({ source, foreign = [] }: Looked['place']): string[] => [source, ...foreign.map(({ name }) => name)];

/** Returns the source of this name, as it is spelled here. */
export const sourceNamed = (place: Looked['place'], name: string): string | undefined =>
  knownSources(place).find(each => each.toUpperCase() === name.trim().toUpperCase());

const membersIn = ({ db, source }: Looked['place'], asked: string, names: readonly string[]): Promise<Members[]> =>
  asked === source ? ownMembers(db)(names) : foreignMembers(db.read, asked, names);

/** Reads each set from the first of the sources that has it; one with its source before the name (`RADB::AS-EXAMPLE`) from that one alone. */
export const membersOfSources =
  ({ place, sources }: Looked): ReadMembers =>
  async names => {
    const found: Members[] = [];
    const named = names.filter(name => name.includes('::'));
    if (sources.length === 1 && named.length === 0) return membersIn(place, sources[0]!, names);
    let open = named.length === 0 ? names : names.filter(name => !name.includes('::'));
    for (const source of sources) {
      if (open.length === 0) break;
      const rows = await membersIn(place, source, open);
      found.push(...rows);
      const there = new Set(rows.map(({ key }) => key));
      open = open.filter(name => !there.has(name));
    }
    for (const name of named) {
      const [prefix = '', key = ''] = name.split('::', 2);
      const source = sourceNamed(place, prefix);
      if (source !== undefined) found.push(...(await membersIn(place, source, [key])).map(row => ({ ...row, key: name })));
    }
    return found;
  };

/** Prefixes of a source of another registry that the AS numbers originate, each once. */
async function foreignPrefixes(
  { place, index }: Looked,
  source: string,
  classNames: readonly ('route' | 'route6')[],
  origins: readonly number[],
): Promise<string> {
  const lines = await foreignRoutesOf(place.db.read, source, classNames, origins);
  const breathe = breathing();
  const all = new Set<string>();
  for (let at = 0; at < lines.length; ) {
    const newline = lines.indexOf('\n', at);
    const end = newline < 0 ? lines.length : newline;
    const [prefix = '', origin] = lines.slice(at, end).split(' ');
    if (index === null || !isInvalid(validateOrigin(index, parsePrefix(prefix), Number(origin)))) all.add(prefix);
    at = end + 1;
    await breathe();
  }
  return (await joinedInTurns(all, ' ', prefix => prefix, breathe)).join('');
}

async function ownPrefixes(
  { place: { db }, index }: Looked,
  classNames: readonly ('route' | 'route6')[],
  origins: readonly number[],
): Promise<string> {
  const [objectClass] = classNames;
  const [origin] = origins;
  // The most frequent question; those of many connections are one statement.
  if (classNames.length === 1 && objectClass && origins.length === 1 && origin !== undefined)
    return withoutInvalid(index, await prefixesOfOrigin(db, { class: objectClass, origin }), origin);
  return validPrefixes({ db, index }, classNames, origins);
}

/** Prefixes that the AS numbers originate in the sources, each once, separated by blanks. */
export async function prefixesOfSources(
  looked: Looked,
  classNames: readonly ('route' | 'route6')[],
  origins: readonly number[],
): Promise<string> {
  const texts: string[] = [];
  for (const source of looked.sources) {
    const text =
      source === looked.place.source
        ? await ownPrefixes(looked, classNames, origins)
        : await foreignPrefixes(looked, source, classNames, origins);
    if (text !== '') texts.push(text);
  }
  if (texts.length < 2) return texts[0] ?? '';
  const breathe = breathing();
  const all = new WideSet();
  for (const text of texts)
    for (const prefix of text.split(' ')) {
      all.add(prefix);
      await breathe();
    }
  return (await joinedInTurns(all, ' ', prefix => prefix, breathe)).join('');
}
