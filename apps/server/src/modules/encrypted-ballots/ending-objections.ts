import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { giveTimeBack } from '../elections/index.ts';

/** How an objection ends. */
type End = { state: 'upheld' | 'rejected'; decidedBy: string; votesGiven: number | null; answer: string } | { state: 'withdrawn' };

/** Voting that no one could take part in until now. */
export type HeldUp = {
  /** Of the ballots of accounts; those of proxies may close earlier. */
  closesAt: string;
  /** Whether it closes later than announced, by as long as it was held up. */
  extended: boolean;
};

/**
 * Ends an objection, however it ends. No one could vote while one was open. As the last one ends, voting that had opened gets the time back where the bylaws say so (`heldUpVotingExtended`
 * of the profile); otherwise it closes as announced, and more time takes two people, as any change of a published election.
 * @returns null where nothing was held up
 */
export async function endObjection(
  change: Change,
  { objectionId, electionId }: { objectionId: string; electionId: string },
  end: End,
  { heldUpVotingExtended }: Pick<Profile, 'heldUpVotingExtended'>,
): Promise<HeldUp | null> {
  await change
    .updateTable('rollObjection')
    .set({ ...end, decidedAt: change.now })
    .where('rollObjectionId', '=', Number(objectionId))
    .execute();
  const [held] = await change.rows<{ closesAt: string }>(sql`
    select coalesce(max(w.closes_at) filter (where w.kind = 'member-vote'), max(w.closes_at)) as closes_at from election e join encrypted_ballot b using (election_id) join election_window w using (election_id)
    where e.election_id = ${Number(electionId)} and e.state = 'published' and b.tally is null and w.kind in ('member-vote', 'proxy-vote') and w.opens_at < ${change.now}::timestamptz
      and not exists (select from roll_objection o where o.election_id = e.election_id and o.state = 'open') group by e.election_id`);
  if (!held) return null;
  const later = heldUpVotingExtended ? await giveTimeBack(change, electionId) : null;
  if (later !== null) await change.note({ votingCloses: later });
  return { closesAt: later ?? held.closesAt, extended: later !== null };
}
