import { DAY_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { notifyPeople } from '../identity/index.ts';
import type { Profile } from '../../profile.ts';
import { holdersOf } from '../roles/index.ts';
import { inUtc } from './objections.ts';
import { encryptedBallotsTexts } from './mail-texts.ts';

/** Reminds returning officers of objections to rolls that are open, each day: no ballot is cast until they are decided. Safe to run again. */
export async function remindOfObjections(
  db: Database,
  now: Date,
  { heldUpVotingExtended }: Pick<Profile, 'heldUpVotingExtended'>,
): Promise<void> {
  const due = sql`o.state = 'open' and coalesce(o.reminded_at, o.made_at) <= ${instantBefore(now.getTime(), DAY_MS)}::timestamptz`;
  const elections = await db.read.rows<{ electionId: string; title: string; opensAt: string; firstClosesAt: string; closesAt: string }>(sql`
    select e.election_id::text as election_id, e.title, min(w.opens_at) as opens_at, min(w.closes_at) as first_closes_at, max(w.closes_at) as closes_at from election e
    join election_window w on w.election_id = e.election_id and w.kind in ('member-vote', 'proxy-vote')
    where e.state = 'published' and exists (select from roll_objection o where o.election_id = e.election_id and ${due})
    group by e.election_id order by e.election_id`);
  await eachAlone(
    elections,
    ({ electionId }) => `election ${electionId}`,
    ({ electionId, title, opensAt, firstClosesAt, closesAt }) =>
      db.change(ownActivity('encryptedBallots.remindOfObjections', 'Reminded of objections to a roll'), async change => {
        const open = await change.rows<{
          accountName: string;
        }>(sql`update roll_objection o set reminded_at = ${now.toISOString()}::timestamptz
          where o.election_id = ${Number(electionId)} and ${due} returning o.account_name`);
        if (open.length === 0) return;
        const accounts = open.map(({ accountName }) => accountName).toSorted();
        await change.note({ election: title, accounts });
        const [at, first, until] = [opensAt, firstClosesAt, closesAt].map(inUtc);
        // Proxies and accounts may vote in windows of their own, and one that is closed gets no more time.
        const closes = first === until ? `It closes on ${until} as announced` : `Its windows close on ${first} and ${until} as announced`;
        const isOver = Date.parse(closesAt) <= now.getTime();
        const then = heldUpVotingExtended
          ? 'It then closes later by as long as it was held up.'
          : isOver
            ? `It closed on ${until} without a ballot: cancel the election, and say why.`
            : `${closes}: change the election to give it more time, which a scrutineer approves.`;
        await notifyPeople(
          change,
          {
            topic: 'elections.votes',
            accountName: null,
            text: encryptedBallotsTexts.written('reminderDecideRoll', {
              howMany: accounts.length === 1 ? 'an objection' : `${accounts.length} objections`,
              title,
              accounts: accounts.join(', '),
              noBallotCan:
                Date.parse(opensAt) > now.getTime()
                  ? `No ballot can be cast while an objection is open. Voting opens on ${at}.`
                  : `Voting should have opened on ${at}: no ballot can be cast until all objections are decided. ${then}`,
            }),
            path: `/desk/elections?election=${electionId}`,
            act: 'Decide',
          },
          await holdersOf(change, ['returning-officer'], change.now),
        );
      }),
  );
}
