import { SECOND_MS } from '@portal/contract/days';
import { type AddressRange, parseRange, type VrpIndex } from '@portal/number-resources';
import { findClass, isPersonal, readKey } from '@portal/rpsl';
import { breathing, filteredInTurns, joinedInTurns } from '../../../platform/breathing.ts';
import type { Peer, Reply } from '../../../platform/line-server.ts';
import type { QueryPlace } from './answer.ts';
import type { Level } from './copy/object-copy.ts';
import { findAround, findInside, findInverse, findKeys, type Found } from './find-objects.ts';
import { expandSet, listMembers, operatorsIn, prefixesOfOrigin, rangedPrefix } from './irr-sets.ts';
import { textOf } from './object-text.ts';
import type { PersonalLimit } from './personal-limit.ts';
import { type Block, readBlocks } from './read-blocks.ts';
import { isInvalid, validityOfRoute } from './route-origins.ts';
import { readSerials } from './serials.ts';
import { validPrefixes, withoutInvalid } from './valid-prefixes.ts';

/** State of a connection, changed by commands for later ones. */
export type IrrSession = {
  keepOpen: boolean;
  persistent: boolean;
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
  ['j', ({ place, rest }) => serials(place, rest).then(data)],
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
  ['r', ({ place: { db }, index, rest }) => routes({ db, index }, rest).then(longData)],
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

function selectSources({ place: { source }, rest }: Asked): Framed {
  if (rest.toLowerCase() === '-lc') return data(source);
  if (rest === '' || rest.split(',').some(name => name.toLowerCase() !== source.toLowerCase()))
    throw new Refused(`One or more selected sources are unavailable; there is ${source}.`);
  return 'C\n';
}

function excludeSets({ place: { source }, session, rest }: Asked): Framed {
  if (rest.toLowerCase() === '-lc') return data([...session.without].join(',').toUpperCase());
  session.without = new Set(
    rest
      .split(',')
      .map(name => setName(name, source))
      .filter(name => name !== ''),
  );
  return 'C\n';
}

function membersOfSet({ place: { db, source }, session, index, rest }: Asked): Promise<Framed> {
  const [name = '', depth] = rest.split(',');
  if (name === '') throw new Refused('Missing required set name for I query');
  const set = setName(name, source);
  const found = depth === undefined ? listMembers(db, set) : expand({ db, index }, session.without, set);
  return found.then(async all => longData(all ? await spelt(all.members) : ''));
}

function prefixesOfSet({ place: { db, source }, session, index, rest }: Asked): Promise<Framed> {
  const [, family, name = ''] = /^([46](?=\D|$))?(.*)$/s.exec(rest) ?? [];
  if (name === '') throw new Refused('Missing required set name for A query');
  return prefixes({ db, index }, session.without, setName(name, source), family).then(longData);
}

function routesOf({ place: { db }, index, rest }: Asked, objectClass: 'route' | 'route6'): Promise<Framed> {
  const origin = /^as(\d{1,10})$/i.exec(rest)?.[1];
  if (origin === undefined || Number(origin) > 4_294_967_295)
    throw new Refused(`Invalid AS number "${rest.slice(0, 40)}": it is written AS64500`);
  return prefixesOfOrigin(db, { class: objectClass, origin: Number(origin) })
    .then(found => withoutInvalid(index, found, Number(origin)))
    .then(data);
}

function objectByKey(asked: Asked): Framed | Promise<Framed> {
  const { place, rest } = asked;
  const [, className = '', key = ''] = /^([^,]*),(.*)$/.exec(rest) ?? [];
  const found = findClass(className.trim());
  if (!found) throw new Refused(`Invalid argument for object lookup: "${rest.slice(0, 80)}"; it is written !mCLASS,KEY`);
  // Old clients write route keys with spaces or a hyphen between prefix and origin.
  const wanted = readKey(found.name, found.name.startsWith('route') && !found.name.endsWith('-set') ? key.replaceAll(/[\s-]/g, '') : key);
  if (!wanted) return 'D\n';
  return Promise.resolve(findKeys(place.db, { keys: [wanted], lookup: null }))
    .then(all => validObjects(asked, all))
    .then(longData);
}

function objectsOfMaintainer(asked: Asked): Promise<Framed> {
  if (asked.rest === '') throw new Refused('Missing required maintainer for O query');
  return findInverse(asked.place.db, ['mnt-by'], [asked.rest.toLowerCase()])
    .then(all => validObjects(asked, all))
    .then(longData);
}

/** Writes objects without routes that ROAs contradict. */
const validObjects = async ({ place, peer, index }: Asked, all: readonly Found[]): Promise<Text> =>
  objects(place, peer, index === null ? all : await filteredInTurns(all, each => !isInvalid(validityOfRoute(index, each.key))));

/** A set's name in lower case; `SOURCE::` before it must be ours, or there is no such set. */
function setName(text: string, source: string): string {
  const lower = text.trim().toLowerCase();
  const prefix = `${source.toLowerCase()}::`;
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
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
async function routedOf({ db, index }: Looked, classNames: readonly ('route' | 'route6')[], members: readonly string[]): Promise<string[]> {
  const { plain, ranged: origins } = await originsOf(members);
  const breathe = breathing();
  const found = plain.length === 0 ? [] : (await validPrefixes({ db, index }, classNames, plain)).split(' ');
  for (const [origin, ways] of origins) {
    const chains = ways.map(operatorsIn);
    for (const each of classNames) {
      const text = await withoutInvalid(index, await prefixesOfOrigin(db, { class: each, origin }), origin);
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

/** The database, and the VRPs that routes are compared with. */
type Looked = { db: QueryPlace['db']; index: VrpIndex | null };

async function expand({ db, index }: Looked, without: ReadonlySet<string>, name: string) {
  const all = await expandSet(db, name, without);
  if (all?.class !== 'route-set') return all;
  const routed = await routedOf({ db, index }, ['route', 'route6'], all.members);
  return { ...all, members: await together(all.members, () => true, routed) };
}

async function prefixes({ db, index }: Looked, without: ReadonlySet<string>, name: string, family: string | undefined): Promise<Text> {
  const all = /^as\d+$/.test(name) ? { class: 'as-set' as const, members: [name] } : await expandSet(db, name, without);
  if (!all) return '';
  const classNames = (['route', 'route6'] as const).filter(each => family === undefined || (each === 'route') === (family === '4'));
  // The most frequent query, AS numbers only: its answer may have a hundred thousand prefixes, and is the text from the database.
  if (all.class === 'as-set') {
    const { plain, ranged } = await originsOf(all.members);
    const origins = [...plain, ...ranged.keys()];
    return origins.length === 0 ? '' : validPrefixes({ db, index }, classNames, origins);
  }
  const routed = await routedOf({ db, index }, classNames, all.members);
  const isOfFamily = (prefix: string): boolean => family === undefined || prefix.includes(':') === (family === '6');
  return joinedInTurns(await together(all.members, isOfFamily, routed), ' ', prefix => prefix);
}

async function routes({ db, index }: Looked, rest: string): Promise<Text> {
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
  const all = level === 'more' ? await findInside(db, { tree: 'route', range }) : await findAround(db, { trees: ['route'], range, level });
  const found = index === null ? all : await filteredInTurns(all, ({ key }) => !isInvalid(validityOfRoute(index, key)));
  if (option === 'o') return [...new Set(found.map(({ key }) => key.replace(/^.*as/, 'AS')))].join(' ');
  return texts(db, found);
}

async function objects({ db, limit }: IrrPlace, peer: Peer, found: readonly Found[]): Promise<Text> {
  let personal = 0;
  const text = await texts(db, found, block => {
    if (!isPersonal(block)) return;
    if (limit.refuses(peer.address)) throw new Refused('The daily limit of personal data for your address is passed.');
    personal++;
  });
  limit.count(peer.address, personal);
  return text;
}

/** Objects one after another, read in parts; those beyond the limits are left out, with a remark at the end. */
async function texts(db: QueryPlace['db'], found: readonly Found[], look: (block: Block) => void = () => {}): Promise<readonly string[]> {
  const breathe = breathing();
  const written: string[] = [];
  const most = Math.min(found.length, MAX_OBJECTS);
  let characters = 0;
  let at = 0;
  while (at < most && characters < MAX_CHARACTERS) {
    const { blocks, taken } = await readBlocks(db, found.slice(at, most), 'none');
    at += taken;
    for (const block of blocks) {
      look(block);
      const text = textOf(block, style);
      written.push(text);
      characters += text.length;
      await breathe();
    }
  }
  if (at < found.length) written.push(`% Cut here: ${found.length - at} more objects are left out; the files of the database have all\n`);
  if (written.length > 0) written.push(written.pop()!.trimEnd());
  return joinedInTurns(written, '\n', text => text, breathe);
}

/** Serials of the requested source; null if it isn't ours. */
async function serialsOf(place: QueryPlace, rest: string): Promise<{ first: number; last: number } | null> {
  const isOurs = rest === '-*' || rest.split(',').some(name => name.toLowerCase() === place.source.toLowerCase());
  return isOurs ? readSerials(place.db) : null;
}

/** `SOURCE:Y:1-100`, the available serials; `X` for an unknown source. */
async function serials(place: QueryPlace, rest: string): Promise<string> {
  const range = await serialsOf(place, rest);
  return range ? `${place.source}:Y:${range.first}-${range.last}` : `${rest.slice(0, 40).toUpperCase()}:X:Database unknown`;
}

async function status(place: QueryPlace, session: IrrSession, rest: string): Promise<string> {
  const range = await serialsOf(place, rest);
  if (!range) return '{}';
  const { first, last } = range;
  return JSON.stringify({
    [place.source]: {
      authoritative: true,
      rpki_rov_filter: session.rpkiFilter && place.origins !== undefined,
      serial_oldest_journal: first,
      serial_newest_journal: last,
    },
  });
}
