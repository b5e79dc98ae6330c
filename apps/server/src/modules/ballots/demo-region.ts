import { sql } from 'kysely';
import type { RegionPart, RegionStage } from '../../platform/demo.ts';
import { addDemoResolution, addToSum, demoInstant, freezeRoll } from '../elections/index.ts';
import { receiptOf } from './casting.ts';

const AT_ONCE = 500;
/** Of three accounts on the roll one votes. */
const ONE_OF = 3;
const TITLE = 'By-law 73: observers at board meetings';

/** A vote that members held last year: the roll has every account of the region, and a third of them voted. Voters and choices are stored separately, as by the ballot program. */
const vote: RegionStage = {
  name: 'vote',
  title: 'A vote',
  parts: async ({ db, config, profile, plan, random }) => {
    const today = new Date(`${plan.today}T00:00:00Z`);
    const at = (day: number, hour = 4): string => demoInstant(today, [day, hour]);
    const begin: RegionPart = async change => {
      const electionId = await addDemoResolution(change, today, {
        title: TITLE,
        description: 'Members decide whether observers may attend meetings of the board.',
        windows: [{ kind: 'member-vote', opens: [-272, 4], closes: [-258, 7.5] }],
        options: [
          { name: 'For', statement: 'Observers may attend meetings of the board.' },
          { name: 'Against', statement: 'Meetings of the board stay as they are.' },
        ],
        published: -300,
      });
      return (await freezeRoll(change, String(electionId), profile)) ?? 0;
    };
    const [counted] = await db.read.rows<{ accounts: number }>(
      sql`select count(*)::int as accounts from account where account_status <> 'closed'`,
    );
    const length = Math.ceil(counted!.accounts / AT_ONCE);
    const cast = Array.from(
      { length },
      (_, part): RegionPart =>
        async change => {
          const drawn = random(`vote ${part}`);
          const roll = await change.rows<{ electionId: number; accountName: string; votes: number; voter: string }>(sql`
        select r.election_id::int as election_id, r.account_name, r.votes, coalesce((select min(c.full_name) from contact c
          where c.account_name = r.account_name and c.status = 'active' and 'corporate' = any (c.contact_types)), 'Corporate contact') as voter
        from election e join election_roll r using (election_id) where e.title = ${TITLE} order by r.account_name limit ${AT_ONCE} offset ${part * AT_ONCE}`);
          const voters = roll.filter(() => drawn(ONE_OF) === 0).map(each => ({ ...each, minutes: drawn(14 * 24 * 60) }));
          if (voters.length === 0) return 0;
          await change.rows(sql`insert into election_vote (election_id, generation, account_name, votes, cast_as, voter_name, cast_at, notified_at)
        select "electionId", 1, "accountName", votes, 'member', voter, ${at(-272)}::timestamptz + minutes * interval '1 minute', ${at(-257)}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(voters)}::jsonb) as w ("electionId" bigint, "accountName" text, votes integer, voter text, minutes integer)`);
          const ballots = voters
            .map(({ electionId, votes }) => ({
              receipt: receiptOf(Array.from({ length: 16 }, () => drawn(256))),
              electionId,
              generation: 1,
              votes,
              choices: [drawn(3) === 0 ? 2 : 1],
            }))
            .toSorted((a, b) => (a.receipt < b.receipt ? -1 : 1));
          await change.insertInto('ballot').values(ballots).execute();
          for (const ballot of ballots) await addToSum(change, config, ballot);
          return 2 * voters.length;
        },
    );
    return [begin, ...cast];
  },
};

export const regionStages: readonly RegionStage[] = [vote];
