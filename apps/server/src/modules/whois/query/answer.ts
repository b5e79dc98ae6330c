import { type AddressRange, parseReverseZone } from '@portal/number-resources';
import { type AttributeName, type ClassName, classes, classNames, findClass, isPersonal, readInverseValue, template } from '@portal/rpsl';
import { type Breathe, breathing, filteredInTurns, mapInTurns, sortedInTurns } from '../../../platform/breathing.ts';
import type { Database } from '../../../platform/database/index.ts';
import { foreignSourceFacts } from '../../foreign-sources/index.ts';
import { copyOf } from './copy/followed-copy.ts';
import type { Level, Tree } from './copy/object-copy.ts';
import { type Found, findAround, findAsBlocks, findInside, findInverse, findKeys, findWords } from './find-objects.ts';
import { foreignBlocks, listForeign, sourcesOf } from './foreign-answer.ts';
import { helpText } from './help.ts';
import { abuseMailboxOf, isValid, type TextStyle, textOf } from './object-text.ts';
import { type FlagName, levelFlags } from './query-flags.ts';
import { type QueryKey, readQueryKey } from './query-key.ts';
import type { QueryLine } from './query-line.ts';
import type { AnswerPart, QueryPlace } from './query-place.ts';
import { NOT_FOUND, printProblem, problems, QueryProblem } from './query-problem.ts';
import { type Block, type Contacts, readBlocks } from './read-blocks.ts';
import { originRemark } from './route-origins.ts';
import { readSerials } from './serials.ts';
import type { Shown } from './shown-object.ts';
import { answerVersions } from './versions.ts';

/** Characters of an answer that is written without waiting. */
const MAX_IMMEDIATE = 65_536;
/** Characters after which a part of an answer is sent, so that answers of any size take little memory. */
const PART = 65_536;
/** Found objects that are handed over to be read; a few hundred of them are read together. */
const MAX_READ = 1_000;
/** Characters of contacts that are collected for the end of an answer. */
const MAX_AT_THE_END = 4_000_000;
/** Contacts that are named because they are left out. */
const MAX_NAMED = 10;
/** Blocks whose closest irt is looked for together. */
const IRTS_AT_ONCE = 10;
/** Ranges that `-m` and `-M` refuse: more addresses than a /8, or an IPv6 /16. */
const LARGEST = { ipv4: 2n ** 24n, ipv6: 2n ** 112n };
/** Order of the contacts of a block. */
const contactOrder = (a: Shown, b: Shown): number =>
  classes[a.class].order - classes[b.class].order || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
const withAbuseLine: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'aut-num']);

/**
 * Answers a query: its blocks, without banner and closing line. A query that finds nothing, or can't be answered, ends with the problem; one for
 * numbers of other registries also says where to ask.
 * @throws QueryProblem
 */
export async function* answerQuery(place: QueryPlace, query: QueryLine): AsyncGenerator<AnswerPart> {
  try {
    yield* answersOf(place, query);
  } catch (error) {
    if (!(error instanceof QueryProblem) || error.code !== NOT_FOUND || query.flags.has('inverse')) throw error;
    const key = readQueryKey(query.key);
    const asked = key.kind === 'addresses' ? key.range : key.kind === 'as' ? key.number : null;
    const elsewhere = asked === null ? null : await place.elsewhere?.(place.db, asked);
    throw elsewhere ? problems.notFound(sourcesOf(place, query), [elsewhere.sentence]) : error;
  }
}

async function* answersOf(place: QueryPlace, query: QueryLine): AsyncGenerator<AnswerPart> {
  const { flags } = query;
  const about = await answerAbout(place, query);
  if (about !== null) {
    yield { text: `${about}\n`, personal: 0 };
    return;
  }
  if (query.key === '') throw problems.noKey();
  const sources = sourcesOf(place, query);
  if (flags.has('listVersions') || flags.has('showVersion') || flags.has('diffVersions')) {
    if (!sources.includes(place.source)) throw problems.ownOnly('The history', place.source);
    yield { text: await answerVersions(place.db, query), personal: 0 };
    return;
  }
  const key = readQueryKey(query.key);
  if (key.kind === 'name' && key.nearly !== null && !flags.has('inverse')) throw problems.nearlyKey(key.nearly);
  for (const problem of query.warnings) yield { text: `${printProblem(problem)}\n`, personal: 0 };
  const isAddress =
    key.kind === 'addresses' ||
    (flags.has('abuseContact') ? key.kind === 'as' : key.kind === 'name' && reverseRange(key.lookup) !== null && asksFor(query, 'domain'));
  const ipFlag = ([...hierarchy, 'abuseContact'] as const).some(name => flags.has(name));
  if (ipFlag && !isAddress && key.kind !== 'as-block' && !flags.has('inverse'))
    yield { text: `${printProblem(problems.uselessIpFlag())}\n`, personal: 0 };
  if (flags.has('abuseContact') && (key.kind === 'addresses' || key.kind === 'as')) {
    if (!sources.includes(place.source)) throw problems.ownOnly('-b', place.source);
    yield { text: await answerAbuse(place, key), personal: 0 };
    return;
  }

  if (sources.length === 1 && sources[0] === place.source) yield* ownBlocks(place, query, key);
  else yield* blocksOfSources(place, query, key, sources);
}

