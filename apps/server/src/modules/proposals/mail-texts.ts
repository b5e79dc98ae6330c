import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const proposalsTexts = mailTexts('proposals', {
  proposalAboutWaits: {
    topic: 'account.security',
    subject: 'Waiting for a second person: {title}, {about}',
    body: [
      '{actor} proposes: {title}.',
      '{changes}',
      'It’s applied once someone else approves it. If you didn’t expect this, reject it and ask.',
    ],
  },
  proposalWaits: {
    topic: 'account.security',
    subject: 'Waiting for a second person: {title}',
    body: [
      '{actor} proposes: {title}.',
      '{changes}',
      'It’s applied once someone else approves it. If you didn’t expect this, reject it and ask.',
    ],
  },
  proposalDecidedAbout: {
    topic: 'account.security',
    subject: '{verb} by {actor}: {done}, {about}',
    body: ['{proposer} had proposed: {done}. {outcome}', '{note}'],
    says: { outcome: 'It’s applied now.', note: 'Corin Abara writes:\n\nThank you for the documents.' },
  },
  proposalDecided: {
    topic: 'account.security',
    subject: '{verb} by {actor}: {done}',
    body: ['{proposer} had proposed: {done}. {outcome}', '{note}'],
    says: { outcome: 'It’s applied now.', note: 'Corin Abara writes:\n\nThank you for the documents.' },
  },
  proposalExpired: {
    topic: 'account.security',
    subject: 'A change wasn’t approved in time',
    body: ['You proposed: {row}. It wasn’t approved within {hours} hours. No changes were made. You can propose it again.'],
  },
  proposalAboutExpired: {
    topic: 'account.security',
    subject: 'A change wasn’t approved of {about} in time',
    body: ['You proposed: {row}. It wasn’t approved within {hours} hours. No changes were made. You can propose it again.'],
  },
  secondPersonApprovesChanges: {
    topic: 'account.security',
    subject: '{accountName}: a second person approves changes',
    body: ['Changes to contacts and the organisation, and closing the account, now need the approval of a second corporate contact.'],
  },
  secondPersonNoLongerApproves: {
    topic: 'account.security',
    subject: '{accountName}: a second person no longer approves changes',
    body: ['Changes apply immediately again, without a second approval.'],
  },
});
