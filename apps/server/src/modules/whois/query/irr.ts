import { SECOND_MS } from '@portal/contract/days';
import { type AddressRange, parseRange, type VrpIndex } from '@portal/number-resources';
import { findClass, isPersonal, readKey } from '@portal/rpsl';
import { breathing, filteredInTurns, joinedInTurns } from '../../../platform/breathing.ts';
import type { Peer, Reply } from '../../../platform/line-server.ts';
import {
  foreignAround,
  type ForeignFound,
  foreignInside,
  foreignInverse,
  foreignKeys,
  type ForeignSource,
  foreignSourceFacts,
  readForeign,
  wayInWords,
} from '../../foreign-sources/index.ts';
import type { Level } from './copy/object-copy.ts';
import { findAround, findInside, findInverse, findKeys, type Found } from './find-objects.ts';
import { expandSet, listMembers, operatorsIn, rangedPrefix, withoutSource } from './irr-sets.ts';
import { knownSources, type Looked, membersOfSources, prefixesOfSources, sourceNamed } from './irr-sources.ts';
import { textOf } from './object-text.ts';
import type { PersonalLimit } from './personal-limit.ts';
import type { QueryPlace } from './query-place.ts';
import { type Block, readBlocks } from './read-blocks.ts';
import { isInvalid, validityOfRoute } from './route-origins.ts';
import { readSerials } from './serials.ts';

/** State of a connection, changed by commands for later ones. */
export type IrrSession = {
  keepOpen: boolean;
  persistent: boolean;
  /** The sources that commands ask, in the order in which they are preferred. */
  sources: readonly string[];
  without: ReadonlySet<string>;
  /** Routes that ROAs contradict are left out. */
  rpkiFilter: boolean;
};
export type IrrPlace = QueryPlace & { limit: PersonalLimit };

/** A refused command, with its answer. */
class Refused extends Error {}

const style = { brief: false, keysOnly: false, filtering: false };
/** Maximum number of seconds for `!t`. */
const LONGEST_IDLE = 1000;
/** Maximum number of objects in an answer, and of characters after which no more are added: the protocol has its length before it. */
const MAX_OBJECTS = 5_000;
const MAX_CHARACTERS = 2_000_000;

/** A text as it is, or in the pieces that it was written in. */
type Text = string | readonly string[];
/** Characters up to which an answer is one piece. */
const SHORT = 32_768;

type Framed = string | AsyncIterable<string>;

const data = (text: string): Framed => (text === '' ? 'D\n' : framed([text], Buffer.byteLength(text)));

/** Frames the data of an answer, whose length is written before them. */
async function longData(text: Text): Promise<Framed> {
  if (typeof text === 'string') return data(text);
  const breathe = breathing();
  let bytes = 0;
  for (const piece of text) {
    bytes += Buffer.byteLength(piece);
    await breathe();
  }
  return bytes === 0 ? 'D\n' : framed(text, bytes);
}

function framed(pieces: readonly string[], bytes: number): Framed {
  const all = [`A${bytes + 1}\n`, ...pieces, '\nC\n'];
  return bytes > SHORT ? oneByOne(all) : all.join('');
}

