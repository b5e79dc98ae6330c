import {
  type RecordHealth,
  type RecordMark,
  type RecordObject,
  type RecordSection,
  recordSubjects,
  type ResourceRecord,
} from '@portal/contract/records/records';
import type { WhoisClass } from '@portal/contract/whois/whois';
import {
  type AddressRange,
  type AsRange,
  type NumberResource,
  prefixAt,
  printAddress,
  printAsNumber,
  printResource,
} from '@portal/number-resources';
import { rangeOf, valueOf } from '@portal/rpsl';
import { type RawBuilder, sql } from 'kysely';
import { mappedInTurns } from '../../platform/breathing.ts';
import { preparedQuery, type Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuseField } from '../../platform/failure.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { columnsOf, type LedgerRecord, ledgerRecord, relationOf, searchedResource } from '../resources/index.ts';
import { listOf, nameOf, objectOfRow, reclaimable, rightsOf } from '../whois/index.ts';
import type { HealthPart, RecordPart, RecordSubject } from './contributions.ts';
import { type Known, type KnownRow, objectAddress } from './known-object.ts';
import { contactsOf } from './record-contacts.ts';
import { editorsOf } from './record-editors.ts';
import { marksOf } from './record-marks.ts';
import { lanesOfVersions, versionsOf } from './record-versions.ts';

/** Maximum number of inner objects of each kind on one page, and of those around. */
const INSIDE = 200;
/** Bytes after which no more objects are read for a page: one may have hundreds of thousands. */
const READ_BYTES = 1_000_000;

const networks = ['inetnum', 'inet6num'];
const routes = ['route', 'route6'];
type RecordQuery = { resource: string; on?: string | undefined };

/** Reads what was asked for. @throws Failure INVALID_REQUEST for text that isn't a prefix, address, range or AS number */
export function askedResource(text: string): NumberResource {
  const resource = searchedResource(text);
  if (!resource) throw refuseField('resource', `“${text}” isn’t a prefix, address, range or AS number, such as 198.18.0.0/19 or AS64500`);
  return resource;
}

/** The prefix, range or AS number, as it is spelled, with its ends and its size. */
export function numbersShown(resource: NumberResource): Pick<ResourceRecord, 'kind' | 'resource' | 'first' | 'last' | 'size'> {
  const { kind, first, last, firstAs, lastAs, size } = columnsOf(resource);
  const [from, to] = kind === 'asn' ? [printAsNumber(firstAs!), printAsNumber(lastAs!)] : [first!, last!];
  return { kind, resource: printResource(resource), first: from, last: to, size };
}

/** Who looks at some numbers, and as of which day: null for now. */
type View = Pick<RecordSubject, 'read' | 'account' | 'resource' | 'on'> & { caller: Pick<Caller, 'loginId' | 'amr'> };

/** Reads facts of the ledger and of whois about some numbers, as far as the viewer may know them: all other parts of a page are about these. */
export async function aboutNumbers({ read, account, caller, resource, on }: View): Promise<{
  ledger: LedgerRecord;
  known: Known[];
  /** The object with their contacts. */
  subject: Known | null;
  recorded: RecordSubject;
}> {
  const [ledger, { known, more }] = await Promise.all([ledgerRecord(read, account, resource, on), knownObjects(read, resource, on)]);
  const around = ledger.holdings.filter(holding => holding.own && holding.relation !== 'inside');
  const recorded: RecordSubject = {
    read,
    account,
    caller,
    byProgram: caller.amr.includes('api-key'),
    resource,
    on,
    own: around.length > 0,
    here: around.some(({ registry }) => registry === null),
    assignments: ledger.assignments,
    moreAssignments: ledger.moreAssignments,
    objects: known,
    moreObjects: more,
  };
  return { ledger, known, subject: subjectOf(known, resource), recorded };
}

/** Returns parts of a page that other modules have. @param wanted ids of contributions; all of them where it is left out */
export const partsAbout = (
  recorded: RecordSubject,
  registry: ModuleContext,
  wanted?: ReadonlySet<string>,
): Promise<(RecordPart & { id: string })[]> =>
  Promise.all(
    registry.modules.flatMap(({ records = [] }) =>
      records
        .filter(({ id }) => wanted?.has(id) ?? true)
        .map(async ({ id, describe }) => ({ id, ...(await describe(recorded, registry)) })),
    ),
  );

/** The sections of a page that other modules have. */
export const sectionsOf = (parts: readonly (RecordPart & { id: string })[]): RecordSection[] =>
  parts.flatMap(({ id, section }) => (section ? [{ id, about: null, ...section }] : []));

