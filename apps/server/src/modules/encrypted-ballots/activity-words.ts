import type { ballotCasting } from '@portal/contract/encrypted-ballots/casting';
import type { ballotCredentials } from '@portal/contract/encrypted-ballots/credentials';
import type { proxyVotes } from '@portal/contract/encrypted-ballots/proxy-votes';
import type { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import type { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. They never contain choices. */
export const encryptedBallotsWords = {
  activities: {
    encryptedBallots: {
      category: 'system',
      unlisted: true,
      actions: {
        askAppointed: 'Ask those appointed for an election for what is missing',
        closeVoting: 'Add up the encrypted ballots of an election',
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
    'encryptedBallots.trustees': {
      category: 'system',
      unlisted: true,
      actions: { sendTrusteeMessage: 'Send a message of a trustee' },
    },
    'encryptedBallots.casting': { category: 'account', actions: { castBallot: 'Cast an encrypted ballot' } },
    'encryptedBallots.proxyVotes': { category: 'account', actions: { castProxyBallot: 'Cast an encrypted ballot as a proxy' } },
  },
  unshown: {
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
  'encryptedBallots.proxyVotes': typeof proxyVotes;
  'encryptedBallots.setup': typeof encryptedBallotSetup;
  'encryptedBallots.trustees': typeof ballotTrustees;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    encryptedBallots: typeof encryptedBallotsWords;
  }
}
