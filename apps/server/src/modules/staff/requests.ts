import { type AnswerOf, holdsOneOf, type QueryOf } from '@portal/contract';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { type desk, deskKindNames, deskKindPermissions, deskOpenStates, type DeskRequest } from '@portal/contract/staff/desk';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { applicationQueue } from '../applications/index.ts';
import { contactQueue } from '../contacts/index.ts';
import { promisedBy, resourceQueue, waitsTooLong } from '../requests/index.ts';
import { closureQueue, organisationQueue } from '../organisations/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { PolicyNow } from '../../platform/registry.ts';

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
/** SQL: a row of the queue has waited for the registry longer than promised. */
export const isLate = (registry: Policy): RawBuilder<boolean> => waitsTooLong(sql`waits_since`, registry);
const columnsAt = (registry: Policy): RawBuilder<unknown> =>
  sql`kind, request_id, reference, account_name, org_name, coalesce(asked, '') as asked, state, requested_by, requested_at, resolved_by, resolved_at, handler, waits_since, ${isLate(registry)} as late`;
type Found = Omit<DeskRequest, 'dueAt'> & { waitsSince: string | null };
const rowOf =
  ({ profile }: Policy) =>
  ({ waitsSince, ...row }: Found): DeskRequest => ({
    ...row,
    dueAt: waitsSince === null ? null : promisedBy(waitsSince, profile),
  });
/** The reader of the queue. */
export type Reader = Pick<Caller, 'loginId' | 'staffPermissions'>;
/** The kinds of cases that a person of registry staff sees. */
export const ofKindsFor = ({ staffPermissions }: Reader): RawBuilder<boolean> =>
  sql`kind = any (${deskKindNames.filter(kind => holdsOneOf(staffPermissions, [deskKindPermissions[kind]], true))}::text[])`;

const waits = sql`(resolved_at is null and state in (${sql.join([...deskOpenStates])}))`;

const at = (isOpen: boolean): RawBuilder<unknown> => (isOpen ? sql`requested_at` : sql`resolved_at`);

/** The queue of registry staff, with the kinds that the caller decides, a page at a time: waiting ones oldest first, closed ones newest first, unless sorted otherwise. */
export async function listRequests({
  read,
  caller,
  query: { kind, status, days, late, handler, sort, direction, q, offset, limit },
  registry,
}: {
  read: Read;
  caller: Reader;
  query: QueryOf<typeof desk.listRequests>;
  registry: Policy;
}): Promise<AnswerOf<typeof desk.listRequests>> {
  const { loginId } = caller;
  const seen = ofKindsFor(caller);
  const isOpen = status === 'waiting' || (deskOpenStates as readonly string[]).includes(status);
  const conditions = [status === 'waiting' ? waits : status === 'decided' ? sql`not ${waits}` : sql`state = ${status}`];
  conditions.push(seen);
  if (kind) conditions.push(sql`kind = ${kind}`);
  if (days > 0) conditions.push(sql`requested_at <= ${instantBefore(registry.now, days * DAY_MS)}::timestamptz`);
  if (late === 'only') conditions.push(isLate(registry));
  if (handler === 'mine') conditions.push(sql`handler_id = ${loginId}`);
  if (handler === 'none') conditions.push(sql`handler_id is null`);
  const text = q.trim();
  if (text !== '') {
    const pattern = containsPattern(text);
    conditions.push(sql`(account_name ilike ${pattern} or org_name ilike ${pattern} or reference ilike ${pattern} or asked ilike ${pattern}
      or requested_by ilike ${pattern} or handler ilike ${pattern})`);
  }
  const where = sql.join(conditions, sql` and `);
  const isDown = direction === 'desc';
  const byTime = isOpen === isDown ? sql`${at(isOpen)} desc` : at(isOpen);
  const first = sort === 'due' ? sql`waits_since` : sql`lower(handler)`;
  const usual = sql`${isOpen ? sql`requested_at` : sql`resolved_at desc`}, kind, request_id`;
  // The promised hours are the same for all, so the longest waiting is due first.
  const order = sort === 'at' ? sql`${byTime}, kind, request_id` : sql`${first} ${isDown ? sql`desc` : sql``} nulls last, ${usual}`;
  const [rows, [counted], waiting] = await Promise.all([
    read.rows<Found>(sql`select ${columnsAt(registry)} from ${queue} where ${where} order by ${order} limit ${limit} offset ${offset}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total from ${queue} where ${where}`),
    read.rows<{ kind: DeskRequest['kind']; requests: number; late: number }>(
      sql`select kind, count(*)::int as requests, (count(*) filter (where ${isLate(registry)}))::int as late from ${queue} where ${waits} and ${seen} group by kind`,
    ),
  ]);
  const counts = new Map(waiting.map(row => [row.kind, row.requests]));
  return {
    rows: rows.map(rowOf(registry)),
    total: counted!.total,
    waiting: Object.fromEntries(deskKindNames.map(name => [name, counts.get(name) ?? 0])) as AnswerOf<typeof desk.listRequests>['waiting'],
    late: waiting.reduce((sum, row) => sum + row.late, 0),
  };
}

/** Lists an account's undecided requests that the caller decides, oldest first. */
export const openRequestsOf = async (read: Read, accountName: string, caller: Reader, registry: Policy): Promise<DeskRequest[]> =>
  (
    await read.rows(
      sql<Found>`select ${columnsAt(registry)} from ${queue} where account_name = ${accountName} and ${waits} and ${ofKindsFor(caller)} order by requested_at limit 20`,
    )
  ).map(rowOf(registry));

/** Lists an account's open requests of the kinds that the caller decides, and the latest that were closed since a day, oldest first. */
export const latestRequestsOf = async (
  read: Read,
  { accountName, since, most }: { accountName: string; since: string; most: number },
  caller: Reader,
  registry: Policy,
): Promise<DeskRequest[]> =>
  (
    await read.rows(
      sql<Found>`select ${columnsAt(registry)} from ${queue} where account_name = ${accountName} and ${ofKindsFor(caller)}
        and (resolved_at is null or resolved_at >= ${since}::date) order by resolved_at is null desc, requested_at desc, kind, request_id limit ${most}`,
    )
  )
    .map(rowOf(registry))
    .toSorted((one, other) => (one.requestedAt < other.requestedAt ? -1 : 1));
