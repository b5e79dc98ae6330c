import { useChange } from '@portal/app-kit';
import { ballotDuties } from '@portal/contract/encrypted-ballots/duties';
import type { TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';

/** Sends the next message of a trustee. */
export function useMessage(electionId: string, step: TrusteeStep) {
  const change = useChange(ballotTrustees.sendTrusteeMessage, {
    refresh: [ballotTrustees.getTrustee, ballotDuties.listDuties],
    showsErrors: true,
  });
  return { change, send: (message: string) => change.mutate({ electionId, body: { step, message: message.trim() } }) };
}
