import { dayIn } from '@portal/contract/days';
import { conferences } from '@portal/contract/elections/conferences';
import { elections } from '@portal/contract/elections/elections';
import { voting } from '@portal/contract/elections/voting';
import { type Implementation, implement } from '../../platform/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { addConference, importAttendance, listConferences } from './attendance.ts';
import { readElection } from './election-row.ts';
import { addElection, cancelElection, changeElection, listElections, publishElection } from './elections.ts';
import { getAttendeeVoting, getMemberVoting } from './voting.ts';

export const electionRoutes = ({ clock, profile }: { clock: () => Date; profile: Pick<Profile, 'timeZone'> }): Implementation[] => [
  implement(voting, {
    getAttendeeVoting: ({ read, caller }) => getAttendeeVoting(read, caller, clock()),
    getMemberVoting: ({ read, account, caller }) => {
      const now = clock();
      return getMemberVoting(read, account, caller, { now, today: dayIn(profile.timeZone, now) });
    },
  }),
  implement(elections, {
    listElections: ({ read, query }) => listElections(read, query, clock()),
    getElection: ({ read, params }) => readElection(read, params.electionId, clock()),
    addElection: ({ change, body }) => addElection(change, body),
    changeElection: ({ change, params, body }) => changeElection(change, params.electionId, body),
    publishElection: ({ change, params, body }) => publishElection(change, params.electionId, body.version),
    cancelElection: ({ change, params, body }) => cancelElection(change, params.electionId, body),
  }),
  implement(conferences, {
    listConferences: async ({ read }) => ({ rows: await listConferences(read) }),
    addConference: ({ change, body }) => addConference(change, body),
    importAttendance: ({ change, params, body }) => importAttendance(change, params.conference, body),
  }),
];
