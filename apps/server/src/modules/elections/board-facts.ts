import { sql } from 'kysely';
import { type BoardFactsOf, isIn, percentOf } from '../../platform/board-facts.ts';

/** Elections whose voting of members closed in a period. */
export const electionFacts: BoardFactsOf = async (read, days, { now, profile: { timeZone } }) => {
  const closed = await read.rows<{ voters: number; voted: number }>(sql`
    select (select count(*)::int from election_roll r where r.election_id = e.election_id) as voters,
      (select count(*)::int from election_vote v where v.election_id = e.election_id and v.generation = e.generation) as voted
    from election e join election_window w on w.election_id = e.election_id and w.kind = 'member-vote'
    where e.state = 'published' and w.closes_at <= ${now.toISOString()}::timestamptz and ${isIn(sql`w.closes_at`, days, timeZone)}`);
  const sum = (of: 'voters' | 'voted'): number => closed.reduce((total, each) => total + each[of], 0);
  return [
    { name: 'Votes that closed', unit: 'count', value: String(closed.length) },
    { name: 'Accounts with a vote', unit: 'count', value: String(sum('voters')) },
    { name: 'Accounts that voted', unit: 'count', value: String(sum('voted')) },
    { name: 'Turnout', unit: 'percent', value: percentOf(sum('voted'), sum('voters')) },
  ];
};
