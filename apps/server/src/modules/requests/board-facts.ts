import { sql } from 'kysely';
import { type BoardFactsOf, isIn, percentOf } from '../../platform/board-facts.ts';
import { promisedBy } from './staff-request.ts';

/** Transfers that were completed in a period. */
export const transferFacts: BoardFactsOf = async (read, days, { profile: { timeZone } }) => {
  const [row] = await read.rows<Record<'between' | 'incoming' | 'outgoing' | 'acquisitions' | 'returns', number>>(sql`
    with done as (select kind, recipient_name, coalesce((form ->> 'incoming')::bool, false) as is_incoming from resource_request
      where state = 'completed' and kind in ('transfer', 'acquisition', 'return') and ${isIn(sql`resolved_at`, days, timeZone)})
    select count(*) filter (where kind = 'transfer' and not is_incoming and recipient_name is not null)::int as "between",
      count(*) filter (where kind = 'transfer' and is_incoming)::int as incoming,
      count(*) filter (where kind = 'transfer' and not is_incoming and recipient_name is null)::int as outgoing,
      count(*) filter (where kind = 'acquisition')::int as acquisitions, count(*) filter (where kind = 'return')::int as returns from done`);
  const count = (name: string, number: number) => ({ name, unit: 'count' as const, value: String(number) });
  return [
    count('Transfers between members', row!.between),
    count('Transfers from other registries', row!.incoming),
    count('Transfers to other registries', row!.outgoing),
    count('Mergers and acquisitions', row!.acquisitions),
    count('Returns', row!.returns),
  ];
};

/** First answers to requests and their decisions in a period. An answer is measured by the hours that were promised on the day of its request. */
export const requestServiceFacts: BoardFactsOf = async (read, days, { profile }) => {
  const { timeZone } = profile;
  const answers = await read.rows<{ submittedAt: string; answeredAt: string }>(sql`
    select r.submitted_at, e.at as answered_at from resource_request r cross join lateral (
        select min(at) as at from resource_request_event v where v.resource_request_id = r.resource_request_id and v.by_staff and not v.internal
          and v.kind in ('question', 'message', 'approved', 'awaiting-fee', 'completed', 'rejected')) e
    where r.submitted_at is not null and ${isIn(sql`e.at`, days, timeZone)}`);
  const [decided] = await read.rows<{ ended: number; hours: string | null; received: number }>(sql`
    select (select count(*)::int from resource_request where ${isIn(sql`submitted_at`, days, timeZone)}) as received,
      count(*)::int as ended, round(percentile_cont(0.5) within group (order by extract(epoch from resolved_at - submitted_at) / 3600)::numeric, 1)::text as hours
    from resource_request where submitted_at is not null and state in ('completed', 'rejected') and ${isIn(sql`resolved_at`, days, timeZone)}`);
  const kept = answers.filter(({ submittedAt, answeredAt }) => answeredAt <= promisedBy(submittedAt, profile)).length;
  return [
    { name: 'Requests received', unit: 'count', value: String(decided!.received) },
    { name: 'First answers sent', unit: 'count', value: String(answers.length) },
    { name: 'First answers within the promise', unit: 'percent', value: percentOf(kept, answers.length) },
    { name: 'Requests decided', unit: 'count', value: String(decided!.ended) },
    { name: 'Median hours to the decision', unit: 'hours', value: decided!.hours },
  ];
};
