import { type AddressRange, parseAsNumber, parseReverseZone, ResourceSyntaxError } from '@portal/number-resources';
import { sql } from 'kysely';
import { breathing, mappedInTurns } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import { READ_BYTES } from '../whois/index.ts';
import { type Answer, type AnswerContext, linkTo, type Notice } from './answer.ts';
import { type AutnumRow, plainAutnum } from './autnums.ts';
import { type DomainRow, plainDomain } from './domains.ts';
import { foundEntity } from './entities.ts';
import { endsOf, rangeOfPath } from './look-ups.ts';
import { type NetworkRow, plainNetwork, rangeBetween, statusOf } from './networks.ts';
import { RdapRefusal } from './refusal.ts';
import { beginsWith, readPattern, type SearchPattern } from './search-pattern.ts';
import { delegationAt, type EntityRow, isNetwork, ledgerRelation } from './stored-objects.ts';

type Search = { db: { read: Pick<Read, 'rows'> }; context: AnswerContext };
type Query = Readonly<Record<string, string | undefined>>;

/** Results of one search. */
const maxResults = 100;
/** Maximum number of candidates compared with a pattern before a search is too wide. */
const maxCandidates = 5_000;

/** Exactly one of these parameters; others are ignored (RFC 7480, section 4.1). */
function oneOf<const Name extends string>(query: Query, names: readonly Name[]): { name: Name; pattern: SearchPattern } {
  const given = names.filter(name => (query[name] ?? '') !== '');
  const [name] = given;
  if (name === undefined || given.length > 1)
    throw new RdapRefusal(400, `A search has exactly one of the parameters ${names.join(' and ')}, such as ?${names[0]}=example*.`);
  return { name, pattern: readPattern(query[name] ?? '') };
}

/** The first matches among the candidates, with a notice if there are more of either. */
function chosen<Row>(
  context: AnswerContext,
  rows: readonly Row[],
  matches: (row: Row) => boolean,
  isCut = rows.length > maxCandidates,
): { rows: Row[]; notices: Notice[] } {
  const found: Row[] = [];
  for (const row of rows.slice(0, maxCandidates)) {
    if (found.length > maxResults) break;
    if (matches(row)) found.push(row);
  }
  return { rows: found.slice(0, maxResults), notices: found.length > maxResults || isCut ? [policyOf(context)] : [] };
}

const policyOf = (context: AnswerContext): Notice => ({
  title: 'Search Policy',
  type: 'result set truncated due to excessive load',
  description: [`At most ${maxResults} results are shown, fewer if they are long. Narrow your search.`],
  links: [linkTo(context, 'related', 'help')],
});

/** Adds the texts to chosen rows: of as many as have `READ_BYTES` together, with a notice if these are not all. */
async function withTexts<Row extends { objectId: number }>(
  { db: { read }, context }: Search,
  { rows, notices }: { rows: readonly Row[]; notices: Notice[] },
): Promise<{ rows: (Row & { text: string })[]; notices: Notice[] }> {
  const found = await read.rows<{ objectId: number; text: string }>(sql`select object_id, text from (
    select o.object_id, o.text, sum(octet_length(o.text)) over (order by w.place) - octet_length(o.text) as before
    from unnest(${rows.map(({ objectId }) => objectId)}::bigint[]) with ordinality as w (object_id, place) join whois_object o using (object_id)) o
    where before < ${READ_BYTES}`);
  const texts = new Map(found.map(({ objectId, text }) => [objectId, text]));
  const shown = rows.flatMap(row => {
    const text = texts.get(row.objectId);
    return text === undefined ? [] : [{ ...row, text }];
  });
  return { rows: shown, notices: shown.length < rows.length && notices.length === 0 ? [policyOf(context)] : notices };
}

/** The literal text before the first star. */
const beginning = ({ text }: SearchPattern): string => text.split('*', 1)[0] ?? '';

