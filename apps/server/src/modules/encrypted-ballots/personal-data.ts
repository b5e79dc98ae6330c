import { isBookkeeping, isSecret, type PersonalTables, keptAsVote } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const encryptedBallotsPersonal: PersonalTables = {
  ballotTrustee: {
    own: { loginId: 'login' },
    erased: { kept: keptAsVote },
    gives: ['electionId', 'place'],
    withholds: {
      ownKey: isSecret,
      certificate: isSecret,
      polynomial: isSecret,
      input: isSecret,
      share: isSecret,
      decryption: isSecret,
      askedStep: isBookkeeping,
      askedAt: isBookkeeping,
      reminders: isBookkeeping,
    },
  },
  encryptedBallot: { acts: { authority: 'login', appointedBy: 'login' } },
  rollObjection: { acts: { madeBy: 'contact', decidedBy: 'login' } },
};
