import { type AnswerOf, holdsOneOf, type QueryOf } from '@portal/contract';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { type desk, deskKindNames, deskKindPermissions, deskOpenStates, type DeskRequest } from '@portal/contract/staff/desk';
import type { Workload } from '@portal/contract/staff/queues';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { applicationQueue } from '../applications/index.ts';
import { contactQueue } from '../contacts/index.ts';
import { promisedBy, resourceQueue, waitsTooLong } from '../requests/index.ts';
import { closureQueue, organisationQueue } from '../organisations/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyNow, Registry } from '../../platform/registry.ts';
import { type SecondApprovals, secondApprovals } from './second-approvals.ts';

/** Every kind of request with the same columns; each module maps its own to rows of the queue. */
const queues: readonly RawBuilder<unknown>[] = [
  ...[contactQueue, closureQueue].map(
    each => sql`select each.*, null::text as handler, null::text as handler_id, null::timestamptz as waits_since from (${each}) each`,
  ),
  ...[applicationQueue, organisationQueue].map(each => sql`select each.*, null::timestamptz as waits_since from (${each}) each`),
  resourceQueue,
];
/** The queue of registry staff, as a table `q`. */
export const queue = sql`(${sql.join(queues, sql` union all `)}) q`;
/** The registry at this moment, as far as the queue depends on it. */
export type Policy = PolicyNow;
/** With what decides who can be a second person, too. */
export type QueueNow = PolicyNow & Pick<Registry, 'modules'>;
/** SQL: a row of the queue has waited for the registry longer than promised. */
export const isLate = (registry: Policy): RawBuilder<boolean> => waitsTooLong(sql`waits_since`, registry);
const columnsAt = (registry: Policy): RawBuilder<unknown> =>
  sql`kind, request_id, reference, account_name, org_name, coalesce(asked, '') as asked, state, requested_by, requested_at, resolved_by, resolved_at, handler, waits_since, ${isLate(registry)} as late`;
type Found = Omit<DeskRequest, 'dueAt' | 'second'> & { waitsSince: string | null };
type Due = Omit<DeskRequest, 'second'>;
const dueOf =
  ({ profile }: Policy) =>
  ({ waitsSince, ...row }: Found): Due => ({ ...row, dueAt: waitsSince === null ? null : promisedBy(waitsSince, profile) });
const rowOf =
  (registry: Policy, seconds: SecondApprovals) =>
  (row: Found): DeskRequest => ({ ...dueOf(registry)(row), second: row.resolvedAt === null ? seconds.of(row) : null });
/** The reader of the queue. */
export type Reader = Pick<Caller, 'loginId' | 'staffPermissions'>;
/** The kinds of cases that a person of registry staff sees. */
export const ofKindsFor = ({ staffPermissions }: Pick<Reader, 'staffPermissions'>): RawBuilder<boolean> =>
  sql`kind = any (${deskKindNames.filter(kind => holdsOneOf(staffPermissions, [deskKindPermissions[kind]], true))}::text[])`;

const waits = sql`(resolved_at is null and state in (${sql.join([...deskOpenStates])}))`;

const at = (isOpen: boolean): RawBuilder<unknown> => (isOpen ? sql`requested_at` : sql`resolved_at`);