/** `entities?fn=` and `?handle=`: persons, roles, organisations, irts and maintainers. Without results the list is empty. */
export async function searchEntities({ db: { read }, context }: Search, query: Query): Promise<Answer> {
  const { name, pattern } = oneOf(query, ['fn', 'handle']);
  const { rows, isCut } = await matching<EntityRow>(read, {
    candidates: name === 'handle' ? entitiesByHandle(pattern) : entitiesCalled(pattern),
    most: name === 'handle' ? maxCandidates : maxNamed,
    value: name === 'handle' ? sql`key` : sql`called_in(class, text)`,
    pattern,
    shown: found => sql`select object_id, class, shown, text, created_at, changed_at from (${found}) o order by o.shown`,
  });
  const { rows: found, notices } = chosen(context, rows, () => true, isCut);
  return {
    body: { ...moreNotices(notices), entitySearchResults: await mappedInTurns(found, row => foundEntity(context, row)) },
    redacted: [],
  };
}

const entityClassNames = sql`class in ('person', 'role', 'organisation', 'irt', 'mntner')`;
const entitiesByHandle = (pattern: SearchPattern) =>
  sql`select * from whois_object where ${entityClassNames} and key like ${beginsWith(literalStart(pattern))} order by key using ~<~, class limit ${maxCandidates + 1}`;

/** Entities by the beginning of their names, in order; with a leading star, by one of the words: the longest complete one, otherwise the longest prefix. */
function entitiesCalled(pattern: SearchPattern): Sql {
  const start = beginning(pattern);
  if (start.length >= 2) {
    const is = start === pattern.text ? sql`called_in(class, text) = ${start}` : sql`called_in(class, text) like ${beginsWith(start)}`;
    const isBeginning = pattern.text.indexOf('*') === pattern.text.length - 1 || start === pattern.text;
    // Candidates for an inner star come in any order, because sorting would read all with the same beginning.
    const part = isBeginning ? sql`order by called_in(class, text) using ~<~ limit ${maxResults + 1}` : sql`limit ${maxNamed + 1}`;
    return sql`select * from whois_object where ${entityClassNames} and ${is} ${part}`;
  }
  const words = pattern.text.split(/\s+/).map(word => ({ whole: !word.includes('*'), text: word.split('*', 1)[0]! }));
  const [best] = words
    .filter(({ text }) => text.length >= 2)
    .sort((a, b) => Number(b.whole) - Number(a.whole) || b.text.length - a.text.length);
  if (!best) throw new RdapRefusal(422, 'A search for a name needs a word of it that begins with at least two letters before any star.');
  const key = best.whole ? sql`key = ${best.text}` : sql`key like ${beginsWith(best.text)}`;
  return sql`select * from whois_object where ${entityClassNames}
    and object_id = any(array(select object_id from whois_key where ${key} limit ${maxNamed + 1}))`;
}

/** Notices in addition to those of every answer; the router merges them. */
const moreNotices = (notices: readonly Notice[]): { notices?: readonly Notice[] } => (notices.length > 0 ? { notices } : {});

function literalStart(pattern: SearchPattern): string {
  const start = beginning(pattern);
  if (start.length < 2) throw new RdapRefusal(422, 'A search pattern needs at least two characters before the first star.');
  return start;
}

/** `domains?name=`: reverse zones. By name server is not served. */
export async function searchDomains(search: Search, query: Query): Promise<Answer> {
  const {
    db: { read },
    context,
  } = search;
  if (query['nsLdhName'] !== undefined || query['nsIp'] !== undefined)
    throw new RdapRefusal(501, 'Domains are searched by name; by name server is not supported.');
  const pattern = readPattern(oneOf(query, ['name']).pattern.text.replace(/\.$/, ''));
  // The text after the last star is a zone that contains all matches.
  const suffix = pattern.text.split('*').at(-1)!;
  const zone = suffix.slice(suffix.indexOf('.') + 1);
  const columns = sql`object_id, shown, host(first) as first, host(last) as last, created_at, changed_at`;
  let rows: Listed<DomainRow>[];
  if (!pattern.text.includes('*')) {
    rows = await read.rows<Listed<DomainRow>>(sql`select ${columns} from whois_object where class = 'domain' and key = ${pattern.text}`);
  } else {
    const range = zoneRange(zone);
    if (!range && beginning(pattern).length < 2)
      throw new RdapRefusal(
        422,
        'A search for domains begins with at least two characters before the first star, or ends with a reverse zone, such as *.113.0.203.in-addr.arpa.',
      );
    const ends = range && endsOf(range);
    rows = await read.rows<Listed<DomainRow>>(
      ends
        ? sql`select ${columns} from whois_object where class = 'domain' and first is not null and first >= ${ends.first}::inet and first <= ${ends.last}::inet
            and last <= ${ends.last}::inet order by whois_object.first, whois_object.last limit ${maxCandidates + 1}`
        : sql`select ${columns} from whois_object where class = 'domain' and key like ${beginsWith(beginning(pattern))}
            order by key using ~<~ limit ${maxCandidates + 1}`,
    );
  }
  const { rows: found, notices } = await withTexts(
    search,
    chosen(context, rows, ({ shown }) => pattern.matches(shown)),
  );
  const domainSearchResults = await mappedInTurns(found, row => plainDomain(context, row));
  return { body: { ...moreNotices(notices), domainSearchResults }, redacted: [] };
}

