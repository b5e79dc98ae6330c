import { sql } from 'kysely';
import { type BoardFactsOf, isIn, percentOf } from '../../platform/board-facts.ts';

/** Tickets of a period: received, and how fast each was answered first. */
export const ticketServiceFacts: BoardFactsOf = async (read, days, { profile: { timeZone } }) => {
  const [row] = await read.rows<{ received: number; answered: number; within: number }>(sql`
    select count(*) filter (where not from_registry and ${isIn(sql`created_at`, days, timeZone)})::int as received,
      count(*) filter (where ${isIn(sql`first_answer_at`, days, timeZone)})::int as answered,
      count(*) filter (where ${isIn(sql`first_answer_at`, days, timeZone)} and first_answer_at - created_at <= interval '1 day')::int as within
    from ticket`);
  return [
    { name: 'Tickets received', unit: 'count', value: String(row!.received) },
    { name: 'Tickets answered within a day', unit: 'percent', value: percentOf(row!.within, row!.answered) },
  ];
};
