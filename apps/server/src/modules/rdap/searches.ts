import { parseAsNumber, parseRange, parseReverseZone, ResourceSyntaxError } from '@portal/number-resources';
import { parseObject, valueOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { type Answer, type AnswerContext, linkTo, type Notice } from './answer.ts';
import { type AutnumRow, plainAutnum } from './autnums.ts';
import { type DomainRow, plainDomain } from './domains.ts';
import { foundEntity } from './entities.ts';
import { nameOf } from './j-card.ts';
import { type NetworkRow, plainNetwork, statusOf } from './networks.ts';
import { RdapRefusal } from './refusal.ts';
import { beginsWith, readPattern, type SearchPattern } from './search-pattern.ts';
import { delegationAt, type EntityRow, isNetwork, standing } from './stored-objects.ts';
import { endsOf, rangeOfPath } from './look-ups.ts';

type Search = { db: { read: Pick<Read, 'rows'> }; context: AnswerContext };
type Query = Readonly<Record<string, string | undefined>>;

/** Results of one search. */
const mostResults = 100;
/** Candidates that are compared with a pattern before a search says that it is too wide. */
const mostCandidates = 5_000;

/** Exactly one of these parameters; others are not ours to know (RFC 7480, section 4.1). */
function oneOf<const Name extends string>(query: Query, names: readonly Name[]): { name: Name; pattern: SearchPattern } {
  const given = names.filter(name => (query[name] ?? '') !== '');
  const [name] = given;
  if (name === undefined || given.length > 1)
    throw new RdapRefusal(400, `A search has exactly one of the parameters ${names.join(' and ')}, such as ?${names[0]}=example*.`);
  return { name, pattern: readPattern(query[name] ?? '') };
}

/** The first matches of the candidates, with a notice when there are more of either. */
function chosen<Row>(
  context: AnswerContext,
  rows: readonly Row[],
  matches: (row: Row) => boolean,
  isCut = rows.length > mostCandidates,
): { rows: Row[]; notices: Notice[] } {
  const found: Row[] = [];
  for (const row of rows.slice(0, mostCandidates)) {
    if (found.length > mostResults) break;
    if (matches(row)) found.push(row);
  }
  const cut = found.length > mostResults || isCut;
  const notice: Notice = {
    title: 'Search Policy',
    type: 'result set truncated due to excessive load',
    description: [`At most ${mostResults} results are shown; ask for something narrower.`],
    links: [linkTo(context, 'related', 'help')],
  };
  return { rows: found.slice(0, mostResults), notices: cut ? [notice] : [] };
}

/** The literal text before the first star. */
const beginning = ({ text }: SearchPattern): string => text.split('*', 1)[0] ?? '';

/** `entities?fn=` and `?handle=`: persons, roles, organisations, irts and maintainers. No result is an empty list. */
export async function searchEntities({ db: { read }, context }: Search, query: Query): Promise<Answer> {
  const { name, pattern } = oneOf(query, ['fn', 'handle']);
  const classes = sql`class in ('person', 'role', 'organisation', 'irt', 'mntner')`;
  const columns = sql`object_id, class, shown, text, created_at, changed_at`;
  const limit = mostCandidates + 1;
  let rows: EntityRow[];
  if (name === 'handle') {
    rows = await read.rows<EntityRow>(
      sql`select ${columns} from whois_object where ${classes} and key like ${beginsWith(literalStart(pattern))} order by key, class limit ${limit}`,
    );
  } else {
    // Names are found by one of their words: the longest whole one, else the longest beginning of one.
    const words = pattern.text.split(/\s+/).map(word => ({ whole: !word.includes('*'), text: word.split('*', 1)[0]! }));
    const [best] = words
      .filter(({ text }) => text.length >= 2)
      .sort((a, b) => Number(b.whole) - Number(a.whole) || b.text.length - a.text.length);
    if (!best) throw new RdapRefusal(400, 'A search for a name needs a word of it that begins with at least two letters before any star.');
    const key = best.whole ? sql`k.key = ${best.text}` : sql`k.key like ${beginsWith(best.text)}`;
    rows = await read.rows<EntityRow>(sql`
      select ${columns} from whois_object where ${classes} and object_id in (select k.object_id from whois_key k where ${key})
      union select ${columns} from whois_object where class in ('irt', 'mntner') and key like ${beginsWith(beginning(pattern))}
      order by shown limit ${limit}`);
  }
  const nameOfRow = ({ text }: EntityRow): string => {
    const { object } = parseObject(text);
    return object ? nameOf(object) : '';
  };
  const { rows: found, notices } = chosen(context, rows, row => pattern.matches(name === 'handle' ? row.shown : nameOfRow(row)));
  return { body: { ...moreNotices(notices), entitySearchResults: found.map(row => foundEntity(context, row)) }, redacted: [] };
}

/** Notices beside those of every answer; the router puts them together. */
const moreNotices = (notices: readonly Notice[]): { notices?: readonly Notice[] } => (notices.length > 0 ? { notices } : {});

function literalStart(pattern: SearchPattern): string {
  const start = beginning(pattern);
  if (start.length < 2) throw new RdapRefusal(400, 'A search pattern needs at least two characters before the first star.');
  return start;
}

/** `domains?name=`: reverse zones. By name server is not served. */
export async function searchDomains({ db: { read }, context }: Search, query: Query): Promise<Answer> {
  if (query['nsLdhName'] !== undefined || query['nsIp'] !== undefined)
    throw new RdapRefusal(501, 'Domains are searched by name; by name server is not supported.');
  const pattern = readPattern(oneOf(query, ['name']).pattern.text.replace(/\.$/, ''));
  // The text after the last star is a zone around all matches.
  const suffix = pattern.text.split('*').at(-1)!;
  const zone = suffix.slice(suffix.indexOf('.') + 1);
  const columns = sql`shown, text, host(first) as first, host(last) as last, created_at, changed_at`;
  let rows: DomainRow[];
  if (!pattern.text.includes('*')) {
    rows = await read.rows<DomainRow>(sql`select ${columns} from whois_object where class = 'domain' and key = ${pattern.text}`);
  } else {
    const range = zoneRange(zone);
    if (!range) throw new RdapRefusal(400, 'A search for domains ends with a reverse zone, such as *.113.0.203.in-addr.arpa.');
    const { first, last } = endsOf(range);
    rows = await read.rows<DomainRow>(sql`
      select ${columns} from whois_object where class = 'domain' and first is not null and first >= ${first}::inet and first <= ${last}::inet and last <= ${last}::inet
      order by whois_object.first, whois_object.last limit ${mostCandidates + 1}`);
  }
  const { rows: found, notices } = chosen(context, rows, ({ shown }) => pattern.matches(shown));
  return { body: { ...moreNotices(notices), domainSearchResults: found.map(row => plainDomain(context, row)) }, redacted: [] };
}

function zoneRange(zone: string): ReturnType<typeof parseReverseZone> | null {
  try {
    return parseReverseZone(zone);
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return null;
    throw error;
  }
}

/** Candidates by `where`, in the order of their addresses. */
const networkRows = (where: ReturnType<typeof sql>) =>
  standingOf(
    sql`select * from whois_object where ${sql.raw(isNetwork)} and ${where} order by first, last desc limit ${mostCandidates + 1}`,
  );
/** All over a range, the largest first. The prefix tree finds them, and the rest is compared outside, lest the planner walk through all in order. */
const networksOver = (ends: Ends) =>
  standingOf(
    sql`select * from (select * from whois_object where ${sql.raw(isNetwork)} and ${over(ends)} offset 0) found where ${holding(ends)}`,
  );
const standingOf = (objects: ReturnType<typeof sql>) => sql<NetworkRow>`
  select o.shown, o.text, host(o.first) as first, host(o.last) as last, o.created_at, o.changed_at, ${sql.raw(standing('o'))}
  from (${objects}) o left join lateral ${sql.raw(delegationAt('o.first'))} held on true order by o.first, o.last desc`;
/** Objects over a range come by the prefix tree, then exactly. */
const over = ({ first, last }: Ends) => sql`inet_merge(first, last) >>= inet_merge(${first}::inet, ${last}::inet)`;
const holding = ({ first, last }: Ends) =>
  sql`first <= ${first}::inet and last >= ${last}::inet and not (first = ${first}::inet and last = ${last}::inet)`;
const inside = ({ first, last }: Ends) =>
  sql`first >= ${first}::inet and first <= ${last}::inet and last <= ${last}::inet and not (first = ${first}::inet and last = ${last}::inet)`;

/** `ips?name=` (netname) and `ips?handle=` (the range as whois writes it; before a star, whole parts of an address). */
export async function searchIps({ db: { read }, context }: Search, query: Query): Promise<Answer> {
  const { name, pattern } = oneOf(query, ['handle', 'name']);
  let rows: NetworkRow[];
  if (name === 'name') {
    const key = pattern.text.includes('*') ? sql`k.key like ${beginsWith(literalStart(pattern))}` : sql`k.key = ${pattern.text}`;
    rows = await read.rows(networkRows(sql`object_id in (select k.object_id from whois_key k where ${key})`));
  } else {
    const range = rangeOfHandle(pattern);
    const { first, last } = endsOf(range);
    rows = await read.rows(networkRows(sql`first >= ${first}::inet and first <= ${last}::inet`));
  }
  const { rows: found, notices } = chosen(context, rows, row =>
    pattern.matches(
      name === 'handle' ? row.shown : (valueOf(parseObject(row.text).object ?? { class: '', attributes: [] }, 'netname') ?? ''),
    ),
  );
  return { body: { ...moreNotices(notices), ipSearchResults: found.map(row => plainNetwork(context, row)) }, redacted: [] };
}

/** The addresses with which a handle of this pattern can begin. */
function rangeOfHandle(pattern: SearchPattern): ReturnType<typeof rangeOfPath> {
  const start = beginning(pattern).split(/\s*-|\//, 1)[0]!;
  const separator = start.includes(':') ? ':' : '.';
  const isWhole = !pattern.text.includes('*') || start.length < beginning(pattern).length;
  if (isWhole) return rangeOfPath(start);
  const parts = start.split(separator).slice(0, -1);
  const known = parts.filter(part => part !== '').length;
  const text =
    separator === ':' ? `${parts.join(':')}::/${known * 16}` : `${[...parts, '0', '0', '0', '0'].slice(0, 4).join('.')}/${known * 8}`;
  try {
    if (known === 0 || known > (separator === ':' ? 7 : 3) || parts.length !== known) throw new ResourceSyntaxError('NOT_AN_ADDRESS', text);
    return parseRange(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    throw new RdapRefusal(400, 'A search for handles of networks begins with whole parts of an address, such as 203.0.* or 2001:db8:*.');
  }
}

/** `autnums?handle=` and `autnums?name=` (as-name). */
export async function searchAutnums({ db: { read }, context }: Search, query: Query): Promise<Answer> {
  const { name, pattern } = oneOf(query, ['handle', 'name']);
  const start = literalStart(pattern);
  const match =
    name === 'handle' ? sql`key like ${beginsWith(start)}` : sql`text ~* ${`\nas-name:[ \t]*${start.replaceAll(/[^\w-]/g, '.')}`}`;
  const rows = await read.rows<AutnumRow>(sql`
    select shown, text, first_as as as_number, created_at, changed_at from whois_object where class = 'aut-num' and ${match}
    order by first_as limit ${mostCandidates + 1}`);
  const { rows: found, notices } = chosen(context, rows, row =>
    pattern.matches(
      name === 'handle' ? row.shown : (valueOf(parseObject(row.text).object ?? { class: '', attributes: [] }, 'as-name') ?? ''),
    ),
  );
  return { body: { ...moreNotices(notices), autnumSearchResults: found.map(row => plainAutnum(context, row)) }, redacted: [] };
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
 * 3.2). `status` first takes away all objects of another status.
 */
export async function relatedNetworks(
  { db: { read }, context }: Search,
  relationText: string,
  asked: string,
  status: string | undefined,
): Promise<Answer> {
  const relation = readRelation(relationText);
  const ends = endsOf(rangeOfPath(asked));
  const isWanted = (row: NetworkRow): boolean => status === undefined || statusOf(row) === status;
  if (relation === 'up' || relation === 'top') {
    const around = await read.rows(networksOver(ends));
    const wanted = around.filter(isWanted);
    const row = relation === 'top' ? wanted[0] : wanted.at(-1);
    if (!row) throw new RdapRefusal(404, `There is no network object around ${asked}.`);
    return { body: plainNetwork(context, row), redacted: [] };
  }
  const below = await read.rows(networkRows(inside(ends)));
  const wanted = below.filter(isWanted);
  const { rows, notices } = chosen(
    context,
    relation === 'down' ? directlyBelow(wanted) : atTheBottom(wanted),
    () => true,
    below.length > mostCandidates,
  );
  return { body: { ...moreNotices(notices), ipSearchResults: rows.map(row => plainNetwork(context, row)) }, redacted: [] };
}

type Ends = { first: string; last: string };
const isInside = (outer: Ends, inner: Ends): boolean => {
  const [a, b] = [parseRange(`${outer.first}-${outer.last}`), parseRange(`${inner.first}-${inner.last}`)];
  return a.first <= b.first && b.last <= a.last;
};

/** Returns, from ranges in the order of their starts, larger ones first: those that lie in no other. */
function directlyBelow<Row extends Ends>(rows: readonly Row[]): Row[] {
  const top: Row[] = [];
  for (const row of rows) if (top.length === 0 || !isInside(top.at(-1)!, row)) top.push(row);
  return top;
}

/** Returns the ranges with addresses that are in no smaller one. */
function atTheBottom<Row extends Ends>(rows: readonly Row[]): Row[] {
  return rows.filter((row, index) => {
    const below: Row[] = [];
    for (let at = index + 1; at < rows.length && isInside(row, rows[at]!); at++) below.push(rows[at]!);
    const children = directlyBelow<Ends>(below).map(({ first, last }) => parseRange(`${first}-${last}`));
    const own = parseRange(`${row.first}-${row.last}`);
    return children.reduce((sum, child) => sum + (child.last - child.first + 1n), 0n) < own.last - own.first + 1n;
  });
}

/** `domains/rirSearch1/<relation>/<zone>`: the same over reverse zones. */
export async function relatedDomains({ db: { read }, context }: Search, relationText: string, asked: string): Promise<Answer> {
  const relation = readRelation(relationText);
  const range = zoneRange(asked.toLowerCase());
  if (!range) throw new RdapRefusal(400, `“${asked.slice(0, 80)}” is not a reverse zone; write one like 2.0.192.in-addr.arpa.`);
  const ends = endsOf(range);
  const isUpwards = relation === 'up' || relation === 'top';
  const zones = sql`select shown, text, first, last, created_at, changed_at from whois_object where class = 'domain' and first is not null`;
  const found = isUpwards
    ? sql`select * from (${zones} and ${over(ends)} offset 0) found where ${holding(ends)}`
    : sql`${zones} and ${inside(ends)} order by first, last desc limit ${mostCandidates + 1}`;
  const rows = await read.rows<DomainRow & Ends>(sql`
    select shown, text, host(first) as first, host(last) as last, created_at, changed_at from (${found}) o order by o.first, o.last desc`);
  if (isUpwards) {
    const row = relation === 'top' ? rows[0] : rows.at(-1);
    if (!row) throw new RdapRefusal(404, `There is no reverse zone around ${asked}.`);
    return { body: plainDomain(context, row), redacted: [] };
  }
  const { rows: shown, notices } = chosen(
    context,
    relation === 'down' ? directlyBelow(rows) : atTheBottom(rows),
    () => true,
    rows.length > mostCandidates,
  );
  return { body: { ...moreNotices(notices), domainSearchResults: shown.map(row => plainDomain(context, row)) }, redacted: [] };
}

/** `autnums/rirSearch1/…` has no hierarchy to answer from. */
export function relatedAutnums(relationText: string, asked: string): never {
  readRelation(relationText);
  parseAsNumber(asked.split('-', 1)[0]!);
  throw new RdapRefusal(501, 'AS numbers have no hierarchy here (flat model).');
}