function zoneRange(zone: string): ReturnType<typeof parseReverseZone> | null {
  try {
    return parseReverseZone(zone);
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return null;
    throw error;
  }
}

/** An object that is listed before its text is read. */
type Listed<Row> = Omit<Row, 'text'> & { objectId: number };

/** Candidates by `where`, in address order. */
const networkRows = (where: ReturnType<typeof sql>) =>
  listedStateOf(
    sql`select * from whois_object where ${sql.raw(isNetwork)} and ${where} order by first, last desc limit ${maxCandidates + 1}`,
  );
/** All around a range, the largest first. The prefix tree finds them; the rest is compared outside, so that the planner doesn't scan everything in order. */
const networksOver = (ends: Ends) =>
  listedStateOf(
    sql`select * from (select * from whois_object where ${sql.raw(isNetwork)} and ${over(ends)} offset 0) found where ${holding(ends)}
      order by first, last desc limit ${maxCandidates}`,
  );
const listedStateOf = (objects: Sql) => networkState<Listed<NetworkRow>>(objects, sql`o.object_id`);
const accountStateOf = (objects: Sql) => networkState<NetworkRow>(objects, sql`o.text`);
const networkState = <Row>(objects: Sql, column: Sql) => sql<Row>`
  select o.shown, ${column}, host(o.first) as first, host(o.last) as last, o.created_at, o.changed_at, ${sql.raw(ledgerRelation('o'))}
  from (${objects}) o left join lateral ${sql.raw(delegationAt('o.first'))} held on true order by o.first, o.last desc`;
/** Objects around a range are found by the prefix tree, then filtered exactly. */
const over = ({ first, last }: Ends) => sql`inet_merge(first, last) >>= inet_merge(${first}::inet, ${last}::inet)`;
const holding = ({ first, last }: Ends) =>
  sql`first <= ${first}::inet and last >= ${last}::inet and not (first = ${first}::inet and last = ${last}::inet)`;
const inside = ({ first, last }: Ends) =>
  sql`first >= ${first}::inet and first <= ${last}::inet and last <= ${last}::inet and not (first = ${first}::inet and last = ${last}::inet)`;

/** Matching rows, one more than shown, and whether there were too many candidates. */
type Matching<Row> = { rows: Row[]; isCut: boolean };

/** Candidates (one more than `most`, if there are) whose `value` matches the pattern; only these are read with their nested objects, as far as `READ_BYTES` go. */
async function matching<Row>(read: Pick<Read, 'rows'>, { candidates, most, value, pattern, shown }: Candidates): Promise<Matching<Row>> {
  const rows = await read.rows<Row & { candidates: number; matches: number | null; shown: string | null }>(sql`
    with candidate as materialized (${candidates})
    select n.candidates, found.* from (select count(*)::int as candidates from candidate) n
    left join (select f.*, count(*) over ()::int as matches, sum(octet_length(f.text)) over (rows unbounded preceding) - octet_length(f.text) as before
      from (${shown(sql`select * from candidate where ${value} like ${pattern.like} limit ${maxResults + 1}`)}) f) found on found.before < ${READ_BYTES}`);
  const found = rows.filter(row => row.shown !== null);
  return { rows: found, isCut: (rows[0]?.candidates ?? 0) > most || found.length < (found[0]?.matches ?? 0) };
}
type Sql = ReturnType<typeof sql>;
type Candidates = { candidates: Sql; most: number; value: Sql; pattern: SearchPattern; shown: (found: Sql) => Sql };

