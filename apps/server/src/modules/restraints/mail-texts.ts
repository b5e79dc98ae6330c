import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const restraintsTexts = mailTexts('restraints', {
  restraintInForce: {
    topic: 'organisation.changes',
    subject: 'The registry has put {restraint} on {accountName}',
    body: [
      '{restraintText}',
      'Reason: {restraintReason}. It is in force since {restraintFrom}, {restraintUntil}.',
      '{restraintStops}',
      'If you think this is wrong, write to {writeTo}.',
    ],
  },
  restraintAnnounced: {
    topic: 'organisation.changes',
    subject: 'The registry puts {restraint} on {accountName} on {restraintFrom}',
    body: [
      '{restraintText}',
      'Reason: {restraintReason}. It begins on {restraintFrom} and is in force {restraintUntil}. Nothing changes before.',
      'From then on: {restraintStops}',
      'If you think this is wrong, write to {writeTo} before that day.',
    ],
  },
  restraintEnded: {
    topic: 'organisation.changes',
    subject: '{restraintEnds} on {accountName} has ended',
    body: ['What waited goes on, and you can send requests and transfers again unless the account page says otherwise.', '{note}'],
    says: { note: 'Registry staff write:\n\nThank you for the documents.' },
  },
});
