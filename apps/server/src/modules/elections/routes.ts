import { ballots } from '@portal/contract/elections/ballots';
import { conferences } from '@portal/contract/elections/conferences';
import { elections } from '@portal/contract/elections/elections';
import { nominations } from '@portal/contract/elections/nominations';
import { electionOptions } from '@portal/contract/elections/options';
import { proxies } from '@portal/contract/elections/proxies';
import { scrutiny } from '@portal/contract/elections/scrutiny';
import { voting } from '@portal/contract/elections/voting';
import { afterReading, implement, type Implementation } from '../../platform/http/endpoints.ts';
import { electionCases } from './cases.ts';
import { listVoters, setVoter } from '../contacts/index.ts';
import { addConference, importAttendance, listConferences, readAttendanceList } from './attendance.ts';
import { listAttendeeVotes, openAttendeeBallot } from './attendee-ballots.ts';
import { openBallot, reportVote } from './ballots.ts';
import { listCandidates, putCandidatesOnBallot } from './candidates.ts';
import { addElection, cancelElection, changeElection, getElection, listElections, publishElection } from './elections.ts';
import {
  answerNomination,
  authoriseNomination,
  getNominations,
  getOwnNomination,
  judgeNomination,
  listNominations,
  nominationCases,
  nominate,
  withdrawNomination,
} from './nominations.ts';
import { listOptions, resetElection, saveOptions } from './options.ts';
import { openProxyBallot } from './proxy-ballots.ts';
import { appointProxy, getProxyForm, listElectionProxies, listProxies, listVotes, proxyCases, revokeProxy, voidProxy } from './proxies.ts';
import { getScrutiny } from './scrutiny.ts';
import { getAttendeeVoting, getMemberVoting } from './voting.ts';

export const electionRoutes: readonly Implementation[] = [
  implement(voting, { getAttendeeVoting, getMemberVoting, listAttendeeVotes }),
  implement(ballots, { openBallot, openAttendeeBallot, openProxyBallot, reportVote }),
  implement(
    proxies,
    {
      getProxyForm,
      appointProxy,
      revokeProxy,
      listProxies,
      listVotes,
      listVoters,
      setVoter,
      listElectionProxies,
      voidProxy,
    },
    proxyCases,
  ),
  implement(elections, { listElections, getElection, addElection, changeElection, publishElection, cancelElection }, electionCases),
  implement(electionOptions, { listOptions, saveOptions, resetElection }),
  implement(
    nominations,
    {
      getNominations,
      nominate,
      withdrawNomination,
      authoriseNomination,
      getOwnNomination,
      answerNomination,
      listCandidates,
      listNominations,
      judgeNomination,
      putCandidatesOnBallot,
    },
    nominationCases,
  ),
  implement(scrutiny, { getScrutiny }),
  implement(conferences, {
    listConferences,
    addConference,
    importAttendance: afterReading(readAttendanceList, importAttendance),
  }),
];
