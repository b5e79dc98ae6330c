import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const resourcesTexts = mailTexts('resources', {
  locked: {
    topic: 'account.security',
    subject: 'Locked: {names}',
    body: [
      '{names2} can’t be transferred or returned until the lock is released.',
      'A release takes two people and {lockReleaseHours} hours.',
    ],
  },
  releaseLockRequested: {
    topic: 'account.security',
    subject: 'Release of the lock on {resource} requested',
    body: [
      'Someone else with the right to send requests has to confirm it. It ends in {lockReleaseHours} hours at the earliest.',
      'If you didn’t expect this, keep the lock and check who can act for the account.',
    ],
  },
  releaseLockConfirmed: {
    topic: 'account.security',
    subject: 'Release of the lock on {resource} confirmed',
    body: ['The lock ends at {until} (UTC). Until then you can keep it.'],
  },
  noLongerLocked: {
    topic: 'account.security',
    subject: '{resource} is no longer locked',
    body: ['{resource} can be transferred and returned again.'],
  },
});
