import { type AnswerOf, type Download, type Permission, permissions, type QueryOf } from '@portal/contract';
import { type ActivityLine, activityLog } from '@portal/contract/activity-log/activity-log';
import { type RawBuilder, sql } from 'kysely';
import { frequent, type Read } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuseField } from '../../platform/failure.ts';
import type { Registry } from '../../platform/registry.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { isWithheldFromVisits } from '../accounts/index.ts';
import { periodOf } from './period.ts';
import { refusalWords } from './refusal-words.ts';
import { nonMemberActions, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** A read of the log. */
export type Reading = { read: Read; account: AdmittedAccount; registry: Pick<Registry, 'profile' | 'config' | 'modules' | 'now'> };

/** A read of lines only, which need no further permission. */
type LineReading = {
  read: Read;
  account: Viewer;
  registry: Pick<Registry, 'config' | 'modules'>;
};

/** Without permissions the reader is any contact of the account. */
type Viewer = Pick<AdmittedAccount, 'accountName' | 'asStaff'> & Partial<Pick<AdmittedAccount, 'permissions'>>;

type Filters = Omit<QueryOf<typeof activityLog.exportActivities>, 'format'>;

/** Notes of a change that name the person or thing acted on, the most telling first, with the permission that is needed to see it elsewhere. */
const namingNotes: readonly (readonly [note: string, needs?: Permission])[] = [
  ['contact'], ['whom'], ['requester'], ['document'], ['certificate'], ['invoice'], ['quote', 'member-billing-view'], ['payment', 'member-billing-view'], ['election'], ['event'],
  ['label'], ['maintainer'], ['mailbox'], ['zone'], ['announcement', 'rescert-view'], ['listing', 'tickets-resources-view'], ['subaccount', 'resources-view'],
  ['entity', 'resources-view'], ['customer', 'whois-private-objects-view'], ['reclaimed'], ['resource', 'resources-view'],
]; // biome-ignore format: one list
/** Notes that list things, with what was done to each. */
const listingNotes: typeof namingNotes = [
  ['zones'],
  ['added', 'rescert-view'],
  ['removed', 'rescert-view'],
  ['changed'],
  ['objects', 'whois-private-objects-view'],
];
/** Things named of a list. */
const LISTED = 2;

/** Registry staff read an account's log during a visit, but not what needs one more of their own permissions. */
export const sees = ({ asStaff, permissions: held }: Viewer, needed: Permission | undefined): boolean =>
  needed === undefined || (held?.has(needed) ?? false) || (asStaff && !isWithheldFromVisits(needed));

/** The person or thing acted on, as noted by the change, for a reader: null where there is none that they may see. What is assigned to a customer is the customer's. */
function objectFor(account: Viewer): RawBuilder<string | null> {
  const seen = (notes: typeof namingNotes): string[] => notes.filter(([, needs]) => sees(account, needs)).map(([note]) => note);
  return sql`coalesce(
  (select a.details ->> note from unnest(${seen(namingNotes)}::text[]) with ordinality named(note, place)
    where jsonb_typeof(a.details -> note) = 'string' and a.details ->> note <> ''
      and (a.action not like 'customers.%' or ${sees(account, 'whois-private-objects-view')}) order by place limit 1),
  (select (select string_agg(regexp_replace(thing, '^([a-z]+ed|create|modify|delete)( domain)? ', ''), ', ') from (select thing from jsonb_array_elements_text(a.details -> note) thing limit ${LISTED}) few)
      || case when jsonb_array_length(a.details -> note) > ${LISTED} then concat(' and ', jsonb_array_length(a.details -> note) - ${LISTED}, ' more') else '' end
    from unnest(${seen(listingNotes)}::text[]) with ordinality listed(note, place) where jsonb_typeof(a.details -> note -> 0) = 'string' order by place limit 1),
  case when a.details ->> 'request' ~ '^[A-Z]' then a.details ->> 'request' end,
  case when jsonb_typeof(a.details -> 'ticket') in ('string', 'number') then case when a.summary ilike '%ticket%' then a.details ->> 'ticket' else concat('ticket ', a.details ->> 'ticket') end end)`;
}

/** Returns the condition that a line belongs to the account, and is listed for the reader. */
export function ofAccount({ account, registry }: Pick<LineReading, 'account' | 'registry'>): RawBuilder<boolean> {
  const { unlistedActions, listedWithin, staffActions } = vocabularyOf(registry.modules);
  return sql<boolean>`a.account_name = ${account.accountName} and (${account.asStaff}::boolean or a.action not like all (${staffActions}::text[]))
    and (a.action not like all (${unlistedActions}::text[]) or a.action like any (${listedWithin}::text[]))`;
}

/** Returns the lines of the account that match, as conditions on `activity a`. @throws Failure INVALID_REQUEST */
export function matching(
  { account, registry }: Omit<Reading, 'read'>,
  { from, to, actor, category, result, q }: Filters,
): RawBuilder<unknown> {
  const { now } = registry;
  const { timeZone } = registry.profile;
  const vocabulary = vocabularyOf(registry.modules);
  const period = periodOf({ from, to }, now, timeZone);
  const conditions = [
    ofAccount({ account, registry }),
    sql`a.happened_at >= ${period.from}::date::timestamp at time zone ${timeZone}`,
    sql`a.happened_at < (${period.to}::date + 1)::timestamp at time zone ${timeZone}`,
  ];
  if (result) conditions.push(result === 'done' ? sql`a.refusal is null` : sql`a.refusal is not null`);
  if (category) {
    const { named, parts } = vocabulary.actionsOf(category);
    conditions.push(
      sql`(a.action = any (${named}::text[]) or (regexp_replace(a.action, '[.][^.]*$', '') = any (${parts}::text[]) and a.action <> all (${vocabulary.namedActions}::text[])))`,
    );
  }
  if (actor) conditions.push(byActor(actor, account.accountName));
  const text = q.trim();
  if (text !== '') conditions.push(sql`(${sql.join(textMatches(account, vocabulary, text), sql` or `)})`);
  return sql.join(conditions, sql` and `);
}

const outsiders = sql`${nonMemberActions}::text[]`;
function byActor(actor: string, accountName: string): RawBuilder<unknown> {
  if (actor === 'helper')
    return sql`a.contact_id in (select contact_id::text from contact where account_name = ${accountName} and helper_until is not null)`;
  if (actor === 'system') return sql`a.contact_id is null and a.login_subject is null and a.action <> all (${outsiders})`;
  if (actor === 'person') return sql`a.contact_id is null and a.action = any (${outsiders})`;
  if (actor === 'staff') return sql`a.contact_id is null and a.login_subject is not null and a.action <> all (${outsiders})`;
  return sql`a.contact_id = ${actor}`;
}

function textMatches(account: AdmittedAccount, vocabulary: Vocabulary, text: string): RawBuilder<unknown>[] {
  const { accountName, asStaff } = account;
  const pattern = containsPattern(text);
  const matches = [
    sql`a.summary ilike ${pattern}`,
    sql`a.action ilike ${pattern}`,
    sql`${objectFor(account)} ilike ${pattern}`,
    sql`a.contact_id in (select contact_id::text from contact where account_name = ${accountName} and full_name ilike ${pattern})`,
  ];
  const said = vocabulary.actionsSaying(text);
  if (said.length > 0) matches.push(sql`a.action = any (${said}::text[])`);
  if (/^[0-9a-f]{32}$/i.test(text)) matches.push(sql`a.trace_id = ${text.toLowerCase()}`);
  // The addresses of registry staff must not be discoverable by guessing.
  if (/^[0-9a-f.:]+$/i.test(text))
    matches.push(asStaff ? sql`host(a.address) = ${text}` : sql`(host(a.address) = ${text} and a.contact_id is not null)`);
  return matches;
}

type Row = {
  activityId: number;
  at: string;
  action: string;
  summary: string;
  refusal: string | null;
  traceId: string;
  address: string | null;
  amr: string[] | null;
  signedIn: boolean;
  contactId: string | null;
  contactName: string | null;
  personName: string | null;
  object: string | null;
  permissions: string[] | null;
};

const newestFirst = sql`a.happened_at desc, a.activity_id desc`;

/** Lines with the names of those who acted. `lines` selects rows of `activity` under the name a. */
const rowsOf = ({ account, registry }: Pick<LineReading, 'account' | 'registry'>, lines: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select a.activity_id, a.happened_at as at, a.action, a.summary, a.refusal, a.trace_id, host(a.address) as address, a.amr,
    a.login_subject is not null as signed_in, a.contact_id, c.full_name as contact_name, p.full_name as person_name, ${objectFor(account)} as object,
    case when jsonb_typeof(a.details -> 'permissions') = 'array' then a.details -> 'permissions' end as permissions
  from ${lines}
  left join contact c on c.account_name = ${account.accountName}
    and c.contact_id = case when a.contact_id ~ '^[0-9a-f-]{36}$' then a.contact_id::uuid end
  left join login_subject s on s.issuer = a.login_issuer and s.subject = a.login_subject
  left join login p on p.login_id = coalesce(s.login_id, case when a.login_issuer = ${registry.config.issuerUri} then a.login_subject end)
  order by ${newestFirst}`;

function lineOf(row: Row, { account, registry }: Pick<LineReading, 'account' | 'registry'>): ActivityLine {
  const vocabulary = vocabularyOf(registry.modules);
  const { mfaAmr } = registry.config;
  // A request to join is recorded by a task, which has the person's name but no session of theirs.
  const outsider = nonMemberActions.includes(row.action);
  const kind = row.contactId !== null ? 'contact' : outsider ? 'person' : row.signedIn ? 'staff' : 'system';
  const names = {
    contact: row.contactName ?? 'A contact',
    person: row.personName ?? row.object ?? 'Someone who isn’t a contact',
    staff: account.asStaff && row.personName !== null ? `${row.personName} (registry staff)` : 'Registry staff',
    // The membership clock acts for the registry.
    system: row.action.startsWith('billing.') ? 'Registry' : 'System',
  };
  const labels = row.permissions?.map(key => (permissions as Record<string, { label: string }>)[key]?.label ?? key);
  return {
    activityId: row.activityId,
    at: row.at,
    actor: { kind, name: names[kind], contactId: row.contactId },
    action: row.action,
    what: vocabulary.wordsOf(row.action) ?? row.summary,
    category: vocabulary.categoryOf(row.action),
    object: (row.object === names[kind] ? null : row.object) ?? labels?.join(', ') ?? '',
    summary: row.summary,
    result: row.refusal === null ? 'done' : 'refused',
    refusal: row.refusal === null ? null : { code: row.refusal, words: refusalWords(row.refusal) },
    address: kind === 'staff' && !account.asStaff ? null : row.address,
    secondFactor: row.amr === null ? null : row.amr.some(method => mfaAmr.includes(method)),
    traceId: row.traceId,
  };
}

/**
 * A page of the log. It is read by time and then by number, which is the order lines were begun in.
 * @throws Failure INVALID_REQUEST for an invalid period or one longer than a year, and when `before` isn't a line of the account.
 */
export async function listActivities({
  query: { before, limit, ...filters },
  ...reading
}: Reading & { query: QueryOf<typeof activityLog.listActivities> }): Promise<AnswerOf<typeof activityLog.listActivities>> {
  const { read, account } = reading;
  const older =
    before === undefined
      ? sql``
      : sql`and (a.happened_at, a.activity_id) < ((select happened_at from activity where activity_id = ${before} and account_name = ${account.accountName}), ${before}::bigint)`;
  // The numbers first: for filters on time, action and refusal the index alone is enough.
  const rows = await read.rows(
    rowsOf(
      reading,
      sql`(select a.activity_id from activity a where ${matching(reading, filters)} ${older} order by ${newestFirst} limit ${limit + 1}) k
        join activity a using (activity_id)`,
    ),
  );
  if (rows.length === 0 && before !== undefined && (await findLine(reading, before)) === null)
    throw refuseField('before', `${before} isn’t a line of this account’s log`);
  return { lines: rows.slice(0, limit).map(row => lineOf(row, reading)), older: rows.length > limit };
}

/** Returns the newest lines of an account from the last 30 days, for the viewer in `account`. */
export const latestActivities = async (
  read: Read,
  account: AdmittedAccount,
  limit: number,
  registry: Reading['registry'],
): Promise<ActivityLine[]> => (await listActivities({ read, account, query: { limit, q: '' }, registry })).lines;

/** Returns these lines of an account's log, the newest first, for the viewer in `account`. */
export async function linesNamed(reading: LineReading, activityIds: readonly number[]): Promise<ActivityLine[]> {
  if (activityIds.length === 0) return [];
  const rows = await reading.read.rows(
    frequent(
      rowsOf(reading, sql`(select * from activity a where a.activity_id = any (${activityIds}::bigint[]) and ${ofAccount(reading)}) a`),
    ),
  );
  return rows.map(row => lineOf(row, reading));
}

/** Returns one line of an account's log as its members read it, or null if they can't. */
export const memberActivity = (
  read: Read,
  accountName: string,
  activityId: number,
  registry: LineReading['registry'],
): Promise<ActivityLine | null> => findLine({ read, account: { accountName, asStaff: false }, registry }, activityId);

/** One line of the account, or null. */
export async function findLine(reading: LineReading, activityId: number): Promise<ActivityLine | null> {
  const { read } = reading;
  const [row] = await read.rows(
    rowsOf(reading, sql`(select * from activity a where a.activity_id = ${activityId}::bigint and ${ofAccount(reading)}) a`),
  );
  return row ? lineOf(row, reading) : null;
}

/** Counts the matching lines with a higher number, up to 100. */
export async function countNewer({
  read,
  account,
  query: { after, ...filters },
  registry,
}: Act<typeof activityLog.countNewer>): Promise<{ lines: number }> {
  const [found] = await read.rows<{ lines: number }>(sql`select count(*)::int as lines from (
    select from activity a where ${matching({ account, registry }, filters)} and a.activity_id > ${after}::bigint limit 100) newer`);
  return { lines: found!.lines };
}

/** Returns the number of lines for each day of the period, including days without any. */
export async function listDays({
  read,
  account,
  query: filters,
  registry,
}: Act<typeof activityLog.listDays>): Promise<AnswerOf<typeof activityLog.listDays>> {
  const { timeZone } = registry.profile;
  const found = await read.rows<{ day: string; done: number; refused: number }>(sql`
    select (a.happened_at at time zone ${timeZone})::date as day,
      count(*) filter (where a.refusal is null)::int as done, count(*) filter (where a.refusal is not null)::int as refused
    from activity a where ${matching({ account, registry }, filters)} group by 1`);
  const byDay = new Map(found.map(counted => [counted.day, counted]));
  const { days } = periodOf(filters, registry.now, timeZone);
  return { timeZone, days: days.map(day => byDay.get(day) ?? { day, done: 0, refused: 0 }) };
}

/** Returns the people in the log, its start, and up to where it is sealed. */
export async function getActivityLog({
  read,
  account,
  registry,
}: Act<typeof activityLog.getActivityLog>): Promise<AnswerOf<typeof activityLog.getActivityLog>> {
  const { accountName } = account;
  const [contacts, [first], [sealed]] = await Promise.all([
    read.rows<{ contactId: string; name: string; former: boolean }>(sql`
      select contact_id, full_name as name, status = 'removed' as former from contact
      where account_name = ${accountName} and login_id is not null order by status = 'removed', lower(full_name), contact_id`),
    read.rows<{ at: string }>(
      sql`select a.happened_at as at from activity a where ${ofAccount({ account, registry })} order by a.happened_at, a.activity_id limit 1`,
    ),
    read.rows<{ activityId: number; at: string }>(sql`
      select a.activity_id, s.sealed_at as at from activity a join activity_seal s using (activity_id)
      where ${ofAccount({ account, registry })} order by ${newestFirst} limit 1`),
  ]);
  return { contacts, since: first?.at ?? null, sealed: sealed ?? null };
}

/** Columns of the download, stable for scripts, documented in the README. */
const fileColumns = [
  'activityId', 'at', 'actor', 'actorKind', 'action', 'what', 'object', 'summary', 'category', 'result', 'refusal', 'refusalWords', 'address',
  'secondFactor', 'traceId',
] as const; // biome-ignore format: one list

/** A line as the columns of a download. */
type ActivityFileRow = {
  activityId: number;
  at: string;
  actor: string;
  actorKind: string;
  action: string;
  what: string;
  object: string;
  summary: string;
  category: string;
  result: string;
  refusal: string;
  refusalWords: string;
  address: string;
  secondFactor: string;
  traceId: string;
};

/** All lines that match as a file, newest first. @throws Failure INVALID_REQUEST */
export const exportActivities = async ({
  query: { format, ...filters },
  ...reading
}: Act<typeof activityLog.exportActivities>): Promise<Download> =>
  tableFile(`${reading.account.accountName}-activity`, format, fileColumns, streamActivities(reading, filters));

/** All lines that match, newest first, in batches. @throws Failure INVALID_REQUEST */
function streamActivities(reading: Reading, filters: Filters): AsyncIterable<ActivityFileRow[]> {
  // Checked before the first batch, so that an invalid period is refused instead of breaking off the file.
  const where = matching(reading, filters);
  const batches = reading.read.stream<Row>(rowsOf(reading, sql`(select * from activity a where ${where}) a`));
  return (async function* () {
    for await (const rows of batches) yield rows.map(row => fileRowOf(lineOf(row, reading)));
  })();
}

const fileRowOf = ({ actor, refusal, address, secondFactor, ...line }: ActivityLine): ActivityFileRow => ({
  ...line,
  actor: actor.name,
  actorKind: actor.kind,
  refusal: refusal?.code ?? '',
  refusalWords: refusal?.words ?? '',
  address: address ?? '',
  secondFactor: secondFactor === null ? '' : secondFactor ? 'yes' : 'no',
});