async function* ownBlocks(place: QueryPlace, query: QueryLine, key: QueryKey): AsyncGenerator<AnswerPart> {
  yield* showBlocks(place, query, wantedOf(place, query, await find(place, query, key)));
}

/** The objects of several sources, one source after the other. */
async function* blocksOfSources(
  place: QueryPlace,
  query: QueryLine,
  key: QueryKey,
  sources: readonly string[],
): AsyncGenerator<AnswerPart> {
  let isFound = false;
  for (const source of sources)
    try {
      for await (const part of source === place.source ? ownBlocks(place, query, key) : foreignBlocks(place, query, key, source)) {
        isFound = true;
        yield part;
      }
    } catch (error) {
      if (!(error instanceof QueryProblem) || error.code !== NOT_FOUND) throw error;
    }
  if (!isFound) throw problems.notFound(sources);
}

/** Flags that only change the presentation of a plain query for addresses or an AS number. */
const plainFlags: ReadonlySet<FlagName> = new Set<FlagName>([
  'exact',
  'oneLess',
  'allLess',
  'types',
  'persistent',
  'noIrt',
  'noReferenced',
  'noPersonal',
  'showPersonal',
  'noFiltering',
  'filtering',
  'primaryKeys',
  'brief',
]);

/**
 * Returns the whole answer without waiting, to plain questions when the copy in memory is current; otherwise null, and `answerQuery` has to answer.
 * @throws QueryProblem
 */
export function answerImmediately(place: QueryPlace, query: QueryLine): AnswerPart | null {
  if (copyOf(place.db) === null || query.warnings.length > 0 || sourcesOf(place, query).length > 1) return null;
  for (const flag of query.flags) if (!plainFlags.has(flag)) return null;
  const key = readQueryKey(query.key);
  if (key.kind !== 'addresses' && (key.kind !== 'as' || levelFlags.some(name => query.flags.has(name)))) return null;
  const found = findNumbered(place.db, query, key);
  // Nothing found here; other registries may have it.
  if (found instanceof Promise || found.length === 0) return null;
  if (sizeOf(found.map(({ read }) => read)) > MAX_IMMEDIATE) return null;
  const wanted = wantedOf(place, query, found);
  const part = readBlocks(place.db, wanted, shownOf(query).contacts);
  if (part instanceof Promise || part.taken < wanted.length) return null;
  if (sizeOf(part.blocks.flatMap(({ contacts }) => contacts)) > MAX_IMMEDIATE) return null;
  let text = '';
  let personal = 0;
  for (const block of part.blocks)
    for (const piece of piecesOf(place, query, block, null)) {
      text += piece.text;
      personal += piece.personal;
    }
  return { text, personal };
}

/** Characters of objects; endless where one has not been read. */
const sizeOf = (objects: readonly (Shown | undefined)[]): number =>
  objects.reduce((sum, each) => sum + (each?.text.length ?? Number.POSITIVE_INFINITY), 0);

/** Returns the found objects of the requested classes, in the order of answers. */
function wantedOf({ source }: QueryPlace, { flags, types }: QueryLine, found: readonly Found[]): Found[] {
  const wanted = found.filter(each => (types?.includes(each.class) ?? true) && !(flags.has('noPersonal') && isContact(each.class)));
  if (!flags.has('noGrouping')) wanted.sort((a, b) => classes[a.class].order - classes[b.class].order);
  if (wanted.length === 0) throw problems.notFound(source);
  return wanted;
}

const isContact = (className: ClassName): boolean => className === 'person' || className === 'role';

