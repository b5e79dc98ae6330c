import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { lockBallotState } from './ballot-state.ts';

/**
 * Notes the last event of each archive that has grown since it was noted, in the activity log that is sealed: each of a running vote once an hour. Mirrors and voters who keep it see
 * whether an event was dropped later.
 */
export async function noteEvents(db: Database): Promise<void> {
  const grown = await db.read.rows<{ electionId: string; title: string; height: number; hash: string }>(sql`
    select e.election_id::text as election_id, e.title, b.height, b.hash from election e
    join ballot_event b on b.election_id = e.election_id and b.height = (select max(height) from ballot_event l where l.election_id = e.election_id)
    where not exists (select from noted_event n where n.election_id = b.election_id and n.height = b.height) order by e.election_id`);
  await eachAlone(
    grown,
    ({ electionId }) => `election ${electionId}`,
    ({ electionId, title, height, hash }) =>
      db.change(ownActivity('encryptedBallots.noteEvent', 'Noted the last event of the archive of an election'), async change => {
        // An archive without ballots may be replaced meanwhile.
        await lockBallotState(change, electionId);
        await change.rows(sql`insert into noted_event (election_id, height, hash, noted_at) select b.election_id, b.height, b.hash, ${change.now}::timestamptz from ballot_event b
          where b.election_id = ${Number(electionId)} and b.height = ${height} and b.hash = ${hash} on conflict do nothing`);
        await change.note({ election: title, event: height, hash });
      }),
  );
}
