import type { AnswerOf } from '@portal/contract';
import type { BallotProgress, ballotDuties } from '@portal/contract/encrypted-ballots/duties';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Act } from '../../platform/http/endpoints.ts';
import { type BallotState, nextStep, readBallotState } from './ballot-state.ts';
import { fingerprintOf } from './fingerprint.ts';

/** Whether the credential authority of a ballot is to send the list of credentials now. */
export const awaitsCredentials = ({ electionState, rollFixed, hasCredentials, setUpAt }: BallotState): boolean =>
  electionState !== 'cancelled' && rollFixed && !hasCredentials && setUpAt === null;

/** Those appointed for a ballot, and what each still has to send. */
export const progressOf = async (state: BallotState): Promise<z.infer<typeof BallotProgress>> => ({
  authority: { fullName: state.authorityName, isDue: awaitsCredentials(state), askedAt: awaitsCredentials(state) ? state.askedAt : null },
  hasCredentials: state.hasCredentials,
  trustees: await Promise.all(
    state.trustees.map(async each => {
      const next = nextStep(state, each);
      const shown = each.certificate ?? each.ownKey;
      return {
        place: each.place,
        fullName: each.fullName,
        next,
        askedAt: next !== null && next === each.askedStep ? each.askedAt : null,
        fingerprint: shown === null ? null : await fingerprintOf(shown),
      };
    }),
  ),
  hasKey: state.trusteeKeys !== null,
  setUpAt: state.setUpAt,
});

/** Elections in which the caller makes a part of the key, or the credentials, until they are counted. */
export async function listDuties({
  read,
  caller: { loginId },
}: Act<typeof ballotDuties.listDuties>): Promise<AnswerOf<typeof ballotDuties.listDuties>> {
  const found = await read.rows<{
    electionId: string;
  }>(sql`select b.election_id::text as election_id from encrypted_ballot b join election e using (election_id)
    where b.result is null and e.state <> 'cancelled' and (b.authority = ${loginId}
      or exists (select from ballot_trustee t where t.election_id = b.election_id and t.login_id = ${loginId})) order by b.election_id desc limit 50`);
  const rows: AnswerOf<typeof ballotDuties.listDuties>['rows'] = [];
  for (const { electionId } of found) {
    const state = await readBallotState(read, electionId);
    const { title } = state;
    if (state.authority === loginId && !state.authorityIsStaff)
      rows.push({ electionId, title, as: 'authority', isDue: awaitsCredentials(state) });
    const own = state.trustees.find(each => each.loginId === loginId);
    if (own) rows.push({ electionId, title, as: 'trustee', isDue: nextStep(state, own) !== null });
  }
  return { rows };
}
