import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { ticketQueueNames, type TicketQueue } from '@portal/contract/tickets/queues';
import { answerDays, answerHours, type tickets } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

type Context = AnswerOf<typeof tickets.getTicketContext>;
type Row = { queue: TicketQueue; count: number; median: number; ninth: number; byHour: number[] };

const minutesOf = (share: number) =>
  sql`(percentile_cont(${share}::float8) within group (order by extract(epoch from first_answer_at - created_at)::float8) / 60)`;

/** How long first answers took lately: in one queue by hours, and the medians of the others. */
export async function answerTimes(read: Read, queue: TicketQueue, now: Date): Promise<Pick<Context, 'answers' | 'otherMedians'>> {
  const hours = Array.from({ length: answerHours + 1 }, (_, hour) => hour);
  const rows = await read.rows<Row>(sql`with answered as (
      select queue, created_at, first_answer_at, least(${answerHours}, floor(extract(epoch from first_answer_at - created_at) / 3600))::int as hour
      from ticket where queue = any (${[...ticketQueueNames]}::text[]) and first_answer_at > ${instantBefore(now, answerDays * DAY_MS)}::timestamptz)
    select queue, count(*)::int as count, ${minutesOf(0.5)} as median, ${minutesOf(0.9)} as ninth,
      coalesce((select array_agg((select count(*)::int from answered b where b.queue = a.queue and b.hour = h.hour) order by h.hour) from unnest(${hours}::int[]) as h (hour)), '{}') as by_hour
    from answered a group by queue`);
  const own = rows.find(row => row.queue === queue);
  const others = ticketQueueNames.flatMap(name => {
    const row = name === queue ? undefined : rows.find(each => each.queue === name);
    return row ? [{ queue: name, medianMinutes: Math.round(row.median) }] : [];
  });
  return {
    answers: {
      queue,
      count: own?.count ?? 0,
      medianMinutes: own ? Math.round(own.median) : null,
      ninthMinutes: own ? Math.round(own.ninth) : null,
      byHour: own?.byHour ?? hours.map(() => 0),
    },
    otherMedians: others,
  };
}