type Filters = Omit<QueryOf<typeof desk.listRequests>, 'sort' | 'direction' | 'offset' | 'limit'>;
type Counts = AnswerOf<typeof desk.listRequests>['counts'];
const isOpenStatus = (status: Filters['status']): boolean => status === 'waiting' || (deskOpenStates as readonly string[]).includes(status);
const both = (one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${one} and ${other})`;
const any = sql`true`;

/** SQL: a row has a text in what it is about, or in who has it. */
function holdsText(q: string): RawBuilder<unknown> {
  const pattern = containsPattern(q.trim());
  return q.trim() === ''
    ? any
    : sql`(account_name ilike ${pattern} or org_name ilike ${pattern} or reference ilike ${pattern} or asked ilike ${pattern}
      or requested_by ilike ${pattern} or handler ilike ${pattern})`;
}

/** SQL: a row was sent at least so many days ago. */
const olderThan = (days: number, { now }: Policy): RawBuilder<unknown> =>
  days > 0 ? sql`requested_at <= ${instantBefore(now, days * DAY_MS)}::timestamptz` : any;

/** SQL: no one has it, and it waits for the registry rather than for a member or a second person: what “Unassigned” counts everywhere. */
export const isUnassigned = ({ waits: waitsForSecond }: Pick<SecondApprovals, 'waits'>): RawBuilder<unknown> =>
  sql`(handler_id is null and state <> 'needs-info' and not ${waitsForSecond})`;

/** Open cases of each person who has some, of the kinds that the reader sees, most first; those that are unassigned come last. */
export async function workloadFor(read: Read, reader: Reader, registry: QueueNow): Promise<Workload[]> {
  const seconds = await secondApprovals(read, reader, registry);
  return read.rows<Workload>(sql`select handler as reviewer, count(*)::int as open, (count(*) filter (where state <> 'needs-info'))::int as waiting,
      min(requested_at) as oldest
    from ${queue} where ${waits} and ${ofKindsFor(reader)} and (handler_id is not null or ${isUnassigned(seconds)})
    group by handler_id, handler order by handler_id is null, count(*) desc, handler limit 100`);
}

/** SQL: the conditions of the filters one by one, and those of each choice. */
function conditionsOf({ status, kind, days, late, handler, q }: Filters, { loginId }: Reader, registry: Policy, seconds: SecondApprovals) {
  const handlers: Record<Filters['handler'], RawBuilder<unknown>> = {
    any,
    mine: sql`coalesce(handler_id = ${loginId}, false)`,
    none: isUnassigned(seconds),
    second: seconds.waits,
  };
  return {
    status: status === 'waiting' ? waits : status === 'decided' ? sql`not ${waits}` : sql`state = ${status}`,
    kind: kind ? sql`kind = ${kind}` : any,
    age: both(olderThan(days, registry), late === 'only' ? isLate(registry) : any),
    handler: handlers[handler],
    text: holdsText(q),
    handlers,
  };
}

/** SQL: the order of the queue. The promised hours are the same for all, so the longest waiting is due first. */
function orderOf(isOpen: boolean, { sort, direction }: Pick<QueryOf<typeof desk.listRequests>, 'sort' | 'direction'>): RawBuilder<unknown> {
  const isDown = direction === 'desc';
  const byTime = isOpen === isDown ? sql`${at(isOpen)} desc` : at(isOpen);
  const first = sort === 'due' ? sql`waits_since` : sql`lower(handler)`;
  const usual = sql`${isOpen ? sql`requested_at` : sql`resolved_at desc`}, kind, request_id`;
  return sort === 'at' ? sql`${byTime}, kind, request_id` : sql`${first} ${isDown ? sql`desc` : sql``} nulls last, ${usual}`;
}

/** The queue of registry staff, with the kinds that the caller decides, a page at a time: waiting ones oldest first, closed ones newest first, unless sorted otherwise. */
export async function listRequests({
  read,
  caller,
  query,
  registry,
}: Pick<Act<typeof desk.listRequests>, 'read' | 'query'> & { caller: Reader; registry: QueueNow }): Promise<
  AnswerOf<typeof desk.listRequests>
> {
  const seconds = await secondApprovals(read, caller, registry);
  const is = conditionsOf(query, caller, registry, seconds);
  const isOpen = isOpenStatus(query.status);
  const shown = sql.join([is.status, ofKindsFor(caller), is.kind, is.age, is.handler, is.text], sql` and `);
  const [rows, { total, counts }, open] = await Promise.all([
    read.rows<Found>(
      sql`select ${columnsAt(registry)} from ${queue} where ${shown} order by ${orderOf(isOpen, query)} limit ${query.limit} offset ${query.offset}`,
    ),
    countsOf(read, query, caller, registry, is),
    openOf(read, caller, registry, is),
  ]);
  return {
    rows: rows.map(rowOf(registry, seconds)),
    total,
    waiting: open.waiting,
    late: open.late,
    counts: { ...counts, states: open.states },
  };
}

const sumOf = <Row>(rows: readonly Row[], count: (row: Row) => number): number => rows.reduce((sum, row) => sum + count(row), 0);

/** Counts what each choice of type, age and handler shows with the other filters, and what the filters show. */
async function countsOf(
  read: Read,
  { kind }: Filters,
  caller: Reader,
  registry: Policy,
  is: ReturnType<typeof conditionsOf>,
): Promise<{ total: number; counts: Omit<Counts, 'states'> }> {
  const count = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql`(count(*) filter (where ${one} and ${other}))::int`;
  const rows = await read.rows<{
    kind: DeskRequest['kind'];
    shown: number;
    days0: number;
    days2: number;
    days7: number;
    days30: number;
    late: number;
    anyone: number;
    mine: number;
    free: number;
    second: number;
  }>(sql`
    select kind, ${count(is.age, is.handler)} as shown,
      ${count(is.handler, any)} as days0, ${count(is.handler, olderThan(2, registry))} as days2, ${count(is.handler, olderThan(7, registry))} as days7,
      ${count(is.handler, olderThan(30, registry))} as days30, ${count(is.handler, isLate(registry))} as late,
      ${count(is.age, any)} as anyone, ${count(is.age, is.handlers.mine)} as mine, ${count(is.age, is.handlers.none)} as free,
      ${count(is.age, is.handlers.second)} as second
    from ${queue} where ${is.status} and ${ofKindsFor(caller)} and ${is.text} group by kind`);
  const ofKind = rows.filter(row => !kind || row.kind === kind);
  const byKind = new Map(rows.map(row => [row.kind, row.shown]));
  return {
    total: sumOf(ofKind, ({ shown }) => shown),
    counts: {
      kinds: { all: sumOf(rows, ({ shown }) => shown), ...forEachKind(name => byKind.get(name) ?? 0) },
      ages: {
        0: sumOf(ofKind, row => row.days0),
        2: sumOf(ofKind, row => row.days2),
        7: sumOf(ofKind, row => row.days7),
        30: sumOf(ofKind, row => row.days30),
        late: sumOf(ofKind, row => row.late),
      },
      handlers: {
        any: sumOf(ofKind, row => row.anyone),
        mine: sumOf(ofKind, row => row.mine),
        none: sumOf(ofKind, row => row.free),
        second: sumOf(ofKind, row => row.second),
      },
    },
  };
}

const forEachKind = (count: (kind: DeskRequest['kind']) => number): Record<DeskRequest['kind'], number> =>
  Object.fromEntries(deskKindNames.map(name => [name, count(name)])) as Record<DeskRequest['kind'], number>;

/** Counts the open requests: of each kind and late ones regardless of the filters, and of each state with the other filters. */
async function openOf(
  read: Read,
  caller: Reader,
  registry: Policy,
  is: ReturnType<typeof conditionsOf>,
): Promise<Pick<AnswerOf<typeof desk.listRequests>, 'waiting' | 'late'> & Pick<Counts, 'states'>> {
  const others = both(both(is.kind, is.age), both(is.handler, is.text));
  const rows = await read.rows<{
    kind: DeskRequest['kind'];
    requests: number;
    late: number;
    shown: number;
    submitted: number;
    inReview: number;
    needsInfo: number;
  }>(sql`select kind, count(*)::int as requests, (count(*) filter (where ${isLate(registry)}))::int as late,
      (count(*) filter (where ${others}))::int as shown, (count(*) filter (where state = 'submitted' and ${others}))::int as submitted,
      (count(*) filter (where state = 'in-review' and ${others}))::int as in_review,
      (count(*) filter (where state = 'needs-info' and ${others}))::int as needs_info
    from ${queue} where ${waits} and ${ofKindsFor(caller)} group by kind`);
  const byKind = new Map(rows.map(row => [row.kind, row.requests]));
  return {
    waiting: forEachKind(name => byKind.get(name) ?? 0),
    late: sumOf(rows, ({ late }) => late),
    states: {
      waiting: sumOf(rows, ({ shown }) => shown),
      submitted: sumOf(rows, ({ submitted }) => submitted),
      'in-review': sumOf(rows, ({ inReview }) => inReview),
      'needs-info': sumOf(rows, ({ needsInfo }) => needsInfo),
    },
  };
}

/** Finds open requests of the kinds that the reader decides by a text, oldest first. */
export const findOpenRequests = (
  read: Read,
  reader: Pick<Reader, 'staffPermissions'>,
  { text, most }: { text: string; most: number },
): Promise<Pick<DeskRequest, 'kind' | 'requestId' | 'reference' | 'accountName' | 'asked'>[]> =>
  read.rows(sql<Pick<DeskRequest, 'kind' | 'requestId' | 'reference' | 'accountName' | 'asked'>>`
    select kind, request_id, reference, account_name, coalesce(asked, '') as asked from ${queue}
    where ${waits} and ${ofKindsFor(reader)} and ${holdsText(text)} order by requested_at, kind, request_id limit ${most}`);

/** Lists an account's undecided requests that the caller decides, oldest first. */
export async function openRequestsOf(read: Read, accountName: string, caller: Reader, registry: QueueNow): Promise<DeskRequest[]> {
  const [seconds, rows] = await Promise.all([
    secondApprovals(read, caller, registry),
    read.rows<Found>(
      sql`select ${columnsAt(registry)} from ${queue} where account_name = ${accountName} and ${waits} and ${ofKindsFor(caller)} order by requested_at limit 20`,
    ),
  ]);
  return rows.map(rowOf(registry, seconds));
}

/** Lists an account's open requests of the kinds that the caller decides, and the latest that were closed since a day, oldest first. */
export const latestRequestsOf = async (
  read: Read,
  { accountName, since, most }: { accountName: string; since: string; most: number },
  caller: Reader,
  registry: Policy,
): Promise<Due[]> =>
  (
    await read.rows(
      sql<Found>`select ${columnsAt(registry)} from ${queue} where account_name = ${accountName} and ${ofKindsFor(caller)}
        and (resolved_at is null or resolved_at >= ${since}::date) order by resolved_at is null desc, requested_at desc, kind, request_id limit ${most}`,
    )
  )
    .map(dueOf(registry))
    .toSorted((one, other) => (one.requestedAt < other.requestedAt ? -1 : 1));
