import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const staffTexts = mailTexts('staff', {
  watchedCase: {
    topic: 'staff.cases',
    subject: '{caseName} {said}',
    body: ['{caseSummary} {said}.', '{itIsntAssigned}'],
    says: { itIsntAssigned: 'It isn’t assigned to anyone.' },
  },
  reminder: {
    topic: 'staff.cases',
    subject: 'Reminder: {caseName}',
    body: ['{details}', '{caseSummary}.', '{theCaseIs}', 'You asked to be reminded of it today.'],
    says: { details: 'Ask for the certificate again.', theCaseIs: 'The case is closed: it was approved.' },
  },
  caseHandedToYou: {
    topic: 'staff.cases',
    subject: '{name} is yours',
    body: ['{actor} handed it over to you: {asked}.', '{details}'],
    says: { details: 'The certificate is still missing.' },
  },
  handedOver: {
    topic: 'staff.cases',
    subject: '{name} was handed over to {colleague}',
    body: ['{actor} handed it over. You had it until now; nothing is left for you to do.', '{details}'],
    says: { details: 'The certificate is still missing.' },
  },
});
