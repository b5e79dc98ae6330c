import { type AnswerOf, holdsOneOf } from '@portal/contract';
import { utcDay } from '@portal/contract/days';
import { type deskHome, homeCases } from '@portal/contract/staff/desk-home';
import type { DeskRequest } from '@portal/contract/staff/desk';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { promisedBy, workingHours } from '../requests/index.ts';
import { isLate, isUnassigned, ofKindsFor, type Policy, queue, type QueueNow, type Reader } from './requests.ts';
import { secondApprovals } from './second-approvals.ts';

type Home = AnswerOf<typeof deskHome.getDeskHome>;
type Cases = NonNullable<Home['cases']>;
type Stored = Omit<Cases['rows'][number], 'dueAt' | 'resource' | 'hours' | 'second'> & { waitsSince: string | null };

const DECIDED = 6;
/** A closed one waits for no one: `resolved_at` lets the database find the open ones in their indexes. */
const open = sql`resolved_at is null`;
const withUs = sql`${open} and state in ('submitted', 'in-review')`;
const summary = sql`kind, request_id, reference, account_name, org_name, coalesce(asked, '') as asked`;

/** The cases that wait for the registry, of the kinds that the reader decides, the longest waiting first, with sums over all, and what was decided today (UTC). */
export async function casesOf(read: Read, reader: Reader, registry: QueueNow): Promise<Cases> {
  const { now, profile } = registry;
  const { promiseHours } = profile.requestPolicy;
  const seen = ofKindsFor(reader);
  const today = `${utcDay(now)}T00:00:00Z`;
  const mine = sql`coalesce(handler_id = ${reader.loginId}, false)`;
  const late = isLate(registry);
  const seconds = await secondApprovals(read, reader, registry);
  const [rows, [sums], decided, [closed]] = await Promise.all([
    read.rows<Stored>(sql`select ${summary}, requested_at, handler, waits_since, ${late} as late, ${mine} as is_mine
      from ${queue} where ${withUs} and ${seen} order by coalesce(waits_since, requested_at), kind, request_id limit ${homeCases}`),
    read.rows<Pick<Cases, 'withUs' | 'late' | 'mine' | 'free' | 'waitingOnMembers'>>(sql`
      select count(*) filter (where state <> 'needs-info')::int as with_us, count(*) filter (where ${late})::int as late,
        count(*) filter (where state <> 'needs-info' and ${mine})::int as mine, count(*) filter (where ${isUnassigned(seconds)})::int as free,
        count(*) filter (where state = 'needs-info')::int as waiting_on_members
      from ${queue} where ${open} and state in ('submitted', 'in-review', 'needs-info') and ${seen}`),
    read.rows<Cases['decided'][number]>(sql`select ${summary}, state, resolved_by, resolved_at from ${queue}
      where resolved_at >= ${today}::timestamptz and state in ('approved', 'rejected') and ${seen} order by resolved_at desc, kind, request_id limit ${DECIDED}`),
    read.rows<{ decided: number }>(sql`select count(*)::int as decided from ${queue}
      where resolved_at >= ${today}::timestamptz and state in ('approved', 'rejected') and ${seen}`),
  ]);
  const resources = await resourcesOf(read, rows);
  return {
    rows: rows.map(({ waitsSince, ...row }) => ({
      ...row,
      dueAt: waitsSince === null ? null : promisedBy(waitsSince, profile),
      resource: row.kind === 'resources' ? (resources.get(row.requestId) ?? null) : null,
      hours: workingHours(waitsSince ?? row.requestedAt, now),
      second: seconds.of(row),
    })),
    ...sums!,
    toConfirm: seconds.toConfirm,
    promiseHours,
    decidedToday: closed!.decided,
    decided,
  };
}

type Resource = NonNullable<Cases['rows'][number]['resource']>;
/** The kind of numbers that requests ask for, by request. */
async function resourcesOf(read: Read, rows: readonly Pick<DeskRequest, 'kind' | 'requestId'>[]): Promise<Map<string, Resource>> {
  const ids = rows.filter(({ kind }) => kind === 'resources').map(({ requestId }) => requestId);
  const found = await read.rows<{ requestId: string; kind: Resource }>(sql`select resource_request_id::text as request_id,
      case kind when 'pre-approval' then 'ipv4' else kind end as kind
    from resource_request where resource_request_id = any (${ids}::bigint[]) and kind in ('ipv4', 'ipv6', 'asn', 'pre-approval')`);
  return new Map(found.map(({ requestId, kind }) => [requestId, kind]));
}

/** Requests for resources and transfers of the kinds that the reader decides: how many were sent each month, and how many first answers of each week kept the promise. */
export async function serviceOf(
  read: Read,
  { staffPermissions }: Pick<Reader, 'staffPermissions'>,
  { now, profile }: Policy,
  { weeks, months }: { weeks: readonly string[]; months: readonly string[] },
): Promise<NonNullable<Home['service']>> {
  const moves = ['transfer', 'acquisition', 'return'];
  const seesResources = holdsOneOf(staffPermissions, ['resources'], true);
  const seesTransfers = holdsOneOf(staffPermissions, ['transfers'], true);
  const seen = sql`(case when kind = any (${moves}::text[]) then ${seesTransfers}::boolean else ${seesResources}::boolean end)`;
  // A first answer may come weeks after the request.
  const [answers, sent] = await Promise.all([
    read.rows<{ submittedAt: string; answeredAt: string }>(sql`
      select r.submitted_at, e.at as answered_at from resource_request r cross join lateral (
          select min(at) as at from resource_request_event v where v.resource_request_id = r.resource_request_id and v.by_staff and not v.internal
            and v.kind in ('question', 'message', 'approved', 'awaiting-fee', 'completed', 'rejected')) e
      where r.submitted_at >= ${weeks[0]!}::timestamptz - interval '28 days' and e.at >= ${weeks[0]!}::timestamptz and ${seen}`),
    read.rows<{ month: string; resources: number; transfers: number }>(sql`
      select to_char(submitted_at at time zone 'UTC', 'YYYY-MM') as month, count(*) filter (where kind <> all (${moves}::text[]))::int as resources,
        count(*) filter (where kind = any (${moves}::text[]))::int as transfers
      from resource_request where submitted_at >= ${`${months[0]!}-01T00:00:00Z`}::timestamptz and submitted_at <= ${now.toISOString()}::timestamptz and ${seen} group by 1`),
  ]);
  const counted = new Map(weeks.map(week => [week, { week, answered: 0, kept: 0 }]));
  for (const { submittedAt, answeredAt } of answers) {
    const week = counted.get(weeks.findLast(begin => `${begin}T00:00:00Z` <= answeredAt)!)!;
    week.answered += 1;
    if (answeredAt <= promisedBy(submittedAt, profile)) week.kept += 1;
  }
  const byMonth = new Map(sent.map(row => [row.month, row]));
  return { weeks: [...counted.values()], months: months.map(month => byMonth.get(month) ?? { month, resources: 0, transfers: 0 }) };
}