/**
 * Returns everything known about a prefix, range or AS number, now or at the end of a day. Whois objects, past ones too, are public; other ledger
 * facts are returned for the caller's own account only. @throws Failure INVALID_REQUEST for text that isn't a prefix, address, range or AS number.
 */
export async function getRecord({
  read,
  account,
  caller,
  query: { resource: text, on: day },
  registry,
}: {
  read: Read;
  account: AdmittedAccount;
  caller: Pick<Caller, 'loginId' | 'amr'>;
  query: RecordQuery;
  registry: ModuleContext;
}): Promise<ResourceRecord> {
  const resource = askedResource(text);
  const on = day ?? null;
  const [{ ledger, known, subject, recorded }, rights] = await Promise.all([
    aboutNumbers({ read, account, caller, resource, on }),
    rightsOf(read, account.accountName, account.contactId),
  ]);
  const { own, here, byProgram, moreObjects } = recorded;
  const mine = on === null ? await reclaimable(read, known, rights) : new Set<number>();
  const [people, versions, judged, editors, parts] = await Promise.all([
    contactsOf(read, subject?.object ?? null, registry.config),
    versionsOf(read, account, known, resource),
    on === null ? marksOf(read, account, resource, { ledger, known, subject, own, here }) : { marks: [], health: [] },
    on === null && own && !byProgram ? editorsOf(read, account, resource) : [],
    partsAbout(recorded, registry),
  ]);
  const contributed = parts.flatMap(part => part.marks ?? []);
  const marks = on === null ? [...judged.marks, ...contributed, ...people.marks(here)] : [];
  return {
    ...numbersShown(resource),
    on,
    holdings: ledger.holdings,
    moreHoldings: ledger.moreHoldings,
    pools: ledger.pools,
    assignments: ledger.assignments,
    moreAssignments: ledger.moreAssignments,
    mayAssign: ledger.mayAssign && account.permissions.has('whois-private-objects-update'),
    objects: known.map(each => ({ ...recordObject(each, resource), mayReclaim: mine.has(each.objectId) })),
    moreObjects,
    contacts: people.contacts,
    irtMailboxes: people.mailboxes,
    health: on === null ? healthOf([...judged.health, ...parts.flatMap(part => part.health ?? []), ...people.health(own)], marks) : [],
    routing: on === null ? (parts.find(part => part.routing)?.routing ?? null) : null,
    fee: on === null ? (parts.find(part => part.fee)?.fee ?? null) : null,
    editors: on === null ? [...editors, ...parts.flatMap(part => part.editors ?? [])] : [],
    used: ledger.used,
    sections: sectionsOf(parts),
    marks,
    lanes: [...parts.flatMap(part => part.lanes ?? []), ...lanesOfVersions(versions, resource)],
    history: [
      ...versions.map(({ at, what, by, link }) => ({ at, what, by, link })),
      ...ledger.history.map(entry => ({ ...entry, link: null })),
      ...parts.flatMap(part => part.history ?? []),
    ]
      .sort((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, 100),
  };
}

const weights: Record<RecordMark['mark'], number> = { valid: 0, info: 1, warning: 2, invalid: 3 };

/** Joins what the modules know of each subject: the worst state counts, with its words; a worse check is counted in words. */
function healthOf(given: readonly HealthPart[], marks: readonly RecordMark[]): RecordHealth[] {
  return recordSubjects.flatMap((about): RecordHealth[] => {
    const parts = given.filter(part => part.about === about);
    const failed = marks.filter(mark => mark.about === about);
    if (parts.length + failed.length === 0) return [];
    const [state] = parts
      .flatMap(({ mark, word }) => (mark !== undefined && word !== undefined ? [{ mark, word }] : []))
      .toSorted((a, b) => weights[b.mark] - weights[a.mark]);
    const [worst] = failed.toSorted((a, b) => weights[b.mark] - weights[a.mark]);
    const count = failed.filter(({ mark }) => mark === worst?.mark).length;
    const isWorse = worst !== undefined && (state === undefined || weights[worst.mark] > weights[state.mark]);
    const mark = isWorse ? worst.mark : (state?.mark ?? 'info');
    const word = !isWorse && state ? state.word : wordOf(mark, count);
    return [{ about, mark, word, facts: parts.flatMap(part => part.facts ?? []), actions: parts.flatMap(part => part.actions ?? []) }];
  });
}

const wordOf = (mark: RecordMark['mark'], count: number): string =>
  mark === 'invalid' ? `${count} to fix` : mark === 'warning' ? `${count} to check` : mark === 'info' ? 'For your information' : 'Fine';

const columns = 'o.object_id, o.class, o.key, o.shown, o.text, o.version, o.changed_at, o.kept_for, o.kept, o.registry_maintained';

/** Rows of a page, and whether there are more than it has. */
type Rows = { rows: KnownRow[]; more: boolean };

async function knownObjects(read: Read, resource: NumberResource, on: string | null): Promise<{ known: Known[]; more: boolean }> {
  const { rows, more } = await objectsOf(read, resource);
  const found = on === null ? rows : await asOf(read, resource, on, rows);
  return { known: await mappedInTurns(found, row => ({ ...row, object: objectOfRow(row) })), more };
}

/** SQL: objects in the order of their `place` until `READ_BYTES` are reached, at least one. */
const asFarAsRead = (objects: string, order: string): string => `select ${columns}, o.total from (
    select o.*, count(*) over ()::int as total, sum(octet_length(o.text)) over (order by o.place, o.object_id) - octet_length(o.text) as before
    from (${objects}) o) o where before < ${READ_BYTES} order by ${order}`;

type Placed = KnownRow & { total: number };

function foundIn(rows: readonly Placed[]): Rows {
  const total = rows[0]?.total ?? 0;
  return { rows: rows.map(({ total: _total, ...row }) => row), more: total > INSIDE || total > rows.length };
}

// Rows found by the tree are filtered outside: next to it, the planner would scan the other index.
const around = (classes: string): string =>
  `(select w.*, row_number() over (order by w.first desc, w.last, w.object_id) as place from (select * from whois_object where ${classes}
    and inet_merge(first, last) >>= $1::inet offset 0) w where w.first <= $1::inet and w.last >= $2::inet order by place limit ${INSIDE + 1})`;
const inside = (classes: string): string =>
  `(select w.*, 1000 + row_number() over (order by w.first) as place from (select * from whois_object where ${classes} and first >= $1::inet and first <= $2::inet
    and last <= $2::inet and not (first = $1::inet and last = $2::inet) order by first limit ${INSIDE + 1}) w)`;

/** Networks, routes and reverse domains around and inside, those around first, the closest of them first; each an index scan at a million objects. Planning it takes longer than running it. */
const OF_ADDRESSES = preparedQuery<Placed>(
  asFarAsRead(
    `${around(`class in ('inetnum', 'inet6num')`)} union all ${inside(`class in ('inetnum', 'inet6num')`)}
    union all ${around(`class in ('route', 'route6')`)} union all ${inside(`class in ('route', 'route6')`)}
    union all ${around(`class = 'domain' and first is not null`)} union all ${inside(`class = 'domain' and first is not null`)}`,
    'o.first, o.last desc, o.class, o.key',
  ),
);

/** aut-nums and as-blocks of the numbers, routes they originate, and sets that name a single one. */
const OF_NUMBERS = preparedQuery<Placed>(
  asFarAsRead(
    `(select *, 0 as place from whois_object where class = 'as-block' and first_as <= $2::bigint and last_as >= $1::bigint limit ${INSIDE})
    union all (select *, 1 as place from whois_object where class = 'aut-num' and key = any((select $3::text[])::text[]))
    union all (select *, 2 as place from whois_object where class in ('route', 'route6') and origin between $1::bigint and $2::bigint order by origin, first limit ${INSIDE + 1})
    union all (select s.*, 3 as place from whois_reference r join whois_object s using (object_id) where $1::bigint = $2::bigint and r.value = $4
      and r.attribute in ('members', 'mp-members') limit ${INSIDE})`,
    `o.class = 'as-block' desc, o.class = 'aut-num' desc, o.first nulls first, o.key`,
  ),
);

async function objectsOf(read: Read, resource: NumberResource): Promise<Rows> {
  if (resource.family !== 'asn') {
    const { first, last } = columnsOf(resource);
    return foundIn(await read.rows(OF_ADDRESSES(first, last)));
  }
  const { first, last } = resource;
  return foundIn(await read.rows(OF_NUMBERS(first, last, autNumKeys(first, last), printAsNumber(first).toLowerCase())));
}

/** A range of more numbers than this is treated as a block. */
const autNumKeys = (first: number, last: number): string[] =>
  Array.from({ length: Math.min(last - first + 1, INSIDE) }, (_, place) => printAsNumber(first + place).toLowerCase());

/**
 * The past objects: existing and since deleted ones, each in its last version of that day. A deleted network around the range is
 * found if it began where a prefix around the range begins.
 */
async function asOf(read: Read, resource: NumberResource, on: string, now: readonly KnownRow[]): Promise<KnownRow[]> {
  const gone = resource.family === 'asn' ? goneOf(resource) : goneIn(resource);
  const rows =
    await read.rows<KnownRow>(sql`select object_id, class, key, shown, text, version, changed_at, kept_for, kept, registry_maintained from (
    with named as (select * from unnest(${now.map(row => row.class)}::text[], ${now.map(row => row.key)}::text[]) as n (class, key) union (${gone}))
    select j.serial as object_id, j.class, j.key, j.shown, j.text, j.version, j.happened_at as changed_at, null as kept_for, false as kept, false as registry_maintained,
      sum(octet_length(j.text)) over (order by j.serial) - octet_length(j.text) as before
    from named n cross join lateral (select * from whois_journal j where j.class = n.class and j.key = n.key and j.happened_at < ${on}::date + 1
      order by j.version desc limit 1) j where j.operation = 'ADD' limit ${2 * INSIDE}) o where before < ${READ_BYTES}`);
  const place = new Map(now.map((row, index) => [`${row.class} ${row.key}`, index]));
  const isThere = (row: KnownRow): boolean => {
    const object = objectOfRow(row);
    // A set that names the number now may not have named it then; a route's origin is part of its key.
    if (resource.family === 'asn' && row.class.endsWith('-set'))
      return [...listOf(object, 'members'), ...listOf(object, 'mp-members')].some(
        each => each.toUpperCase() === printAsNumber(resource.first),
      );
    if (place.has(`${row.class} ${row.key}`)) return true;
    if (resource.family === 'asn') return true;
    const range = rangeOf(object);
    return (
      range !== null &&
      range.family === resource.family &&
      (relationOf(range, resource) !== 'inside' || relationOf(resource, range) !== 'inside')
    );
  };
  return rows.filter(isThere).sort((a, b) => (place.get(`${a.class} ${a.key}`) ?? 1e9) - (place.get(`${b.class} ${b.key}`) ?? 1e9));
}

/** Deleted aut-nums of some numbers, and routes they originated. */
function goneOf({ first, last }: AsRange): RawBuilder<unknown> {
  const keys = autNumKeys(first, last);
  return sql`(select class, key from whois_journal where operation = 'DEL' and class = 'aut-num' and key = any(${keys}::text[]))
    union (select class, key from whois_journal where operation = 'DEL' and class in ('route', 'route6')
      and split_part(key, 'as', 2) = any(${keys.map(key => key.slice(2))}::text[]) limit 1000)`;
}

const beganAt = sql`(split_part(split_part(split_part(key, ' ', 1), 'as', 1), '/', 1)::inet)`;

function goneIn(range: AddressRange): RawBuilder<unknown> {
  const { first, last } = columnsOf(range);
  const bits = range.family === 'ipv4' ? 32 : 128;
  const starts = new Set(
    Array.from({ length: bits + 1 }, (_, length) =>
      printAddress({ family: range.family, value: prefixAt(range.family, range.first, length).first }),
    ),
  );
  const which = sql`operation = 'DEL' and class in ('inetnum', 'inet6num', 'route', 'route6')`;
  return sql`(select class, key from whois_journal where ${which} and ${beganAt} = any(${[...starts]}::inet[]) limit 1000)
    union (select class, key from whois_journal where ${which} and ${beganAt} between ${first}::inet and ${last}::inet limit 1000)`;
}

/** Returns facts of an object that a page tells. */
export function recordObject(
  { class: objectClass, key, shown, version, changedAt, object }: Known,
  resource: NumberResource,
): Omit<RecordObject, 'mayReclaim'> {
  const range = rangeOf(object);
  const relation = range === null || range.family !== resource.family ? 'inside' : relationOf(range, resource);
  const origin = routes.includes(objectClass) ? (valueOf(object, 'descr') ?? '') : nameOf(object);
  return {
    relation,
    class: objectClass as WhoisClass,
    key,
    shown,
    resource: range === null ? null : printResource(range),
    name: origin,
    version,
    changedAt,
    maintainers: listOf(object, 'mnt-by'),
    link: objectAddress(objectClass, key),
  };
}

/** The object with the contacts for the numbers: their own, otherwise the smallest around them. */
function subjectOf(known: readonly Known[], resource: NumberResource): Known | null {
  const classes = resource.family === 'asn' ? ['aut-num', 'as-block'] : networks;
  const around = known.filter(each => {
    const range = rangeOf(each.object);
    return classes.includes(each.class) && range !== null && relationOf(range, resource) !== 'inside';
  });
  return around.at(-1) ?? null;
}