/** Candidates for a name pattern with an inner star, limited, in the order of names. */
const maxNamed = 2_000;

/** Objects of some classes by their own name attribute, in order. If the only star is at the end, no more candidates are read than shown. */
function named(classes: ReturnType<typeof sql>, pattern: SearchPattern): ReturnType<typeof sql> {
  const hasStar = pattern.text.includes('*');
  const isBeginning = pattern.text.indexOf('*') === pattern.text.length - 1;
  const is = hasStar ? sql`named_in(text) like ${beginsWith(literalStart(pattern))}` : sql`named_in(text) = ${pattern.text}`;
  return sql`select * from whois_object where ${classes} and ${is} order by named_in(text) using ~<~ limit ${isBeginning || !hasStar ? maxResults + 1 : maxNamed + 1}`;
}

/** Networks by their netnames. With inner stars the keys are compared first, because they are in an index. */
const networksNamed = (pattern: SearchPattern) =>
  pattern.text.slice(0, -1).includes('*')
    ? sql`select o.* from (select object_id from whois_key where key like ${beginsWith(literalStart(pattern))} and key like ${pattern.like} limit ${maxNamed + 1}) k
        cross join lateral (select * from whois_object n where n.object_id = k.object_id and ${sql.raw(isNetwork)} offset 0) o limit ${maxResults + 1}`
    : named(sql.raw(isNetwork), pattern);

/** `ips?name=` (netname) and `ips?handle=` (the range as whois writes it). */
export async function searchIps({ db: { read }, context }: Search, query: Query): Promise<Answer> {
  const { name, pattern } = oneOf(query, ['handle', 'name']);
  const { rows, isCut } = await matching<NetworkRow>(
    read,
    name === 'name'
      ? { candidates: networksNamed(pattern), most: maxNamed, value: sql`named_in(text)`, pattern, shown: accountStateOf }
      : {
          candidates: networksFrom(rangesOfHandle(pattern)),
          most: maxCandidates,
          value: sql`lower(shown)`,
          pattern,
          shown: accountStateOf,
        },
  );
  const { rows: found, notices } = chosen(context, rows, () => true, isCut);
  return {
    body: { ...moreNotices(notices), ipSearchResults: await mappedInTurns(found, row => plainNetwork(context, row)) },
    redacted: [],
  };
}

/** Networks that begin in some ranges, in address order. */
const networksFrom = (ranges: readonly AddressRange[]) => {
  const ends = ranges.map(endsOf);
  return sql`select o.* from unnest(${ends.map(({ first }) => first)}::inet[], ${ends.map(({ last }) => last)}::inet[]) as r (first, last)
    cross join lateral (select * from whois_object where ${sql.raw(isNetwork)} and first >= r.first and first <= r.last
      order by first, last desc limit ${maxCandidates + 1}) o order by o.first, o.last desc limit ${maxCandidates + 1}`;
};

/**
 * The first addresses matching a handle pattern: `198.19.1*` is 198.19.1.0, 198.19.10.0 to 198.19.19.255 and 198.19.100.0 to
 * 198.19.199.255.
 */
