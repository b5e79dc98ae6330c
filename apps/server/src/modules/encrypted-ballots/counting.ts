import type { AnswerOf } from '@portal/contract';
import type { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { sql } from 'kysely';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import { appendToArchive, archiveEnd, archiveTime } from './archive.ts';
import { readArchive } from './archive-reading.ts';
import { lockBallotState, readBallotState } from './ballot-state.ts';
import { decryptApart, keepDecryption, sumsOf } from './decryptions.ts';
import type { Decrypted } from './decryption-thread.ts';
import { appendEvent } from './protocol.ts';
import { notReady } from './refused.ts';
import { registryKeys } from './registry-key.ts';
import { ballotStatus, readableVotes } from './setup-status.ts';

/**
 * Ends the voting of elections whose windows are over: no ballot can be appended to their archives any more, and the encrypted ballots are added up. No one needs a key for
 * that. Voting that an open objection to the roll holds up isn’t over. Safe to run again.
 */
export async function closeVoting(db: Database, now: Date): Promise<void> {
  const over = await db.read.rows<{ electionId: string; setUpAt: string }>(sql`
    select e.election_id::text as election_id, e.set_up_at from election e join encrypted_ballot b using (election_id)
    where e.state = 'published' and e.set_up_at is not null and b.tally is null
      and not exists (select from election_window w where w.election_id = e.election_id and w.closes_at > ${now.toISOString()}::timestamptz)
      and not exists (select from roll_objection o where o.election_id = e.election_id and o.state = 'open')`);
  await eachAlone(
    over,
    ({ electionId }) => `election ${electionId}`,
    async ({ electionId, setUpAt }) => {
      const end = await archiveEnd(db.read, electionId);
      const ending = await appendEvent(end, 'EndBallots', [], archiveTime(setUpAt));
      const counted = await readArchive(db.read, electionId, { proofs: false, more: ending.bytes });
      if ('refused' in counted) throw new Error(`its archive does not hold: ${counted.refused}`);
      await db.change(ownActivity('encryptedBallots.closeVoting', 'Added up the encrypted ballots of an election'), async change => {
        const state = await lockBallotState(change, electionId);
        // Cast just before the close, and committed meanwhile: it is counted in the next run.
        if (state.tally !== null || state.end?.hash !== end?.hash) return;
        await appendToArchive(change, { electionId, setUpAt }, 'EndBallots', []);
        const tip = await appendToArchive(change, { electionId, setUpAt }, 'EncryptedTally', counted.tally!);
        await change.rows(
          sql`update encrypted_ballot set tally = ${[...counted.tally!]}::text[] where election_id = ${Number(electionId)}`,
        );
        await change.note({ election: state.title, ballots: counted.ballots.length, archive: tip.hash });
      });
    },
  );
}

type Starting = Act<typeof encryptedBallotSetup.startCount>;

/** Decrypts the sums with the key of the registry in a thread, before the change. @throws Failure NOT_FOUND, BALLOT_NOT_READY */
export async function decryptForRegistry({
  read,
  caller,
  params: { electionId },
  registry: { config },
}: Omit<Starting, 'change'> & { read: Read }): Promise<Decrypted> {
  const state = await readBallotState(read, electionId);
  if (state.tally === null) throw notReady('voting isn’t over, or its ballots are being added up');
  if (state.decryption !== null) throw notReady('the count has started');
  return decryptApart(senderOf({ caller }), { ...sumsOf(state), owner: 1, privateKeys: registryKeys(config, state.uuid) }, 'readableVotes');
}

/**
 * Starts the count: from now on the trustees decrypt. The caller says which classes of voters every sum gives away, and so has read them.
 * @throws Failure NOT_FOUND, BALLOT_NOT_READY
 */
export async function startCount(
  { change, params: { electionId }, body, registry }: Starting,
  decrypted: Decrypted,
): Promise<AnswerOf<typeof encryptedBallotSetup.startCount>> {
  const state = await lockBallotState(change, electionId);
  if (state.decryption !== null) throw notReady('the count has started');
  const readable = await readableVotes(change, electionId);
  const named = new Set(body.readableVotes);
  const missed = readable.filter(({ votes }) => !named.has(votes));
  if (missed.length > 0)
    throw notReady(
      `the sums give away how ${missed.map(({ votes, ballots }) => `${ballots === 1 ? 'the voter' : `the ${ballots} voters`} with ${votes} ${votes === 1 ? 'vote' : 'votes'}`).join(' and ')} voted. Confirm that you have read it`,
    );
  await keepDecryption(change, state, { place: null, ...decrypted });
  await change.note({ election: state.title, readable: readable.map(({ votes }) => votes) });
  return ballotStatus(change, electionId, registry);
}
