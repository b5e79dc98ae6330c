import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { giveTimeBack } from '../elections/index.ts';

/** How an objection ends. */
type End = { state: 'upheld' | 'rejected'; decidedBy: string; votesGiven: number | null; answer: string } | { state: 'withdrawn' };

/**
 * Ends an objection, however it ends. No one could vote while one was open: the end of the last one gives voting that had opened the time back.
 * @returns when voting closes instead; null where nothing was held up
 */
export async function endObjection(
  change: Change,
  { objectionId, electionId }: { objectionId: string; electionId: string },
  end: End,
): Promise<string | null> {
  await change
    .updateTable('rollObjection')
    .set({ ...end, decidedAt: change.now })
    .where('rollObjectionId', '=', Number(objectionId))
    .execute();
  const [held] = await change.rows(sql`select 1 as held from election e join encrypted_ballot b using (election_id)
    where e.election_id = ${Number(electionId)} and e.state = 'published' and b.tally is null
      and not exists (select from roll_objection o where o.election_id = e.election_id and o.state = 'open')`);
  const closesAt = held ? await giveTimeBack(change, electionId) : null;
  if (closesAt !== null) await change.note({ votingCloses: closesAt });
  return closesAt;
}
