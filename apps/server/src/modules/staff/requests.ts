import type { AnswerOf, QueryOf } from '@portal/contract';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { type desk, deskKindNames, deskOpenStates, type DeskRequest } from '@portal/contract/staff/desk';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { applicationQueue } from '../applications/index.ts';
import { contactQueue } from '../contacts/index.ts';
import { lateBefore, resourceQueue } from '../requests/index.ts';
import { closureQueue, organisationQueue } from '../organisations/index.ts';

/** Every kind of request with the same columns; each module says how its own become rows of the queue. */
const withoutPromise = [applicationQueue, contactQueue, organisationQueue, closureQueue];
const queues: readonly RawBuilder<unknown>[] = [
  ...withoutPromise.map(each => sql`select each.*, null::timestamptz as waits_since from (${each}) each`),
  resourceQueue,
];
const queue = sql`(${sql.join(queues, sql` union all `)}) q`;
type When = { now: Date; promiseHours: number };
const isLate = ({ now, promiseHours }: When): RawBuilder<boolean> =>
  sql`coalesce(waits_since < ${lateBefore(now, promiseHours)}::timestamptz, false)`;
const columnsAt = (when: When): RawBuilder<unknown> =>
  sql`kind, request_id, reference, account_name, org_name, asked, state, requested_by, requested_at, resolved_by, resolved_at, ${isLate(when)} as late`;
const waits = sql`state in (${sql.join([...deskOpenStates])})`;

/** The queue of registry staff, a page at a time: what waits oldest first, what is over newest first. */
export async function listRequests(
  read: Read,
  { kind, status, days, late, q, offset, limit }: QueryOf<typeof desk.listRequests>,
  when: When,
): Promise<AnswerOf<typeof desk.listRequests>> {
  const isOpen = status === 'waiting' || (deskOpenStates as readonly string[]).includes(status);
  const conditions = [status === 'waiting' ? waits : status === 'decided' ? sql`not ${waits}` : sql`state = ${status}`];
  if (kind) conditions.push(sql`kind = ${kind}`);
  if (days > 0) conditions.push(sql`requested_at <= ${instantBefore(when.now, days * DAY_MS)}::timestamptz`);
  if (late === 'only') conditions.push(isLate(when));
  const text = q.trim();
  if (text !== '') {
    const pattern = containsPattern(text);
    conditions.push(sql`(account_name ilike ${pattern} or org_name ilike ${pattern} or reference ilike ${pattern} or asked ilike ${pattern}
      or requested_by ilike ${pattern})`);
  }
  const where = sql.join(conditions, sql` and `);
  const order = isOpen ? sql`requested_at, kind, request_id` : sql`resolved_at desc, kind, request_id`;
  const [rows, [counted], waiting] = await Promise.all([
    read.rows<DeskRequest>(sql`select ${columnsAt(when)} from ${queue} where ${where} order by ${order} limit ${limit} offset ${offset}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total from ${queue} where ${where}`),
    read.rows<{ kind: DeskRequest['kind']; requests: number; late: number }>(
      sql`select kind, count(*)::int as requests, (count(*) filter (where ${isLate(when)}))::int as late from ${queue} where ${waits} group by kind`,
    ),
  ]);
  const counts = new Map(waiting.map(row => [row.kind, row.requests]));
  return {
    rows,
    total: counted!.total,
    waiting: Object.fromEntries(deskKindNames.map(name => [name, counts.get(name) ?? 0])) as AnswerOf<typeof desk.listRequests>['waiting'],
    late: waiting.reduce((sum, row) => sum + row.late, 0),
  };
}

/** Lists an account's undecided requests, oldest first. */
export const openRequestsOf = (read: Read, accountName: string, when: When): Promise<DeskRequest[]> =>
  read.rows(
    sql<DeskRequest>`select ${columnsAt(when)} from ${queue} where account_name = ${accountName} and ${waits} order by requested_at limit 20`,
  );
