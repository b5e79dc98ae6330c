import { parentPort } from 'node:worker_threads';
import { type Election, readElection, Refusal, verifyBallot } from '../src/index.ts';
import type { BallotAnswer, BallotQuestion } from './ballot-threads.ts';
import { opensslPowers } from './openssl-powers.ts';

/** The election of the last question: its table of powers serves all ballots. */
let open: { text: string; election: Promise<Election> } | null = null;

async function answer({ id, election, ballot }: BallotQuestion): Promise<BallotAnswer> {
  try {
    if (open?.text !== election) open = { text: election, election: readElection(election) };
    await verifyBallot(await open.election, ballot, { powers: opensslPowers });
    return { id, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { id, refusal: { code: error.code, message: error.message } };
  }
}

// An answer that fails in any other way than by a refusal ends the thread: all that waits for it fails with the same error.
parentPort!.on('message', (question: BallotQuestion) => void answer(question).then(each => parentPort!.postMessage(each)));
