import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const applicationsTexts = mailTexts('applications', {
  draftWaiting: {
    topic: 'applications.status',
    subject: '{caseReference}: your draft is waiting',
    body: [
      'You started an application for {orgName} and last changed it on {savedOn}.',
      'The draft is deleted on {until} unless you change it.',
    ],
  },
  draftDeleted: {
    topic: 'applications.status',
    subject: '{caseReference}: your draft was deleted',
    body: ['Your application for {orgName} wasn’t changed for {draftDays} days, so it was deleted. You can start another.'],
  },
  waitingAnswer: {
    topic: 'applications.referrals',
    subject: '{referrer} is waiting for your answer',
    body: [
      '{referredBy} of {referrer} proposed {orgName} as a member of the registry. The link in the first e-mail works until {until} UTC.',
      'If you no longer have it, ask {referredBy} to refer you again.',
    ],
  },
  applicationWithdrawn: {
    topic: 'applications.status',
    subject: '{caseReference}: the application was withdrawn',
    body: ['You withdrew the application of {orgName}. The account name {accountName} is available again.'],
  },
  referralOutcome: {
    topic: 'applications.referrals',
    subject: '{reference}: {orgName} {outcomes}',
    body: ['{orgName}, which {referredBy} referred to the registry for {accountName} on {sentOn}, {outcomes}.'],
  },
  refersMember: {
    topic: 'applications.referrals',
    subject: '{orgName} refers {orgName2} as a member of {registryName}',
    body: [
      '{referredBy} of {orgName} says that {orgName2} wants to become a member of {registryName}, and that you agreed to be asked.',
      'Open this link to agree or to decline. You need a login; if you have none you can register on the way:\n{link}',
      'If you agree, an application begins that is yours: {orgName} sees whether you handed it in and what becomes of it, and nothing you write in it.',
      'The link works once. If you do not know what this is about, leave it: nothing happens then.',
    ],
  },
  questionAboutApplication: {
    topic: 'applications.status',
    subject: '{caseReference}: question about your application',
    body: [
      'Registry staff reviewed the application of {orgName} and ask:',
      '{question}',
      'Answer on the application’s page. You can change your application until then.',
    ],
  },
  approved: {
    topic: 'applications.status',
    subject: '{caseReference}: {accountName} is approved',
    body: [
      'Your application for {orgName} is approved. The account {accountName} is created and you’re its corporate contact.',
      '{note}',
      'The account opens when the sign-up invoice is paid.',
    ],
    says: { note: 'Registry staff write:\n\nThank you for the documents.' },
  },
  applicationRejected: {
    topic: 'applications.status',
    subject: '{caseReference}: the application was rejected',
    body: ['The application of {orgName} was rejected. Reason:', '{reason}', 'You can apply again once this is resolved.'],
  },
  applicationReceived: {
    topic: 'applications.status',
    subject: '{caseReference}: the application was received',
    body: [
      'We received the application of {orgName} for the account {accountName}.',
      'We review it within {applicationReview}. If we have questions, we’ll e-mail you. Follow its progress on the application’s page.',
    ],
  },
});