/** Questions about the server. */
async function answerAbout(place: QueryPlace, { flags, arguments: given, key }: QueryLine): Promise<string | null> {
  if (flags.has('template') || flags.has('verbose')) {
    const name = given.template ?? given.verbose ?? '';
    const found = findClass(name);
    if (!found) throw problems.unknownClass(name);
    return template(found.name, { verbose: flags.has('verbose') });
  }
  const word = flags.has('listSources')
    ? 'sources'
    : flags.has('version')
      ? 'version'
      : flags.has('listTypes')
        ? 'types'
        : given.about?.toLowerCase();
  if (word !== undefined) {
    if (word === 'sources') {
      const { first, last } = await readSerials(place.db);
      return `${place.source}:3:Y:${first}-${last}\n${listForeign(
        await foreignSourceFacts(
          place.db.read,
          (place.foreign ?? []).map(({ name }) => name),
        ),
      )}`;
    }
    if (word === 'version') return `% whois-server ${place.release}\n`;
    if (word === 'types') return `${classNames.join('\n')}\n`;
    throw problems.invalidOption(`-q ${word}`, 'is none of sources, version and types');
  }
  return key.toLowerCase() === 'help' ? helpText(place) : null;
}

/** Returns whether one of these classes is requested, if any are named. */
const asksFor = ({ types }: QueryLine, ...names: ClassName[]): boolean => types === null || names.some(name => types.includes(name));

async function find(place: QueryPlace, query: QueryLine, key: QueryKey): Promise<Found[]> {
  const { db } = place;
  const { flags, types } = query;
  if (flags.has('inverse')) {
    const values = query.inverse.flatMap(attribute => readInverseValue(attribute, query.key) ?? []);
    return findInverse(db, query.inverse, [...new Set(values)]);
  }
  if (key.kind === 'addresses' && (flags.has('oneMore') || flags.has('allMore'))) return findMore(place, query, key.range, treesOf(query));
  if (key.kind === 'addresses' || key.kind === 'as') return findNumbered(db, query, key);
  if (key.kind === 'as-block') {
    const blocks = await findAsBlocks(db, key);
    return flags.has('exact') ? blocks.filter(block => block.key === `as${key.first} - as${key.last}`) : blocks.slice(-1);
  }
  // A reverse zone is the range of its addresses, among the other zones.
  const zone = hierarchy.some(name => flags.has(name)) && asksFor(query, 'domain') ? reverseRange(key.lookup) : null;
  if (zone)
    return flags.has('oneMore') || flags.has('allMore')
      ? findMore(place, query, zone, ['domain'])
      : findAround(db, { trees: ['domain'], range: zone, level: levelOf(query) });
  const keys = types === null ? key.keys : key.keys.filter(each => types.includes(each.class));
  const [named, worded] = await Promise.all([
    findKeys(db, { keys, lookup: key.words.length === 1 ? key.lookup : null }),
    key.words.length > 1 ? findWords(db, key.words) : [],
  ]);
  const breathe = breathing();
  const all = [...(await mapInTurns([...named, ...worded], ({ objectId }) => String(objectId), breathe)).values()];
  if (all.length > 0 || !asksFor(query, 'domain')) return sortedInTurns(all, byKey, breathe);
  const range = reverseRange(key.lookup);
  return range ? findAround(db, { trees: ['domain'], range, level: 'nearest' }) : [];
}

/** The requested kinds of objects with addresses, without routers. */
const treesOf = (query: QueryLine): Exclude<Tree, 'router'>[] => [
  ...(asksFor(query, 'inetnum', 'inet6num') ? (['network'] as const) : []),
  ...(asksFor(query, 'route', 'route6') ? (['route'] as const) : []),
  ...(query.flags.has('reverseDomain') || query.types?.includes('domain') ? (['domain'] as const) : []),
];

/** Finds the objects at or around addresses, or at an AS number. */
function findNumbered(db: Database, query: QueryLine, key: QueryKey & { kind: 'addresses' | 'as' }): Found[] | Promise<Found[]> {
  const { types } = query;
  if (key.kind === 'as') {
    const numbers = asksFor(query, 'aut-num') ? findKeys(db, { keys: key.keys, lookup: null }) : [];
    const blocks = asksFor(query, 'as-block') ? findAsBlocks(db, { first: key.number, last: key.number }) : [];
    if (numbers instanceof Promise || blocks instanceof Promise) return Promise.all([numbers, blocks]).then(all => all.flat());
    return [...numbers, ...blocks];
  }
  const { range } = key;
  const trees: Tree[] = treesOf(query);
  if (range.first === range.last && asksFor(query, 'inet-rtr')) trees.push('router');
  if (trees.length === 0) throw problems.wrongKeyForClass(types ?? []);
  return findAround(db, { trees, range, level: levelOf(query) });
}

/** Flags that ask for what is around or inside a range. */
const hierarchy = ['exact', 'oneLess', 'allLess', 'oneMore', 'allMore'] as const;

