import { electionKindNames, electionKinds } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { type Invariant, isOf, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import { readElections, rollFixedAt, tooLittleToObject } from '../elections/index.ts';
import { archiveEnd } from './archive.ts';
import { readArchive } from './archive-reading.ts';

const remedy = 'Tell the returning officer and the trustees: the archive was changed past the portal, and its mirrors show how it was';

/** Kinds of elections in which each account has one vote. */
const oneVoteKinds = electionKindNames.filter(kind => electionKinds[kind].memberVotes === 'one');

/** Invariants of encrypted ballots. */
export const encryptedBallotInvariants: readonly Invariant[] = [
  {
    name: 'encryptedBallots.archives',
    sentence: 'All that an archive of encrypted ballots holds is proven in it: keys, ballots, votes, sums and decryptions',
    check: async ({ read, accounts }) => {
      // Proofs of a whole election take minutes: they are looked at again where everything is.
      const archives = await read.rows<{
        electionId: string;
        title: string;
      }>(sql`select e.election_id::text as election_id, e.title from election e
        where exists (select from ballot_event b where b.election_id = e.election_id) order by e.election_id`);
      const found: Violation[] = [];
      for (const { electionId, title } of archives) {
        const end = await archiveEnd(read, electionId);
        const kept = await read.rows<{
          tracker: string | null;
          weight: number | null;
        }>(sql`select tracker, votes as weight from ballot_event
          where election_id = ${Number(electionId)} and kind = 'Ballot' order by height`);
        const archive = await readArchive(read, electionId, { proofs: accounts === null, more: null });
        if ('refused' in archive) found.push({ object: `The archive of ${title}`, problem: `does not hold: ${archive.refused}`, remedy });
        else if (archive.hash !== end?.hash || JSON.stringify(archive.ballots) !== JSON.stringify(kept))
          found.push({ object: `The archive of ${title}`, problem: 'has other events, ballots or votes than are kept of it', remedy });
      }
      return found.slice(0, MAX_VIOLATIONS);
    },
  },
  {
    name: 'encryptedBallots.notedEvents',
    sentence: 'Each event of an archive that was noted is still in it',
    check: async ({ read }) =>
      (
        await read.rows<{
          title: string;
          height: number;
        }>(sql`select e.title, n.height from noted_event n join election e using (election_id)
          where not exists (select from ballot_event b where b.election_id = n.election_id and b.height = n.height and b.hash = n.hash)
          order by 1, 2 limit ${MAX_VIOLATIONS}`)
      ).map(({ title, height }) => ({ object: `The archive of ${title}`, problem: `has another event ${height} than was noted`, remedy })),
  },
  {
    name: 'encryptedBallots.objections',
    sentence:
      'No ballot is cast over an open objection to the roll, votes are given as the kind of election has them, and the roll gives accounts the votes of objections that were upheld',
    check: async ({ read, accounts }) =>
      (
        await read.rows<{
          title: string;
          accountName: string;
          open: boolean;
          given: number | null;
          roll: number | null;
          isBeyond: boolean;
        }>(sql`
          select e.title, e.kind = any (${oneVoteKinds}::text[]) and coalesce(o.votes_given > 1, false) as is_beyond, o.account_name, o.state = 'open' as open, o.votes_given as given, r.votes as roll from roll_objection o join election e using (election_id)
          left join election_roll r on r.election_id = o.election_id and r.account_name = o.account_name
          where ${isOf(sql`o.account_name`, accounts)} and ((e.kind = any (${oneVoteKinds}::text[]) and o.votes_given > 1) or (o.state = 'open' and exists (select from ballot_event b where b.election_id = o.election_id and b.kind = 'Ballot'))
            or (o.votes_given is not null and o.votes_given is distinct from r.votes and not exists (select from roll_objection l
              where l.election_id = o.election_id and l.account_name = o.account_name and l.votes_given is not null and l.roll_objection_id > o.roll_objection_id)))
          order by 1, 2 limit ${MAX_VIOLATIONS}`)
      ).map(({ title, accountName, open, given, roll, isBeyond }) => ({
        object: `The objection of ${accountName} in ${title}`,
        problem: open
          ? 'is open, and ballots have been cast'
          : isBeyond
            ? `gave it ${given}, where accounts have one vote`
            : `gave it ${given}, and the roll ${roll === null ? 'does not have it' : `gives it ${roll}`}`,
        remedy: 'Tell the scrutineers: the vote has to be repeated',
      })),
  },
  {
    name: 'encryptedBallots.objectionTime',
    sentence: 'Accounts have as long to object to the roll of an election that is set up as the policy says, until voting is over',
    check: async ({ read, profile, now }) => {
      const elections = await readElections(
        read as Read,
        sql`where state = 'published' and set_up_at is not null and exists (select from election_window w where w.election_id = election.election_id
          and w.kind in ('member-vote', 'proxy-vote') and w.closes_at > ${now.toISOString()}::timestamptz) order by title`,
        now,
      );
      const found: Violation[] = [];
      for (const election of elections) {
        const seen = { fixedAt: await rollFixedAt(read, election.electionId), publishedAt: election.publishedAt! };
        const short = tooLittleToObject(election, seen, profile);
        if (short !== null)
          found.push({
            object: `The roll of ${election.title}`,
            problem: `was shown too late: ${short}`,
            remedy: 'Tell the scrutineers: let voting open later, or cancel the election',
          });
      }
      return found.slice(0, MAX_VIOLATIONS);
    },
  },
  {
    name: 'encryptedBallots.ballotsOfVoters',
    sentence: 'An archive has a ballot for each account that voted, with as many votes',
    check: async ({ read }) =>
      (
        await read.rows<{ title: string; votes: number; voters: number; ballots: number }>(sql`
          select e.title, n.votes, n.voters, n.ballots from election e cross join lateral (
            select votes, coalesce(sum(voters), 0)::int as voters, coalesce(sum(ballots), 0)::int as ballots from (
              select v.votes, 1 as voters, 0 as ballots from election_vote v where v.election_id = e.election_id
              union all select coalesce(b.votes, 0), 0, 1 from ballot_event b where b.election_id = e.election_id and b.kind = 'Ballot') each group by votes) n
          where e.ballots = 'encrypted' and n.voters <> n.ballots order by 1, 2 limit ${MAX_VIOLATIONS}`)
      ).map(({ title, votes, voters, ballots }) => ({
        object: `${title}: with ${votes} ${votes === 1 ? 'vote' : 'votes'}`,
        problem: `${voters} accounts voted, and ${ballots} ballots are in the archive`,
        remedy: 'Tell the scrutineers: votes or ballots were put in or taken out past the portal, and the vote has to be repeated',
      })),
  },
  {
    name: 'encryptedBallots.creditedVotes',
    sentence: 'The votes of credentials are those of the roll, and so are the votes of accounts on encrypted ballots',
    check: async ({ read, accounts }) => {
      const classes = await read.rows<{ title: string; votes: number; roll: number; credentials: number }>(sql`
        select e.title, n.votes, n.roll, n.credentials from election e cross join lateral (
          select votes, coalesce(sum(roll), 0)::int as roll, coalesce(sum(credentials), 0)::int as credentials from (
            select r.votes, 1 as roll, 0 as credentials from election_roll r where r.election_id = e.election_id
            union all select c.votes, 0, 1 from ballot_credential c where c.election_id = e.election_id) each group by votes) n
        where e.set_up_at is not null and n.roll <> n.credentials order by 1, 2 limit ${MAX_VIOLATIONS}`);
      const others = await read.rows<{ title: string; accountName: string; votes: number; roll: number | null }>(sql`
        select e.title, v.account_name, v.votes, r.votes as roll from election_vote v join election e using (election_id)
        left join election_roll r on r.election_id = v.election_id and r.account_name = v.account_name
        where e.ballots = 'encrypted' and v.votes is distinct from r.votes and ${isOf(sql`v.account_name`, accounts)} order by 1, 2 limit ${MAX_VIOLATIONS}`);
      return [
        ...classes.map(({ title, votes, roll, credentials }) => ({
          object: `${title}: ${votes} ${votes === 1 ? 'vote' : 'votes'}`,
          problem: `${roll} accounts have as many on the roll, and ${credentials} credentials`,
          remedy: 'Tell the scrutineers: the vote has to be repeated',
        })),
        ...others.map(({ title, accountName, votes, roll }) => ({
          object: `The vote of ${accountName} in ${title}`,
          problem: `counts ${votes}, and ${roll === null ? 'the roll does not have the account' : `the roll gives it ${roll}`}`,
          remedy: 'Tell the scrutineers: the vote has to be repeated',
        })),
      ].slice(0, MAX_VIOLATIONS);
    },
  },
];
