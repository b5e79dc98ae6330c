import { HOUR_MS, monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { promisedBy } from '../requests/index.ts';

/** Services that ended in a month, `2026-11`, and those in time. */
export type MonthLevel = { month: string; ended: number; inTime: number };
export type LevelFigures = {
  service: 'requests' | 'tickets';
  ended: number;
  medianHours: number | null;
  withinDay: number;
  /** The last 12 months, the present one last; in time is within a day. */
  months?: MonthLevel[];
};
/** First answers to requests for numbers and transfers in the last 12 months; in time is within the working hours that were promised on the day of each request. */
export type AnswerFigures = { promiseHours: number; medianHours: number | null; months: MonthLevel[] };

/** Months that are counted, with the present one. */
const LEVEL_MONTHS = 12;

/**
 * Counts how quickly requests are decided and tickets answered in the last 12 months, and how many first answers kept what was promised.
 * @param day of the registry's calendar, today
 */
export async function countLevels(
  read: Pick<Read, 'rows'>,
  { day, profile }: { day: string; profile: Profile },
): Promise<{ levels: LevelFigures[]; answers: AnswerFigures }> {
  const { timeZone } = profile;
  const yearAgo = sql`(${day}::date - interval '1 year')::date`;
  const levelMonths = Array.from({ length: LEVEL_MONTHS }, (_, place) =>
    monthsAfter(`${day.slice(0, 7)}-01`, place + 1 - LEVEL_MONTHS).slice(0, 7),
  );
  const [levels, inTime, answers] = await Promise.all([
    read.rows<LevelFigures>(sql`select 'requests' as service, count(*)::int as ended,
        (percentile_cont(0.5) within group (order by extract(epoch from resolved_at - submitted_at) / 3600))::float as median_hours,
        count(*) filter (where resolved_at - submitted_at <= interval '1 day')::int as within_day
      from resource_request where submitted_at is not null and resolved_at is not null and state in ('completed', 'rejected')
        and (resolved_at at time zone ${timeZone})::date between ${yearAgo} and ${day}::date
      union all select 'tickets', count(*)::int, (percentile_cont(0.5) within group (order by extract(epoch from first_answer_at - created_at) / 3600))::float,
        count(*) filter (where first_answer_at - created_at <= interval '1 day')::int
      from ticket where first_answer_at is not null and (first_answer_at at time zone ${timeZone})::date between ${yearAgo} and ${day}::date`),
    read.rows<MonthLevel & Pick<LevelFigures, 'service'>>(sql`with ended as (
        select 'requests' as service, (resolved_at at time zone ${timeZone})::date as day, resolved_at - submitted_at <= interval '1 day' as in_time
          from resource_request where submitted_at is not null and resolved_at is not null and state in ('completed', 'rejected')
        union all select 'tickets', (first_answer_at at time zone ${timeZone})::date, first_answer_at - created_at <= interval '1 day'
          from ticket where first_answer_at is not null)
      select service, to_char(day, 'YYYY-MM') as month, count(*)::int as ended, count(*) filter (where in_time)::int as in_time
      from ended where day between ${`${levelMonths[0]!}-01`}::date and ${day}::date group by 1, 2`),
    read.rows<{ submittedAt: string; answeredAt: string; month: string }>(sql`
      select r.submitted_at, e.at as answered_at, to_char(e.at at time zone ${timeZone}, 'YYYY-MM') as month
      from resource_request r cross join lateral (select min(at) as at from resource_request_event v where v.resource_request_id = r.resource_request_id
          and v.by_staff and not v.internal and v.kind in ('question', 'message', 'approved', 'awaiting-fee', 'completed', 'rejected')) e
      where r.submitted_at is not null and (e.at at time zone ${timeZone})::date between ${`${levelMonths[0]!}-01`}::date and ${day}::date`),
  ]);
  const byMonth = (rows: readonly MonthLevel[]): MonthLevel[] =>
    levelMonths.map(month => {
      const row = rows.find(each => each.month === month);
      return { month, ended: row?.ended ?? 0, inTime: row?.inTime ?? 0 };
    });
  return {
    levels: levels.map(level => ({ ...level, months: byMonth(inTime.filter(({ service }) => service === level.service)) })),
    answers: {
      promiseHours: profile.requestPolicy.promiseHours,
      medianHours: medianOf(answers),
      months: byMonth(keptPromises(answers, profile)),
    },
  };
}

/** Returns the hours of the clock within which half of the answers came; null without any. */
function medianOf(answers: readonly { submittedAt: string; answeredAt: string }[]): number | null {
  const hours = answers
    .map(({ submittedAt, answeredAt }) => (Date.parse(answeredAt) - Date.parse(submittedAt)) / HOUR_MS)
    .sort((a, b) => a - b);
  const middle = hours.length / 2;
  return hours.length === 0 ? null : (hours[Math.floor(middle - 0.5)]! + hours[Math.floor(middle)]!) / 2;
}

/** Counts first answers by month, and those that came within the working hours that were promised when the request was sent. */
function keptPromises(answers: readonly { submittedAt: string; answeredAt: string; month: string }[], profile: Profile): MonthLevel[] {
  const counted = new Map<string, MonthLevel>();
  for (const { submittedAt, answeredAt, month } of answers) {
    const level = counted.get(month) ?? { month, ended: 0, inTime: 0 };
    level.ended += 1;
    if (answeredAt <= promisedBy(submittedAt, profile)) level.inTime += 1;
    counted.set(month, level);
  }
  return [...counted.values()];
}