const levelOf = ({ flags }: QueryLine): Level =>
  flags.has('exact') ? 'exact' : flags.has('oneLess') ? 'one-less' : flags.has('allLess') ? 'all-less' : 'nearest';

/** Finds the objects inside a range: all of them, or those that lie in no other one. */
async function findMore(
  { db, most }: QueryPlace,
  { flags }: QueryLine,
  range: AddressRange,
  trees: readonly Exclude<Tree, 'router'>[],
): Promise<Found[]> {
  if (range.last - range.first >= LARGEST[range.family]) throw problems.hugeRange('an IPv4 /8 or an IPv6 /16');
  const topOnly = !flags.has('allMore');
  return (await Promise.all(trees.map(tree => findInside(db, { tree, range, most, topOnly })))).flat();
}

const byKey = (a: Found, b: Found): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

function reverseRange(name: string): AddressRange | null {
  if (!name.endsWith('.arpa')) return null;
  try {
    return parseReverseZone(name);
  } catch {
    return null;
  }
}

/** Returns how the objects of an answer are shown, and which contacts are included. */
function shownOf({ flags }: QueryLine): { style: TextStyle; plain: boolean; contacts: Contacts } {
  const style = { brief: flags.has('brief'), keysOnly: flags.has('primaryKeys'), filtering: flags.has('filtering') };
  const plain = style.brief || style.keysOnly;
  return { style, plain, contacts: plain ? 'none' : flags.has('noReferenced') ? 'abuse' : 'all' };
}

/** Returns a block of an answer, an object at a time. @param atTheEnd collects the contacts if they don't follow their block */
function* piecesOf(place: QueryPlace, query: QueryLine, block: Block, atTheEnd: Map<number, Shown> | null): Generator<AnswerPart> {
  const { flags } = query;
  const { style, plain, contacts } = shownOf(query);
  const own = textOf(block, style);
  if (plain) {
    if (own !== '') yield { text: `${own}\n`, personal: 0 };
    return;
  }
  const abuse = withAbuseLine.has(block.class) ? abuseContactOf(block) : null;
  yield {
    text: [
      `% Information related to '${block.shown}'\n\n`,
      originRemark(place, block),
      abuse === null ? '' : `% Abuse contact for '${block.shown}' is '${abuse}'\n\n`,
      contacts === 'all' ? leftOutRemark(block) : '',
      `${own}\n`,
    ].join(''),
    personal: isPersonal(block) ? 1 : 0,
  };
  if (contacts !== 'all') return;
  const behind = block.contacts.filter(
    each => !(flags.has('noPersonal') && isContact(each.class)) && !(flags.has('noIrt') && each.class === 'irt'),
  );
  behind.sort(contactOrder);
  for (const contact of behind) {
    if (atTheEnd) atTheEnd.set(contact.objectId, contact);
    else yield { text: `${textOf(contact, style)}\n`, personal: isPersonal(contact) ? 1 : 0 };
  }
}

/** Joins pieces into parts to send, while others have their turn. */
async function* partsOf(pieces: Iterable<AnswerPart>, breathe: Breathe): AsyncGenerator<AnswerPart> {
  let part = { text: '', personal: 0 };
  for (const { text, personal } of pieces) {
    part = { text: part.text + text, personal: part.personal + personal };
    if (part.text.length >= PART) {
      yield part;
      part = { text: '', personal: 0 };
    }
    await breathe();
  }
  if (part.text !== '') yield part;
}

async function* showBlocks(place: QueryPlace, query: QueryLine, found: readonly Found[]): AsyncGenerator<AnswerPart> {
  const { flags } = query;
  const { style, contacts } = shownOf(query);
  const atTheEnd = flags.has('noGrouping') ? new Map<number, Shown>() : null;
  const breathe = breathing();
  let shownOne = false;
  for (let at = 0; at < found.length; ) {
    const part = await readBlocks(place.db, found.slice(at, at + MAX_READ), contacts);
    at += part.taken;
    let { blocks } = part;
    if (flags.has('irt')) blocks = await withClosestIrts(place.db, blocks);
    if (flags.has('validSyntax')) blocks = await filteredInTurns(blocks, isValid, breathe);
    if (flags.has('noValidSyntax')) blocks = await filteredInTurns(blocks, block => !isValid(block), breathe);
    shownOne ||= blocks.length > 0;
    const pieces = function* (): Generator<AnswerPart> {
      for (const block of blocks) yield* piecesOf(place, query, block, atTheEnd);
    };
    yield* partsOf(pieces(), breathe);
    if (atTheEnd !== null && sizeOf([...atTheEnd.values()]) > MAX_AT_THE_END) yield* contactsAtTheEnd(atTheEnd, style, breathe);
  }
  if (!shownOne) throw problems.notFound(place.source);
  if (atTheEnd !== null) yield* contactsAtTheEnd(atTheEnd, style, breathe);
}

