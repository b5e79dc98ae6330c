import { dayIn } from '@portal/contract/days';
import { ballots } from '@portal/contract/elections/ballots';
import { conferences } from '@portal/contract/elections/conferences';
import { elections } from '@portal/contract/elections/elections';
import { nominations } from '@portal/contract/elections/nominations';
import { electionOptions } from '@portal/contract/elections/options';
import { proxies } from '@portal/contract/elections/proxies';
import { scrutiny } from '@portal/contract/elections/scrutiny';
import { voting } from '@portal/contract/elections/voting';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import type { Secrets } from '../../platform/secret-box.ts';
import type { Profile } from '../../profile.ts';
import { listVoters, setVoter } from '../contacts/index.ts';
import { addConference, attendanceApart, importAttendance, listConferences } from './attendance.ts';
import { listAttendeeVotes, openAttendeeBallot } from './attendee-ballots.ts';
import { openBallot, reportVote } from './ballots.ts';
import { drawBallot, listCandidates } from './candidates.ts';
import { readElection } from './election-row.ts';
import { addElection, cancelElection, changeElection, listElections, publishElection } from './elections.ts';
import { ownBallots } from './hand-over.ts';
import {
  answerNomination,
  authoriseNomination,
  getNominations,
  getOwnNomination,
  judgeNomination,
  listNominations,
  nominate,
  withdrawNomination,
} from './nominations.ts';
import { listOptions, resetElection, saveOptions } from './options.ts';
import { appointProxy, getProxyForm, listElectionProxies, listProxies, listVotes, revokeProxy, voidProxy } from './proxies.ts';
import { getScrutiny } from './scrutiny.ts';
import { getAttendeeVoting, getVotingHome } from './voting.ts';

export const electionRoutes = ({
  clock,
  profile,
  config,
}: {
  clock: () => Date;
  profile: Pick<Profile, 'timeZone'>;
  config: Secrets & { votingSystemSecret: string; appUrl: string };
}): Implementation[] => {
  const secret = config.votingSystemSecret;
  const when = () => {
    const now = clock();
    return { now, today: dayIn(profile.timeZone, now) };
  };
  return [
    implement(voting, {
      getAttendeeVoting,
      getMemberVoting: ({ read, account, caller }) => getVotingHome(read, account, caller, when()),
      listAttendeeVotes,
    }),
    implement(ballots, {
      openBallot: ({ change, account, caller, params }) =>
        openBallot(change, account, caller, params.electionId, { ...when(), secret, own: ownBallots(config) }),
      openAttendeeBallot: ({ change, caller, params }) =>
        openAttendeeBallot(change, caller, params.electionId, { now: clock(), secret, own: ownBallots(config) }),
      reportVote: async ({ change, body }) => {
        await reportVote(change, body, secret);
      },
    }),
    implement(proxies, {
      getProxyForm,
      appointProxy,
      revokeProxy,
      listProxies,
      listVotes,
      listVoters: async ({ read, account }) => ({ rows: await listVoters(read, account) }),
      setVoter: async ({ change, account, params, body }) => ({ rows: await setVoter(change, account, params.contactId, body.mayVote) }),
      listElectionProxies,
      voidProxy,
    }),
    implement(elections, {
      listElections,
      getElection: ({ read, params }) => readElection(read, params.electionId, clock()),
      addElection: ({ change, body }) => addElection(change, body),
      changeElection,
      publishElection: ({ change, params, body }) => publishElection(change, params.electionId, body.version),
      cancelElection,
    }),
    implement(electionOptions, {
      listOptions,
      saveOptions: ({ change, params, body }) => saveOptions(change, params.electionId, body.rows),
      resetElection,
    }),
    implement(nominations, {
      getNominations: ({ read, caller, params, query }) => getNominations(read, caller, params.electionId, query.account ?? null, when()),
      nominate,
      withdrawNomination,
      authoriseNomination,
      getOwnNomination,
      answerNomination,
      listCandidates,
      listNominations,
      judgeNomination,
      putCandidatesOnBallot: async ({ change, params }) => ({ candidates: await drawBallot(change, params.electionId) }),
    }),
    implement(scrutiny, { getScrutiny }),
    implement(conferences, {
      listConferences: async ({ read }) => ({ rows: await listConferences(read) }),
      addConference,
      importAttendance: afterReading(
        call => attendanceApart(senderOf(call), call.body.csv, 'csv'),
        ({ change, params, body }, list) => importAttendance(change, params.conference, list, body),
      ),
    }),
  ];
};
