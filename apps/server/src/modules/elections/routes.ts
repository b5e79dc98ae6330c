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
      getAttendeeVoting: ({ read, caller }) => getAttendeeVoting(read, caller, clock()),
      getMemberVoting: ({ read, account, caller }) => getVotingHome(read, account, caller, when()),
      listAttendeeVotes: ({ read, caller }) => listAttendeeVotes(read, caller),
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
      getProxyForm: ({ read, account, caller, params }) => getProxyForm(read, account, caller, params.electionId, when()),
      appointProxy: ({ change, account, caller, params, body }) => appointProxy(change, account, caller, params.electionId, body, when()),
      revokeProxy: ({ change, account, params }) => revokeProxy(change, account, params.proxyId, clock()),
      listProxies: ({ read, account }) => listProxies(read, account, clock()),
      listVotes: ({ read, account }) => listVotes(read, account),
      listVoters: async ({ read, account }) => ({ rows: await listVoters(read, account) }),
      setVoter: async ({ change, account, params, body }) => ({ rows: await setVoter(change, account, params.contactId, body.mayVote) }),
      listElectionProxies: ({ read, params }) => listElectionProxies(read, params.electionId, clock()),
      voidProxy: ({ change, params, body }) => voidProxy(change, params.proxyId, body.reason, clock()),
    }),
    implement(elections, {
      listElections: ({ read, query }) => listElections(read, query, clock()),
      getElection: ({ read, params }) => readElection(read, params.electionId, clock()),
      addElection: ({ change, body }) => addElection(change, body),
      changeElection: ({ change, params, body }) => changeElection(change, params.electionId, body),
      publishElection: ({ change, params, body }) => publishElection(change, params.electionId, body.version),
      cancelElection: ({ change, params, body }) => cancelElection(change, params.electionId, body),
    }),
    implement(electionOptions, {
      listOptions: ({ read, params }) => listOptions(read, params.electionId, clock()),
      saveOptions: ({ change, params, body }) => saveOptions(change, params.electionId, body.rows),
      resetElection: ({ change, params, body }) => resetElection(change, params.electionId, body),
    }),
    implement(nominations, {
      getNominations: ({ read, caller, params, query }) => getNominations(read, caller, params.electionId, query.account ?? null, when()),
      nominate: ({ change, caller, params, body }) => nominate(change, caller, params.electionId, body, when()),
      withdrawNomination: ({ change, caller, params }) => withdrawNomination(change, caller, params.nominationId, clock()),
      authoriseNomination: ({ change, account, params, body }) =>
        authoriseNomination(change, account, params.nominationId, body.authorise, clock()),
      getOwnNomination: ({ read, caller, params }) => getOwnNomination(read, caller, params.electionId, clock()),
      answerNomination: ({ change, caller, params, body }) => answerNomination(change, caller, params.electionId, body, clock()),
      listCandidates: ({ read, params }) => listCandidates(read, params.electionId, clock()),
      listNominations: ({ read, params }) => listNominations(read, params.electionId, clock()),
      judgeNomination: ({ change, params, body }) => judgeNomination(change, params.nominationId, body, clock()),
      putCandidatesOnBallot: async ({ change, params }) => ({ candidates: await drawBallot(change, params.electionId) }),
    }),
    implement(scrutiny, { getScrutiny: ({ read, params }) => getScrutiny(read, params.electionId, clock()) }),
    implement(conferences, {
      listConferences: async ({ read }) => ({ rows: await listConferences(read) }),
      addConference: ({ change, body }) => addConference(change, body),
      importAttendance: afterReading(
        call => attendanceApart(senderOf(call), call.body.csv, 'csv'),
        ({ change, params, body }, list) => importAttendance(change, params.conference, list, body),
      ),
    }),
  ];
};
