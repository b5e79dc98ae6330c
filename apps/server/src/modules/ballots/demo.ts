import { sql } from 'kysely';
import type { DemoRegistry } from '../../platform/demo.ts';
import { addDemoResolution, addToSum, demoInstant, freezeRolls } from '../elections/index.ts';
import { newReceipt } from './casting.ts';

/**
 * Adds a resolution that members voted on with the registry's own ballots two months ago: four of five accounts voted, a third of them against.
 * Voters and choices are stored separately, as by the ballot program.
 */
export async function addDemoLife({ db, change: changeDemo, today, config, profile }: DemoRegistry): Promise<void> {
  const line = { action: 'demo.closedVote', summary: 'Held a vote' };
  const at = (day: number): string => demoInstant(today, [day, 4]);
  const electionId = await changeDemo(line, change =>
    addDemoResolution(change, today, {
      title: 'By-law 74: meetings online',
      description: 'Members decide whether general meetings may be held online only.',
      windows: [{ kind: 'member-vote', opens: [-72, 4], closes: [-58, 7.5] }],
      options: [
        { name: 'For', statement: 'General meetings may be held online only.' },
        { name: 'Against', statement: 'General meetings have a place that members can come to.' },
      ],
      published: -100,
    }),
  );
  await freezeRolls(db, new Date(at(-71)), profile);
  await changeDemo(line, async change => {
    const voted = await change.rows<{ votes: number; place: number }>(sql`
      with numbered as (select r.account_name, r.votes, row_number() over (order by r.account_name)::int as place from election_roll r where r.election_id = ${electionId}),
      kept as (insert into election_vote (election_id, generation, account_name, votes, cast_as, voter_name, cast_at, notified_at)
        select ${electionId}, 1, n.account_name, n.votes, 'member',
          coalesce((select min(c.full_name) from contact c where c.account_name = n.account_name and c.status = 'active' and 'corporate' = any (c.contact_types)), 'Corporate contact'),
          ${at(-70)}::timestamptz + n.place * interval '7 minutes', ${at(-60)}::timestamptz
        from numbered n where n.place % 5 <> 0)
      select votes, place from numbered where place % 5 <> 0`);
    const ballots = voted
      .map(({ votes, place }) => ({ receipt: newReceipt(), electionId, generation: 1, votes, choices: [place % 3 === 0 ? 2 : 1] }))
      .toSorted((a, b) => (a.receipt < b.receipt ? -1 : 1));
    if (ballots.length > 0) await change.insertInto('ballot').values(ballots).execute();
    for (const ballot of ballots) await addToSum(change, config, ballot);
  });
}

export { regionStages } from './demo-region.ts';
