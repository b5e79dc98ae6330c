import { useChange } from '@portal/app-kit';
import { ballotCredentials } from '@portal/contract/encrypted-ballots/credentials';
import { ballotDuties } from '@portal/contract/encrypted-ballots/duties';

/** Takes the roll, with the addresses of voters: that is logged. */
export const useRoll = () => useChange(ballotCredentials.takeRoll, { showsErrors: true });

/** Sends the public list of credentials. */
export const useSentList = () =>
  useChange(ballotCredentials.sendCredentials, { refresh: [ballotCredentials.getAuthority, ballotDuties.listDuties], showsErrors: true });
