import type { AnswerOf } from '@portal/contract';
import type { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart, senderOf } from '../../platform/reading-apart.ts';
import { type BallotState, lockBallotState, nextStep, readBallotState, type TrusteeRow } from './ballot-state.ts';
import { decryptApart, keepDecryption, sumsOf } from './decryptions.ts';
import { progressOf } from './duties.ts';
import { notReady } from './refused.ts';
import { setupThread } from './threads.ts';
import type { JudgedMessage, read as judgeMessage } from './trustee-thread.ts';
import type { Decrypted } from './decryption-thread.ts';

const messageApart = readApart<typeof judgeMessage>(new URL('./trustee-thread.ts', import.meta.url), setupThread);

/** The caller among the trustees of an election; to all others it is as if there were none. @throws Failure NOT_FOUND */
function trusteeOf({ trustees }: BallotState, { loginId }: Caller): TrusteeRow {
  const own = trustees.find(each => each.loginId === loginId);
  if (!own) throw refuse('NOT_FOUND', { what: 'The encrypted ballot' });
  return own;
}

/** The ballot as one of its trustees sees it: the next step, and messages of the others. @throws Failure NOT_FOUND */
export async function getTrustee({
  read,
  caller,
  params: { electionId },
}: Act<typeof ballotTrustees.getTrustee>): Promise<AnswerOf<typeof ballotTrustees.getTrustee>> {
  const state = await readBallotState(read, electionId);
  return shown(read, state, trusteeOf(state, caller));
}

async function shown(read: Pick<Read, 'rows'>, state: BallotState, own: TrusteeRow): Promise<AnswerOf<typeof ballotTrustees.getTrustee>> {
  const { uuid, title, threshold, trustees } = state;
  const [cast] = await read.rows<{ ballots: number }>(
    sql`select count(*)::int as ballots from ballot_event where election_id = ${Number(state.electionId)} and kind = 'Ballot'`,
  );
  const certificates = trustees.flatMap(({ certificate }) => (certificate === null ? [] : [certificate]));
  return {
    uuid,
    title,
    place: own.place,
    // The registry decrypts as the first.
    number: own.place + 1,
    threshold,
    next: nextStep(state, own),
    certificates: certificates.length === trustees.length ? certificates : null,
    input: own.input,
    share: own.share,
    ballots: cast!.ballots,
    progress: await progressOf(state),
  };
}

type Sending = Act<typeof ballotTrustees.sendTrusteeMessage>;
/** A judged message, and the state that it was judged for. */
type Judged = { basis: string; key: JudgedMessage | null; decryption: Decrypted | null };

/** The state that a message was judged for: another message of the same ballot makes it another one. */
const basisOf = ({ uuid, trustees, end }: BallotState): string =>
  JSON.stringify([uuid, trustees.map(({ askedStep: _s, askedAt: _a, reminders: _r, ...sent }) => sent), end]);

/** Judges a message in a thread, before its change. @throws Failure NOT_FOUND, BALLOT_SET_UP, BALLOT_NOT_READY, TRUSTEE_MESSAGE_REFUSED, TOO_MANY_REQUESTS */
export async function judgeTrusteeMessage({
  read,
  caller,
  params: { electionId },
  body: { step, message },
}: Omit<Sending, 'change'> & { read: Read }): Promise<Judged> {
  const state = await readBallotState(read, electionId);
  const own = trusteeOf(state, caller);
  requireStep(state, own, step);
  const basis = basisOf(state);
  if (step === 'decryption')
    return {
      basis,
      key: null,
      decryption: await decryptApart(senderOf({ caller }), { ...sumsOf(state), owner: own.place + 1, message }, 'message'),
    };
  const { threshold, trustees } = state;
  const sent = trustees.map(({ ownKey, certificate, polynomial, share }) => ({ ownKey, certificate, polynomial, share }));
  const key = await messageApart(senderOf({ caller }), { step, message, place: own.place, threshold, trustees: sent }, 'message');
  return { basis, key, decryption: null };
}

/** Keeps a message of a trustee. @throws Failure NOT_FOUND, BALLOT_SET_UP, BALLOT_NOT_READY where the next step is another one, or another message came in between */
export async function sendTrusteeMessage(
  { change, caller, params: { electionId }, body: { step } }: Sending,
  { basis, key, decryption }: Judged,
): Promise<AnswerOf<typeof ballotTrustees.sendTrusteeMessage>> {
  const state = await lockBallotState(change, electionId);
  const own = trusteeOf(state, caller);
  requireStep(state, own, step);
  if (basisOf(state) !== basis) throw notReady('another message arrived at the same moment. Send yours again');
  if (decryption) await keepDecryption(change, state, { place: own.place, ...decryption });
  else await keepKeyMessage(change, state, { place: own.place, step, ...key! });
  await change.note({ election: state.title, trustee: own.place, step });
  const after = await readBallotState(change, electionId);
  return shown(change, after, trusteeOf(after, caller));
}

function requireStep(state: BallotState, own: TrusteeRow, step: Sending['body']['step']): void {
  if (step !== 'decryption' && state.parameters !== null) throw refuse('BALLOT_SET_UP');
  const next = nextStep(state, own);
  if (next === step) return;
  throw notReady(next === null ? `no message is expected from you now` : `the next message is: ${next}`);
}

async function keepKeyMessage(
  change: Change,
  { electionId }: BallotState,
  { place, step, message, inputs, keys }: JudgedMessage & { place: number; step: Sending['body']['step'] },
): Promise<void> {
  const id = Number(electionId);
  const row = (of: number) => change.updateTable('ballotTrustee').where('electionId', '=', id).where('place', '=', of);
  if (step === 'key') await row(place).set({ ownKey: message }).execute();
  if (step === 'certificate') await row(place).set({ certificate: message }).execute();
  if (step === 'polynomial') await row(place).set({ polynomial: message }).execute();
  if (step === 'share') await row(place).set({ share: message }).execute();
  for (const [index, input] of (inputs ?? []).entries())
    await row(index + 1)
      .set({ input })
      .execute();
  if (keys !== null) await change.updateTable('encryptedBallot').set({ trusteeKeys: keys }).where('electionId', '=', id).execute();
}
