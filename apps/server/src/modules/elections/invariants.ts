import { sql } from 'kysely';
import { type Invariant, MAX_VIOLATIONS } from '../../platform/invariant.ts';
import { ballotSums } from './ballot-sums.ts';

type Round = { title: string; generation: number; voters: number; ballots: number };

/** Invariants of elections. Ballots are only counted. */
export const electionsInvariants: readonly Invariant[] = [
  {
    name: 'elections.ballotsOfVoters',
    sentence: 'Each vote with plain ballots of our own has as many ballots as voters, in each round',
    check: async ({ read }) =>
      (
        await read.rows<Round>(sql`select * from (select e.title, round as generation,
            (select count(*)::int from election_vote v where v.election_id = e.election_id and v.generation = round)
              + (select count(*)::int from attendee_vote v where v.election_id = e.election_id and v.generation = round) as voters,
            (select count(*)::int from ballot b where b.election_id = e.election_id and b.generation = round) + ballots.count_of(e.election_id, round) as ballots
          from election e cross join generate_series(1, e.generation) round
          where e.ballots = 'plain' and exists (select from election_window w where w.election_id = e.election_id and w.url = '' and w.kind in ('member-vote', 'proxy-vote', 'attendee-vote'))) rounds
        where voters <> ballots order by 1, 2 limit ${MAX_VIOLATIONS}`)
      ).map(({ title, generation, voters, ballots }) => ({
        object: `${title}, round ${generation},`,
        problem: `has ${voters} voters and ${ballots} ballots`,
        remedy: 'Tell the scrutineers: ballots were put in or taken out past the portal, and the vote has to be repeated',
      })),
  },
  {
    name: 'elections.votesOfRoll',
    sentence: 'Each account votes once in a round, with the votes that the roll gives it',
    check: async ({ read }) =>
      (
        await read.rows<{ title: string; accountName: string; votes: number; roll: number | null }>(sql`
          select e.title, v.account_name, v.votes, r.votes as roll from election_vote v join election e using (election_id)
          left join election_roll r on r.election_id = v.election_id and r.account_name = v.account_name
          where e.roll_frozen_at is not null and v.votes is distinct from r.votes order by 1, 2 limit ${MAX_VIOLATIONS}`)
      ).map(({ title, accountName, votes, roll }) => ({
        object: `The vote of ${accountName} in ${title}`,
        problem: `counts ${votes}, and ${roll === null ? 'the roll does not have the account' : `the roll gives it ${roll}`}`,
        remedy: 'Tell the scrutineers: the vote has to be repeated',
      })),
  },
  {
    name: 'elections.seeds',
    sentence: 'Each published election with nominations in the portal has the seed of the order on its ballot, until voting opens',
    check: async ({ read, now }) =>
      (
        await read.rows<{ title: string }>(sql`select e.title from election e
          join election_window n on n.election_id = e.election_id and n.kind = 'nomination' and n.url = ''
          where e.state = 'published' and not exists (select from ballot_order b where b.election_id = e.election_id)
            and not exists (select from election_window w where w.election_id = e.election_id and w.kind in ('member-vote', 'proxy-vote', 'attendee-vote')
              and w.opens_at <= ${now.toISOString()}::timestamptz) order by 1 limit ${MAX_VIOLATIONS}`)
      ).map(({ title }) => ({
        object: title,
        problem: 'has nominations, and no seed was drawn for the order on its ballot',
        remedy: 'Change the election and save it, which draws one, and tell the scrutineers',
      })),
  },
  ballotSums,
];