async function* oneByOne(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

/**
 * Answers a line of the IRRd protocol, `!` included: `A` with length and data, `C` done, `D` not found, `F` refused.
 * Changes of the session apply from the next line on.
 */
export function answerIrr(place: IrrPlace, session: IrrSession, peer: Peer, line: string): Reply {
  const command = line.charAt(1);
  const rest = line.slice(2).trim();
  if (command === '!') {
    session.keepOpen = true;
    return { answer: '', close: false };
  }
  if (command.toLowerCase() === 'q') return { answer: '', close: true };
  const close = !session.keepOpen && !session.persistent;
  try {
    const answer = run(place, session, peer, { command, rest });
    return { answer: answer instanceof Promise ? answer.catch(refusal) : answer, close };
  } catch (error) {
    return { answer: refusal(error), close };
  }
}

function refusal(error: unknown): string {
  if (error instanceof Refused) return printRefusal(error.message);
  throw error;
}

/** The answer to a command that is refused. */
export const printRefusal = (why: string): string => `F ${why}\n`;

/** A command as it was asked: what follows its letter, in a session at a place. */
type Asked = {
  place: IrrPlace;
  session: IrrSession;
  peer: Peer;
  rest: string;
  /** ROAs that routes are judged by; null without a filter. */
  index: VrpIndex | null;
};

function run(
  place: IrrPlace,
  session: IrrSession,
  peer: Peer,
  { command, rest }: { command: string; rest: string },
): Framed | Promise<Framed> {
  const known = commands.get(command) ?? commands.get(command.toLowerCase());
  if (!known) throw new Refused(`Unrecognised command: ${/^[\x21-\x7e]$/.test(command) ? command : '?'}`);
  const index = session.rpkiFilter ? (place.origins?.() ?? null) : null;
  return known({ place, session, peer, rest, index });
}

type Command = (asked: Asked) => Framed | Promise<Framed>;

/** The commands by their letter. Those of J differ by case. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['J', ({ place, session, rest }) => status(place, session, rest).then(data)],
  ['j', ({ place, session, rest }) => serials(place, session, rest).then(data)],
  ['n', () => 'C\n'],
  ['f', disableFilter],
  ['t', setTimeLimit],
  ['v', ({ place }) => data(`${place.host} ${place.release}`)],
  ['s', selectSources],
  ['e', excludeSets],
  ['i', membersOfSet],
  ['a', prefixesOfSet],
  ['g', asked => routesOf(asked, 'route')],
  ['6', asked => routesOf(asked, 'route6')],
  ['r', asked => routes(lookedOf(asked), asked.rest).then(longData)],
  ['m', objectByKey],
  ['o', objectsOfMaintainer],
]);

function disableFilter({ session, rest }: Asked): Framed {
  if (rest.toLowerCase() !== 'no-rpki-filter') throw new Refused(`Invalid filter: "${rest.slice(0, 40)}"; there is no-rpki-filter`);
  session.rpkiFilter = false;
  return data('Filtering out RPKI invalids is disabled for the rest of this connection.');
}

function setTimeLimit({ peer, rest }: Asked): string {
  const seconds = /^\d{1,4}$/.test(rest) ? Number(rest) : 0;
  if (seconds < 1 || seconds > LONGEST_IDLE) throw new Refused(`Invalid value for timeout: it is 1 to ${LONGEST_IDLE} seconds`);
  peer.idle = seconds * SECOND_MS;
  return 'C\n';
}

const lookedOf = ({ place, session, index }: Asked): Looked => ({ place, sources: session.sources, index });

function selectSources({ place, session, rest }: Asked): Framed {
  if (rest.toLowerCase() === '-lc') return data(session.sources.join(','));
  const named = rest.split(',').map(name => sourceNamed(place, name));
  const found = named.flatMap(name => name ?? []);
  const known = knownSources(place);
  if (found.length < named.length)
    throw new Refused(`One or more selected sources are unavailable; there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`);
  session.sources = [...new Set(found)];
  return 'C\n';
}

function excludeSets({ session, rest }: Asked): Framed {
  if (rest.toLowerCase() === '-lc') return data([...session.without].join(',').toUpperCase());
  session.without = new Set(
    rest
      .split(',')
      .map(name => withoutSource(name.trim().toLowerCase()))
      .filter(name => name !== ''),
  );
  return 'C\n';
}

function membersOfSet(asked: Asked): Promise<Framed> {
  const { session, rest } = asked;
  const [name = '', depth] = rest.split(',');
  if (name === '') throw new Refused('Missing required set name for I query');
  const { set, looked } = setOf(asked, name);
  const found = depth === undefined ? listMembers(membersOfSources(looked), set) : expand(looked, session.without, set);
  return found.then(async all => longData(all ? await spelt(all.members) : ''));
}

function prefixesOfSet(asked: Asked): Promise<Framed> {
  const { session, rest } = asked;
  const [, family, name = ''] = /^([46](?=\D|$))?(.*)$/s.exec(rest) ?? [];
  if (name === '') throw new Refused('Missing required set name for A query');
  const { set, looked } = setOf(asked, name);
  return prefixes(looked, session.without, set, family).then(longData);
}

function routesOf(asked: Asked, objectClass: 'route' | 'route6'): Promise<Framed> {
  const { rest } = asked;
  const origin = /^as(\d{1,10})$/i.exec(rest)?.[1];
  if (origin === undefined || Number(origin) > 4_294_967_295)
    throw new Refused(`Invalid AS number "${rest.slice(0, 40)}": it is written AS64500`);
  return prefixesOfSources(lookedOf(asked), [objectClass], [Number(origin)]).then(data);
}

async function objectByKey(asked: Asked): Promise<Framed> {
  const { place, session, rest } = asked;
  const [, className = '', key = ''] = /^([^,]*),(.*)$/.exec(rest) ?? [];
  const found = findClass(className.trim());
  if (!found) throw new Refused(`Invalid argument for object lookup: "${rest.slice(0, 80)}"; it is written !mCLASS,KEY`);
  // Old clients write route keys with spaces or a hyphen between prefix and origin.
  const wanted = readKey(found.name, found.name.startsWith('route') && !found.name.endsWith('-set') ? key.replaceAll(/[\s-]/g, '') : key);
  if (!wanted) return 'D\n';
  for (const source of session.sources) {
    const all =
      source === place.source
        ? await findKeys(place.db, { keys: [wanted], lookup: null })
        : await foreignKeys(place.db.read, source, [wanted]);
    const found = await withoutInvalidRoutes(asked.index, all);
    if (found.length > 0) return longData(await objects(asked, [{ source, found }]));
  }
  return 'D\n';
}

async function objectsOfMaintainer(asked: Asked): Promise<Framed> {
  const { place, session, index, rest } = asked;
  if (rest === '') throw new Refused('Missing required maintainer for O query');
  const groups: Group[] = [];
  for (const source of session.sources) {
    const values = [rest.toLowerCase()];
    const all =
      source === place.source
        ? await findInverse(place.db, ['mnt-by'], values)
        : await foreignInverse(place.db.read, source, ['mnt-by'], values);
    groups.push({ source, found: await withoutInvalidRoutes(index, all) });
  }
  return longData(await objects(asked, groups));
}

/** Leaves out routes that ROAs contradict. */
const withoutInvalidRoutes = async <Each extends { key: string }>(
  index: VrpIndex | null,
  all: readonly Each[],
): Promise<readonly Each[]> => (index === null ? all : filteredInTurns(all, each => !isInvalid(validityOfRoute(index, each.key))));

/** A set's name in lower case, and where it is looked for: with `SOURCE::` before it in that source alone, which must be here, or there is no such set. */
function setOf(asked: Asked, text: string): { set: string; looked: Looked } {
  const name = text.trim().toLowerCase();
  const looked = lookedOf(asked);
  const set = withoutSource(name);
  if (set === name) return { set, looked };
  const source = sourceNamed(asked.place, name.slice(0, -set.length - 2));
  return { set, looked: { ...looked, sources: source === undefined ? [] : [source] } };
}

/** AS numbers and names of sets as they are written, prefixes as they are. */
const spelt = (members: readonly string[]): Promise<Text> => joinedInTurns(members, ' ', speltMember);

const speltMember = (member: string): string => (/^[\d.]|^[\da-f]*:[\da-f:]*\//.test(member) ? member : member.toUpperCase());

/** The AS numbers among members: those without range operators, and the operators of the others. */
async function originsOf(members: readonly string[]): Promise<{ plain: number[]; ranged: Map<number, string[]> }> {
  const breathe = breathing();
  const plain: number[] = [];
  const ranged = new Map<number, string[]>();
  for (const member of members) {
    await breathe();
    const [, number, operators] = /^as(\d+)((?:\^[^^]*)*)$/.exec(member) ?? [];
    if (number === undefined) continue;
    if (operators === '') plain.push(Number(number));
    else ranged.set(Number(number), [...(ranged.get(Number(number)) ?? []), operators!]);
  }
  return { plain, ranged };
}

/** Maximum number of prefixes with range operators in an answer; what is beyond is left out. */
const MAX_PREFIXES = 100_000;

/** Prefixes originated by the AS numbers among members, with their range operators. */
async function routedOf(looked: Looked, classNames: readonly ('route' | 'route6')[], members: readonly string[]): Promise<string[]> {
  const { plain, ranged: origins } = await originsOf(members);
  const breathe = breathing();
  const found = plain.length === 0 ? [] : (await prefixesOfSources(looked, classNames, plain)).split(' ');
  for (const [origin, ways] of origins) {
    const chains = ways.map(operatorsIn);
    for (const each of classNames) {
      const text = await prefixesOfSources(looked, [each], [origin]);
      for (const prefix of text === '' ? [] : text.split(' '))
        for (const chain of chains) {
          const ranged = rangedPrefix(prefix, chain);
          if (ranged !== null) found.push(ranged);
          if (found.length >= MAX_PREFIXES) return found.filter(each => each !== '');
          await breathe();
        }
    }
  }
  return found.filter(prefix => prefix !== '');
}

/** The own prefixes of a route-set that pass, and the others, each once, while others have their turn. */
async function together(members: readonly string[], passes: (prefix: string) => boolean, routed: readonly string[]): Promise<string[]> {
  const breathe = breathing();
  const all = new Set<string>();
  for (const member of members) {
    if (!/^as\d/.test(member) && passes(member)) all.add(member);
    await breathe();
  }
  for (const prefix of routed) {
    all.add(prefix);
    await breathe();
  }
  return [...all];
}

async function expand(looked: Looked, without: ReadonlySet<string>, name: string) {
  const all = await expandSet(membersOfSources(looked), name, without);
  if (all?.class !== 'route-set') return all;
  const routed = await routedOf(looked, ['route', 'route6'], all.members);
  return { ...all, members: await together(all.members, () => true, routed) };
}

async function prefixes(looked: Looked, without: ReadonlySet<string>, name: string, family: string | undefined): Promise<Text> {
  const all = /^as\d+$/.test(name)
    ? { class: 'as-set' as const, members: [name] }
    : await expandSet(membersOfSources(looked), name, without);
  if (!all) return '';
  const classNames = (['route', 'route6'] as const).filter(each => family === undefined || (each === 'route') === (family === '4'));
  // The most frequent query, AS numbers only: its answer may have a hundred thousand prefixes, and is the text from the database.
  if (all.class === 'as-set') {
    const { plain, ranged } = await originsOf(all.members);
    const origins = [...plain, ...ranged.keys()];
    return origins.length === 0 ? '' : prefixesOfSources(looked, classNames, origins);
  }
  const routed = await routedOf(looked, classNames, all.members);
  const isOfFamily = (prefix: string): boolean => family === undefined || prefix.includes(':') === (family === '6');
  return joinedInTurns(await together(all.members, isOfFamily, routed), ' ', prefix => prefix);
}

async function routes(looked: Looked, rest: string): Promise<Text> {
  const { place, sources, index } = looked;
  const [prefix = '', option = ''] = rest.split(',', 2).map(part => part.trim());
  let range: AddressRange;
  try {
    range = parseRange(prefix);
  } catch {
    throw new Refused(`Invalid prefix "${prefix.slice(0, 60)}": it is written 192.0.2.0/24`);
  }
  const levels: Readonly<Record<string, Level | 'more'>> = { '': 'exact', o: 'exact', l: 'one-less', L: 'all-less', M: 'more' };
  const level = Object.hasOwn(levels, option) ? levels[option] : undefined;
  if (level === undefined) throw new Refused(`Invalid route search option "${option.slice(0, 20)}": it is o, l, L or M`);
  const groups: Group[] = [];
  for (const source of sources)
    groups.push({ source, found: await withoutInvalidRoutes(index, await routesIn(place, source, range, level)) });
  if (option === 'o') return [...new Set(groups.flatMap(({ found }) => found.map(({ key }) => key.replace(/^.*as/, 'AS'))))].join(' ');
  return texts(place, groups);
}

/** Routes of one source at, around or inside a range. */
async function routesIn(
  { db, source: own }: Looked['place'],
  source: string,
  range: AddressRange,
  level: Level | 'more',
): Promise<readonly (Found | ForeignFound)[]> {
  if (source !== own)
    return level === 'more' ? foreignInside(db.read, source, range, { topOnly: false }) : foreignAround(db.read, source, range, level);
  return level === 'more' ? findInside(db, { tree: 'route', range }) : findAround(db, { trees: ['route'], range, level });
}

/** Objects that were found in one source. */
type Group = { source: string; found: readonly (Found | ForeignFound)[] };

async function objects({ place, peer }: Asked, groups: readonly Group[]): Promise<Text> {
  const { limit } = place;
  let personal = 0;
  const text = await texts(place, groups, block => {
    if (!isPersonal(block)) return;
    if (limit.refuses(peer.address)) throw new Refused('The daily limit of personal data for your address is passed.');
    personal++;
  });
  limit.count(peer.address, personal);
  return text;
}

/** Objects one after another, read in parts; those beyond the limits are left out, with a remark at the end. */
async function texts(
  { db, source: own }: Looked['place'],
  groups: readonly Group[],
  look: (block: Block) => void = () => {},
): Promise<readonly string[]> {
  const breathe = breathing();
  const written: string[] = [];
  let characters = 0;
  let objects = 0;
  let leftOut = 0;
  for (const { source, found } of groups) {
    const most = Math.min(found.length, MAX_OBJECTS - objects);
    let at = 0;
    while (at < most && characters < MAX_CHARACTERS) {
      const sought = found.slice(at, most);
      const { blocks, taken } = source === own ? await readBlocks(db, sought, 'none') : await foreignBlocksOf(db, sought);
      at += taken;
      for (const block of blocks) {
        look(block);
        const text = textOf(block, style);
        written.push(text);
        characters += text.length;
        await breathe();
      }
    }
    objects += at;
    leftOut += found.length - at;
  }
  if (leftOut > 0) written.push(`% Cut here: ${leftOut} more objects are left out; the files of the database have all\n`);
  if (written.length > 0) written.push(written.pop()!.trimEnd());
  return joinedInTurns(written, '\n', text => text, breathe);
}

/** The same as `readBlocks` for objects of another registry, which have no contacts here. */
async function foreignBlocksOf(db: QueryPlace['db'], found: readonly ForeignFound[]): Promise<{ blocks: Block[]; taken: number }> {
  const { objects: read, taken } = await readForeign(db.read, found);
  return { blocks: read.map(object => ({ ...object, isPublic: true, contacts: [], leftOut: [] })), taken };
}

/** The sources that a question about serials names: `-*` for those that are selected. Unknown ones are as they were written. */
const askedSources = (place: QueryPlace, session: IrrSession, rest: string): { name: string; isKnown: boolean }[] =>
  rest === '-*'
    ? session.sources.map(name => ({ name, isKnown: true }))
    : rest.split(',').map(each => {
        const known = sourceNamed(place, each);
        return { name: known ?? each.trim().slice(0, 40).toUpperCase(), isKnown: known !== undefined };
      });

/** `SOURCE:Y:1-100`, the available serials, a line each; `N` for a source of another registry, whose changes are there and not here, and `X` for an unknown one. */
async function serials(place: QueryPlace, session: IrrSession, rest: string): Promise<string> {
  const asked = askedSources(place, session, rest);
  const facts = await foreignFactsOf(place, asked);
  const lines: string[] = [];
  for (const { name, isKnown } of asked) {
    if (!isKnown) lines.push(`${name}:X:Database unknown`);
    else if (name === place.source) {
      const { first, last } = await readSerials(place.db);
      lines.push(`${name}:Y:${first}-${last}`);
    } else lines.push(`${name}:N:0-${facts.get(name)?.serial ?? 0}`);
  }
  return lines.join('\n');
}

async function foreignFactsOf(
  place: QueryPlace,
  asked: readonly { name: string; isKnown: boolean }[],
): Promise<ReadonlyMap<string, ForeignSource>> {
  const names = asked.flatMap(({ name, isKnown }) => (isKnown && name !== place.source ? name : []));
  return new Map((await foreignSourceFacts(place.db.read, names)).map(facts => [facts.name, facts]));
}

async function status(place: QueryPlace, session: IrrSession, rest: string): Promise<string> {
  const asked = askedSources(place, session, rest);
  const filter = { rpki_rov_filter: session.rpkiFilter && place.origins !== undefined };
  const facts = await foreignFactsOf(place, asked);
  const all: Record<string, object> = {};
  for (const { name, isKnown } of asked) {
    if (name === place.source) {
      const { first, last } = await readSerials(place.db);
      all[name] = { authoritative: true, ...filter, serial_oldest_journal: first, serial_newest_journal: last };
      continue;
    }
    const known = facts.get(name);
    if (!isKnown || !known) continue;
    const { way, serial, session: ofNrtm4, objects: count, asOf, problem } = known;
    all[name] = {
      authoritative: false,
      ...filter,
      mirrored_by: wayInWords[way],
      objects: count,
      last_update: asOf,
      is_failing: problem !== null,
      ...(way === 'nrtm4' ? { nrtm4_client_session_id: ofNrtm4, nrtm4_client_version: serial } : { serial_newest_mirror: serial }),
    };
  }
  return JSON.stringify(all);
}
