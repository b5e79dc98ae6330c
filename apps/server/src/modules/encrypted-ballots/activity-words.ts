import type { ballotCasting } from '@portal/contract/encrypted-ballots/casting';
import type { ballotCredentials } from '@portal/contract/encrypted-ballots/credentials';
import type { rollObjections } from '@portal/contract/encrypted-ballots/objections';
import type { proxyVotes } from '@portal/contract/encrypted-ballots/proxy-votes';
import type { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import type { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';
import { type ModuleWords, stateWord, text, time, word } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. They never contain choices. */
export const encryptedBallotsWords = {
  activities: {
    encryptedBallots: {
      category: 'system',
      unlisted: true,
      actions: {
        askAppointed: 'Ask those appointed for an election for what is missing',
        closeVoting: 'Add up the encrypted ballots of an election',
        remindOfObjections: 'Remind of objections to a roll',
        noteEvent: 'Note the last event of the archive of an election',
      },
    },
    'encryptedBallots.setup': {
      category: 'system',
      unlisted: true,
      actions: {
        appointTrustees: 'Appoint the trustees of an election',
        fixRoll: 'Fix the roll of an election',
        setUpBallot: 'Set up the ballot of an election',
        startCount: 'Start the count of an election',
      },
    },
    'encryptedBallots.credentials': {
      category: 'system',
      unlisted: true,
      actions: { takeRoll: 'Take the roll of an election', sendCredentials: 'Send the credentials of an election' },
    },
    'encryptedBallots.objections': {
      category: 'account',
      actions: {
        objectToRoll: 'Object to the electoral roll',
        withdrawObjection: 'Withdraw an objection to the electoral roll',
        decideObjection: 'Decide on an objection to the electoral roll',
      },
    },
    'encryptedBallots.trustees': {
      category: 'system',
      unlisted: true,
      actions: { sendTrusteeMessage: 'Send a message of a trustee' },
    },
    'encryptedBallots.casting': { category: 'account', actions: { castBallot: 'Cast an encrypted ballot' } },
    'encryptedBallots.proxyVotes': { category: 'account', actions: { castProxyBallot: 'Cast an encrypted ballot as a proxy' } },
  },
  rows: {
    roll_objection: {
      what: 'Objection to the electoral roll',
      key: ['roll_objection_id'],
      owner: 'account_name',
      name: ['about'],
      columns: {
        about: word('About'),
        reason: text('Reason'),
        state: stateWord('State'),
        made_at: time('Made'),
        votes_then: text('Votes then'),
        votes_given: text('Votes given'),
        decided_at: time('Decided'),
        answer: text('Reason of the decision'),
      },
      unsaid: ['roll_objection_id', 'election_id', 'account_name', 'made_by', 'decided_by', 'reminded_at'],
    },
  },
  unshown: {
    replaced_archive: 'the registry’s: the page of the election shows it',
    encrypted_ballot: 'the registry’s',
    ballot_trustee: 'the registry’s',
    ballot_credential: 'it names no account, and no history of it is kept',
    voting_right: 'it names no account, and no history of it is kept',
    ballot_event: 'it names no voter, and no history of it is kept',
    noted_event: 'the registry’s',
  },
} satisfies ModuleWords<{
  'encryptedBallots.casting': typeof ballotCasting;
  'encryptedBallots.credentials': typeof ballotCredentials;
  'encryptedBallots.objections': typeof rollObjections;
  'encryptedBallots.proxyVotes': typeof proxyVotes;
  'encryptedBallots.setup': typeof encryptedBallotSetup;
  'encryptedBallots.trustees': typeof ballotTrustees;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    encryptedBallots: typeof encryptedBallotsWords;
  }
}
