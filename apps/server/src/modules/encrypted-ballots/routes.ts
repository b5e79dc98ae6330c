import { ballotCasting } from '@portal/contract/encrypted-ballots/casting';
import { ballotCredentials } from '@portal/contract/encrypted-ballots/credentials';
import { ballotDuties } from '@portal/contract/encrypted-ballots/duties';
import { rollObjections } from '@portal/contract/encrypted-ballots/objections';
import { proxyVotes } from '@portal/contract/encrypted-ballots/proxy-votes';
import { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';
import { afterReading, implement, type Implementation } from '../../platform/http/endpoints.ts';
import { appointTrustees, fixRoll } from './appointments.ts';
import { castBallot, getBallotForm, listTrackers, verifyCastBallot } from './casting.ts';
import { decryptForRegistry, startCount } from './counting.ts';
import { getAuthority, readCredentials, sendCredentials, takeRoll } from './credentials.ts';
import { decideObjection, listRollObjections } from './deciding-objections.ts';
import { listDuties } from './duties.ts';
import { getRollEntry, objectionCases, objectToRoll, withdrawObjection } from './objections.ts';
import { prepareSetup, setUpBallot } from './setup.ts';
import { castProxyBallot, getProxyBallotForm, listProxyVotes, verifyProxyBallot } from './proxy-votes.ts';
import { getEncryptedBallot } from './setup-status.ts';
import { getTrustee, judgeTrusteeMessage, sendTrusteeMessage } from './trustees.ts';

export const encryptedBallotRoutes: readonly Implementation[] = [
  implement(encryptedBallotSetup, {
    getEncryptedBallot,
    appointTrustees,
    fixRoll,
    setUpBallot: afterReading(prepareSetup, setUpBallot),
    startCount: afterReading(decryptForRegistry, startCount),
  }),
  implement(ballotCredentials, { getAuthority, takeRoll, sendCredentials: afterReading(readCredentials, sendCredentials) }),
  implement(ballotDuties, { listDuties }),
  implement(proxyVotes, {
    listProxyVotes,
    getProxyBallotForm,
    castProxyBallot: afterReading(verifyProxyBallot, castProxyBallot),
  }),
  implement(rollObjections, { getRollEntry, objectToRoll, withdrawObjection, listRollObjections, decideObjection }, objectionCases),
  implement(ballotTrustees, { getTrustee, sendTrusteeMessage: afterReading(judgeTrusteeMessage, sendTrusteeMessage) }),
  implement(ballotCasting, { getBallotForm, listTrackers, castBallot: afterReading(verifyCastBallot, castBallot) }),
];
