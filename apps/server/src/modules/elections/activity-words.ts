import type { ballots } from '@portal/contract/elections/ballots';
import type { conferences } from '@portal/contract/elections/conferences';
import type { elections } from '@portal/contract/elections/elections';
import type { nominations } from '@portal/contract/elections/nominations';
import type { electionOptions } from '@portal/contract/elections/options';
import type { proxies } from '@portal/contract/elections/proxies';
import { type ModuleWords, text, time, word, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const electionsWords = {
  activities: {
    elections: {
      category: 'system',
      unlisted: true,
      actions: {
        addElection: 'Add an election',
        changeElection: 'Change an election',
        publishElection: 'Publish an election',
        cancelElection: 'Cancel an election',
        freezeRoll: 'Freeze the votes of an election',
        announceVote: 'Notify of a vote',
        inviteProxy: 'Send a proxy the way to the ballot',
      },
    },
    'elections.ballots': {
      category: 'account',
      actions: {
        openBallot: 'Open the ballot of an election',
        openAttendeeBallot: 'Open the ballot of an attendee',
        openProxyBallot: 'Open the ballot of an account as its proxy',
        reportVote: 'Report a vote: the voting system',
      },
    },
    'elections.proxies': {
      category: 'account',
      actions: {
        appointProxy: 'Appoint a proxy',
        revokeProxy: 'Revoke a proxy',
        setVoter: { words: 'Change who votes for the account', category: 'permissions' },
        voidProxy: 'Void a proxy',
      },
    },
    'elections.options': {
      category: 'system',
      unlisted: true,
      actions: { saveOptions: 'Change what an election is about', resetElection: 'Have a vote repeated' },
    },
    'elections.nominations': {
      category: 'account',
      actions: {
        nominate: 'Nominate a person',
        withdrawNomination: 'Withdraw a nomination',
        authoriseNomination: 'Decide on a nomination',
        answerNomination: 'Answer a nomination',
        judgeNomination: 'Check a nominee',
        putCandidatesOnBallot: 'Put candidates on the ballot',
      },
    },
    'elections.conferences': {
      category: 'system',
      unlisted: true,
      actions: { addConference: 'Add a conference', importAttendance: 'Import conference attendance' },
    },
  },
  rows: {
    election_proxy: {
      what: 'Proxy',
      key: ['election_proxy_id'],
      owner: 'account_name',
      name: ['full_name'],
      columns: {
        full_name: text('Full name'),
        email: text('E-mail'),
        state: stateWord('State'),
        appointed_at: time('Appointed'),
        ended_at: time('Ended'),
        end_reason: text('Reason'),
      },
      unsaid: ['election_proxy_id', 'election_id', 'account_name', 'appointed_by', 'invited_at'],
    },
    election_vote: {
      what: 'Vote',
      key: ['election_id', 'generation', 'account_name'],
      owner: 'account_name',
      name: ['voter_name'],
      columns: { votes: text('Votes'), cast_as: word('Cast as'), voter_name: text('Cast by'), cast_at: time('Cast') },
      unsaid: ['election_id', 'generation', 'account_name', 'cast_by', 'notified_at'],
    },
  },
  unshown: {
    election: 'the registry’s',
    ballot_order: 'the registry’s: the page of the election shows the seed',
    nomination: 'the page of the election shows those of the account',
    ballot_session: 'the way to the ballot: opening it has a line of its own',
    election_roll: 'the registry’s: the page of the election shows the votes',
    election_window: 'the registry’s',
    election_option: 'the registry’s',
    ballot: 'it names no voter, and no history of it is kept',
    conference: 'the registry’s',
    attendance: 'a person’s',
    attendee_roll: 'the registry’s',
    attendee_vote: 'a person’s: the voting history shows it',
  },
} satisfies ModuleWords<{
  elections: typeof elections;
  'elections.ballots': typeof ballots;
  'elections.nominations': typeof nominations;
  'elections.options': typeof electionOptions;
  'elections.proxies': typeof proxies;
  'elections.conferences': typeof conferences;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    elections: typeof electionsWords;
  }
}
