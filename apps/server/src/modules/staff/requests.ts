import type { AnswerOf, QueryOf } from '@portal/contract';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { type desk, deskKindNames, deskOpenStates, type DeskRequest } from '@portal/contract/staff/desk';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { anywhere } from '../../platform/search-text.ts';
import { applicationQueue } from '../applications/index.ts';
import { contactQueue } from '../contacts/index.ts';
import { resourceQueue } from '../requests/index.ts';
import { closureQueue, organisationQueue } from '../organisations/index.ts';

/** Every kind of request with the same columns; each module says how its own become rows of the queue. */
const queues: readonly RawBuilder<unknown>[] = [applicationQueue, contactQueue, organisationQueue, closureQueue, resourceQueue];
const queue = sql`(${sql.join(queues, sql` union all `)}) q`;
const columns = sql`kind, request_id, reference, account_name, org_name, asked, state, requested_by, requested_at, resolved_by, resolved_at`;
const waits = sql`state in (${sql.join([...deskOpenStates])})`;

/** The queue of registry staff, a page at a time: what waits oldest first, what is over newest first. */
export async function listRequests(
  read: Read,
  { kind, status, days, q, offset, limit }: QueryOf<typeof desk.listRequests>,
  now: Date,
): Promise<AnswerOf<typeof desk.listRequests>> {
  const isOpen = status === 'waiting' || (deskOpenStates as readonly string[]).includes(status);
  const conditions = [status === 'waiting' ? waits : status === 'decided' ? sql`not ${waits}` : sql`state = ${status}`];
  if (kind) conditions.push(sql`kind = ${kind}`);
  if (days > 0) conditions.push(sql`requested_at <= ${instantBefore(now, days * DAY_MS)}::timestamptz`);
  const text = q.trim();
  if (text !== '') {
    const pattern = anywhere(text);
    conditions.push(sql`(account_name ilike ${pattern} or org_name ilike ${pattern} or reference ilike ${pattern} or asked ilike ${pattern}
      or requested_by ilike ${pattern})`);
  }
  const where = sql.join(conditions, sql` and `);
  const order = isOpen ? sql`requested_at, kind, request_id` : sql`resolved_at desc, kind, request_id`;
  const [rows, [counted], waiting] = await Promise.all([
    read.rows<DeskRequest>(sql`select ${columns} from ${queue} where ${where} order by ${order} limit ${limit} offset ${offset}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total from ${queue} where ${where}`),
    read.rows<{ kind: DeskRequest['kind']; requests: number }>(
      sql`select kind, count(*)::int as requests from ${queue} where ${waits} group by kind`,
    ),
  ]);
  const counts = new Map(waiting.map(row => [row.kind, row.requests]));
  return {
    rows,
    total: counted!.total,
    waiting: Object.fromEntries(deskKindNames.map(name => [name, counts.get(name) ?? 0])) as AnswerOf<typeof desk.listRequests>['waiting'],
  };
}

/** Lists an account's undecided requests, oldest first. */
export const openRequestsOf = (read: Read, accountName: string): Promise<DeskRequest[]> =>
  read.rows(
    sql<DeskRequest>`select ${columns} from ${queue} where account_name = ${accountName} and ${waits} order by requested_at limit 20`,
  );
