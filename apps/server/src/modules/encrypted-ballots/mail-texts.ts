import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const encryptedBallotsTexts = mailTexts('encrypted-ballots', {
  asked: {
    topic: 'elections.votes',
    subject: '{outcome}{subject} of {title}',
    body: [
      'This is about “{title}”. {ask}',
      '{details}',
      'The page says what the others have sent, and takes files of belenios-tool as well.',
    ],
    says: { outcome: 'Reminder: ', details: 'Do it by 2026-11-22 10:59 UTC.' },
    samples: { subject: 'make the key' },
  },
  upheldObjectionRoll: {
    topic: 'elections.votes',
    subject: 'Upheld: objection of {accountName} to the roll of {title}',
    body: [
      'The registry upheld the objection of {accountName} in “{title}” about {subjectWords}. {outcome}',
      '{votingWasHeld}',
      'Reason: {answer}',
    ],
    says: { votingWasHeld: 'Voting was held up until now, and goes on at 10:59 UTC.' },
  },
  rejectedObjectionRoll: {
    topic: 'elections.votes',
    subject: 'Rejected: objection of {accountName} to the roll of {title}',
    body: [
      'The registry rejected the objection of {accountName} in “{title}” about {subjectWords}. {outcome}',
      '{votingWasHeld}',
      'Reason: {answer}',
    ],
    says: { votingWasHeld: 'Voting was held up until now, and goes on at 10:59 UTC.' },
  },
  reminderDecideRoll: {
    topic: 'elections.votes',
    subject: 'Reminder: decide on {howMany} to the roll of {title}',
    body: ['Not decided yet in “{title}”: {accounts}.', '{noBallotCan}'],
    says: {
      howMany: 'an objection',
      noBallotCan: 'No ballot can be cast while an objection is open. Voting opens on 2026-11-22 at 10:59 UTC.',
    },
  },
  decideObjectionRoll: {
    topic: 'elections.votes',
    subject: 'Decide on an objection of {accountName} to the roll of {title}',
    body: [
      '{actor} of {accountName} objects to {subjectWords} in “{title}”: {reason}',
      'No ballot can be cast while the objection is open. Voting opens on {opensOn}; more objections can arrive until {until}.',
    ],
  },
  objectsRoll: {
    topic: 'elections.votes',
    subject: '{accountName} objects to the roll of {title}',
    body: [
      '{actor} objects to the entry of {accountName} on the electoral roll of “{title}”, about {subjectWords}. The registry decides before voting opens and writes to you.',
    ],
  },
});