/** Writes the collected contacts, and forgets them. */
async function* contactsAtTheEnd(contacts: Map<number, Shown>, style: TextStyle, breathe: Breathe): AsyncGenerator<AnswerPart> {
  const rest = [...contacts.values()].sort(contactOrder);
  contacts.clear();
  const pieces = function* (): Generator<AnswerPart> {
    for (const contact of rest) yield { text: `${textOf(contact, style)}\n`, personal: isPersonal(contact) ? 1 : 0 };
  };
  yield* partsOf(pieces(), breathe);
}

/** Returns a remark on contacts of a block that its answer doesn't have; empty where it has all. */
function leftOutRemark({ shown, leftOut }: Block): string {
  if (leftOut.length === 0) return '';
  const more = leftOut.length > MAX_NAMED ? ` and ${leftOut.length - MAX_NAMED} more` : '';
  return `% Contacts of '${shown}' left out for their length or number: ${leftOut.slice(0, MAX_NAMED).join(', ')}${more}\n% Ask for them by name\n\n`;
}

/** Returns the abuse contact of a block: its abuse-c, else its irt. */
function abuseContactOf(block: Block): string | null {
  const abuseC = /^abuse-c:[ \t]*([^\s#]+)/im.exec(block.text)?.[1]?.toLowerCase();
  const role = abuseC === undefined ? undefined : block.contacts.find(({ class: name, key }) => name === 'role' && key === abuseC);
  const irt = block.contacts.find(({ class: name }) => name === 'irt');
  return (role && abuseMailboxOf(role)) ?? (irt ? abuseMailboxOf(irt) : null);
}

/** The blocks of the ranges around one, the smallest first, read as they are looked at. */
async function* readAround(db: Database, range: AddressRange): AsyncGenerator<Block> {
  const found = (await findAround(db, { trees: ['network'], range, level: 'all-less' })).reverse();
  for (let at = 0; at < found.length; ) {
    const { blocks, taken } = await readBlocks(db, found.slice(at), 'abuse');
    yield* blocks;
    at += taken;
  }
}

async function withClosestIrts(db: Database, blocks: readonly Block[]): Promise<Block[]> {
  const all: Block[] = [];
  for (let at = 0; at < blocks.length; at += IRTS_AT_ONCE)
    all.push(...(await Promise.all(blocks.slice(at, at + IRTS_AT_ONCE).map(block => withClosestIrt(db, block)))));
  return all;
}

async function withClosestIrt(db: Database, block: Block): Promise<Block> {
  if ((block.class !== 'inetnum' && block.class !== 'inet6num') || block.contacts.some(({ class: name }) => name === 'irt')) return block;
  const key = readQueryKey(block.key);
  if (key.kind !== 'addresses') return block;
  for await (const { contacts } of readAround(db, key.range)) {
    const irts = contacts.filter(({ class: name }) => name === 'irt');
    if (irts.length > 0) return { ...block, contacts: [...block.contacts, ...irts] };
  }
  return block;
}

/** The closest object around some numbers, and the mailbox for abuse reports of the closest level that has one. */
type AbuseContact = { nearest: Pick<Block, 'class' | 'shown'>; mailbox: string | null };

/** Finds the abuse contact of addresses or an AS number; null where no object is around them. */
export async function findAbuseContact(db: Database, key: QueryKey): Promise<AbuseContact | null> {
  let contact: AbuseContact | null = null;
  if (key.kind !== 'addresses' && key.kind !== 'as') return null;
  const blocks =
    key.kind === 'addresses'
      ? readAround(db, key.range)
      : (await readBlocks(db, await findKeys(db, { keys: key.keys, lookup: null }), 'abuse')).blocks;
  for await (const block of blocks) {
    const mailbox = abuseContactOf(block);
    contact ??= { nearest: block, mailbox };
    if (mailbox !== null) return { ...contact, mailbox };
  }
  return contact;
}

/** `-b`: the key and the mailbox, of the closest level that has one. */
async function answerAbuse({ db, source }: QueryPlace, key: QueryKey): Promise<string> {
  const contact = await findAbuseContact(db, key);
  if (!contact) throw problems.notFound(source);
  const { nearest, mailbox } = contact;
  const lines: [name: AttributeName, value: string][] = [
    [nearest.class, nearest.shown],
    ...(mailbox ? [['abuse-mailbox', mailbox] as [AttributeName, string]] : []),
  ];
  return `${lines.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join('')}\n`;
}