function rangesOfHandle(pattern: SearchPattern): AddressRange[] {
  const before = beginning(pattern);
  const start = before.split(/\s*-|\//, 1)[0]!;
  if (!pattern.text.includes('*') || start.length < before.length) return [rangeOfPath(start)];
  if (start === '')
    throw new RdapRefusal(422, 'A search for handles of networks begins with a part of an address, such as 203.0.* or 2001:db8:*.');
  const ranges = (['ipv4', 'ipv6'] as const).flatMap(family => rangesBehind(family, start));
  if (ranges.length === 0)
    throw new RdapRefusal(400, `“${start.slice(0, 80)}” is not the beginning of an address, such as 203.0.* or 2001:db8:*.`);
  return ranges;
}

/** Returns all addresses of a family whose text can begin this way; empty if none can. */
function rangesBehind(family: AddressRange['family'], start: string): AddressRange[] {
  const { separator, base, width, count } =
    family === 'ipv4' ? { separator: '.', base: 10, width: 3, count: 4 } : { separator: ':', base: 16, width: 4, count: 8 };
  const largest = family === 'ipv4' ? 255 : 65_535;
  const digits = family === 'ipv4' ? /^\d{1,3}$/ : /^[\da-f]{1,4}$/;
  const parts = start.split(separator);
  // Anything may follow `::`.
  const gap = parts.indexOf('');
  const [whole, cut] = gap < 0 ? [parts.slice(0, -1), parts.at(-1)!] : [parts.slice(0, gap), ''];
  if (gap >= 0 && family === 'ipv4' && gap < parts.length - 1) return [];
  const values = whole.map(part => (digits.test(part) ? Number.parseInt(part, base) : Number.NaN));
  if (whole.length + 1 > count || values.some(value => !(value <= largest))) return [];
  const size = BigInt(largest + 1);
  const known = values.reduce((sum, value) => sum * size + BigInt(value), 0n);
  const range = (first: bigint, last: bigint, length: number): AddressRange => {
    const rest = size ** BigInt(count - length);
    return { family, first: first * rest, last: (last + 1n) * rest - 1n };
  };
  if (cut === '') return whole.length === 0 ? [] : [range(known, known, whole.length)];
  if (!digits.test(cut)) return [];
  const value = Number.parseInt(cut, base);
  const ranges: AddressRange[] = [];
  for (let more = 0; more <= (value === 0 ? 0 : width - cut.length); more++) {
    const low = value * base ** more;
    if (low > largest) break;
    const high = Math.min(largest, low + base ** more - 1);
    ranges.push(range(known * size + BigInt(low), known * size + BigInt(high), whole.length + 1));
  }
  return ranges;
}

/** `autnums?handle=` and `autnums?name=` (as-name). */
export async function searchAutnums({ db: { read }, context }: Search, query: Query): Promise<Answer> {
  const { name, pattern } = oneOf(query, ['handle', 'name']);
  const classes = sql`class = 'aut-num'`;
  const { rows, isCut } = await matching<AutnumRow>(read, {
    candidates:
      name === 'name'
        ? named(classes, pattern)
        : sql`select * from whois_object where ${classes} and key like ${beginsWith(literalStart(pattern))} order by key using ~<~ limit ${maxCandidates + 1}`,
    most: name === 'name' ? maxNamed : maxCandidates,
    value: name === 'name' ? sql`named_in(text)` : sql`key`,
    pattern,
    shown: found => sql`select shown, text, first_as as as_number, created_at, changed_at from (${found}) o order by first_as`,
  });
  const { rows: found, notices } = chosen(context, rows, () => true, isCut);
  return {
    body: { ...moreNotices(notices), autnumSearchResults: await mappedInTurns(found, row => plainAutnum(context, row)) },
    redacted: [],
  };
}

const relations = ['up', 'down', 'top', 'bottom'] as const;
type Relation = (typeof relations)[number];

function readRelation(text: string): Relation {
  const relation = text.replace(/^rdap-/, '');
  if (!(relations as readonly string[]).includes(relation))
    throw new RdapRefusal(400, `“${text.slice(0, 40)}” is not a relation; known are ${relations.map(one => `rdap-${one}`).join(', ')}.`);
  return relation as Relation;
}

/**
 * `ips/rirSearch1/<relation>/<range>`: the network above, the topmost one, those directly below, those at the bottom (RDAP RIR search, section
 * 3.2). `status` first filters by status.
 */
export async function relatedNetworks(search: Search, relationText: string, asked: string, status: string | undefined): Promise<Answer> {
  const {
    db: { read },
    context,
  } = search;
  const relation = readRelation(relationText);
  const ends = endsOf(rangeOfPath(asked));
  const isWanted = (row: Listed<NetworkRow>): boolean => status === undefined || statusOf(row) === status;
  if (relation === 'up' || relation === 'top') {
    const wanted = (await read.rows(networksOver(ends))).filter(isWanted);
    const row = await firstWithText(search, relation === 'top' ? wanted[0] : wanted.at(-1));
    if (!row) throw new RdapRefusal(404, `There is no network object around ${asked}.`);
    return { body: plainNetwork(context, row), redacted: [] };
  }
  const below = await read.rows(networkRows(inside(ends)));
  const { rows, notices } = await relatedBelow(search, relation, below.filter(isWanted), below.length > maxCandidates);
  const ipSearchResults = await mappedInTurns(rows, row => plainNetwork(context, row));
  return { body: { ...moreNotices(notices), ipSearchResults }, redacted: [] };
}

/** A row with its text; undefined for one that there isn't. */
async function firstWithText<Row extends { objectId: number }>(
  search: Search,
  row: Row | undefined,
): Promise<(Row & { text: string }) | undefined> {
  return row && (await withTexts(search, { rows: [row], notices: [] })).rows[0];
}

/** The first rows of those directly below, or at the bottom, with their texts. */
async function relatedBelow<Row extends Ends & { objectId: number }>(
  search: Search,
  relation: 'down' | 'bottom',
  rows: readonly Row[],
  isCut: boolean,
): Promise<{ rows: (Row & { text: string })[]; notices: Notice[] }> {
  const { top, bottom } = await layersOf(rows);
  return withTexts(
    search,
    chosen(search.context, relation === 'down' ? top : bottom, () => true, isCut),
  );
}

type Ends = { first: string; last: string };
/** A range that may have others inside: how many addresses those directly inside have. */
type Layer<Row> = { row: Row; range: AddressRange; covered: bigint };

const sizeOf = ({ first, last }: AddressRange): bigint => last - first + 1n;

/**
 * Returns, of ranges sorted by start, larger ones first, those that lie in no other, and those with addresses outside of all smaller ones. Each is looked at once, while others
 * have their turn.
 */
async function layersOf<Row extends Ends>(rows: readonly Row[]): Promise<{ top: Row[]; bottom: Row[] }> {
  const breathe = breathing();
  const top: Row[] = [];
  const layers: Layer<Row>[] = [];
  /** The ranges around the present one, the largest first. */
  const around: Layer<Row>[] = [];
  for (const row of rows) {
    const layer = { row, range: rangeBetween(row.first, row.last), covered: 0n };
    while (around.length > 0 && !(around.at(-1)!.range.first <= layer.range.first && layer.range.last <= around.at(-1)!.range.last))
      around.pop();
    const parent = around.at(-1);
    if (parent) parent.covered += sizeOf(layer.range);
    else top.push(row);
    around.push(layer);
    layers.push(layer);
    await breathe();
  }
  return { top, bottom: layers.filter(({ range, covered }) => covered < sizeOf(range)).map(({ row }) => row) };
}

/** `domains/rirSearch1/<relation>/<zone>`: the same over reverse zones. */
export async function relatedDomains(search: Search, relationText: string, asked: string): Promise<Answer> {
  const {
    db: { read },
    context,
  } = search;
  const relation = readRelation(relationText);
  const range = zoneRange(asked.toLowerCase());
  if (!range) throw new RdapRefusal(400, `“${asked.slice(0, 80)}” isn’t a reverse zone, such as 2.0.192.in-addr.arpa.`);
  const ends = endsOf(range);
  const zones = sql`select object_id, shown, first, last, created_at, changed_at from whois_object where class = 'domain' and first is not null`;
  const isUpwards = relation === 'up' || relation === 'top';
  const found = isUpwards
    ? sql`select * from (${zones} and ${over(ends)} offset 0) found where ${holding(ends)} order by first, last desc limit ${maxCandidates}`
    : sql`${zones} and ${inside(ends)} order by first, last desc limit ${maxCandidates + 1}`;
  const rows = await read.rows<Listed<DomainRow> & Ends>(sql`
    select object_id, shown, host(first) as first, host(last) as last, created_at, changed_at from (${found}) o order by o.first, o.last desc`);
  if (isUpwards) {
    const row = await firstWithText(search, relation === 'top' ? rows[0] : rows.at(-1));
    if (!row) throw new RdapRefusal(404, `There is no reverse zone around ${asked}.`);
    return { body: plainDomain(context, row), redacted: [] };
  }
  const { rows: shown, notices } = await relatedBelow(search, relation, rows, rows.length > maxCandidates);
  const domainSearchResults = await mappedInTurns(shown, row => plainDomain(context, row));
  return { body: { ...moreNotices(notices), domainSearchResults }, redacted: [] };
}

/** `autnums/rirSearch1/…` has no hierarchy to answer from. */
export function relatedAutnums(relationText: string, asked: string): never {
  readRelation(relationText);
  parseAsNumber(asked.split('-', 1)[0]!);
  throw new RdapRefusal(501, 'AS numbers have no hierarchy here (flat model).');
}
