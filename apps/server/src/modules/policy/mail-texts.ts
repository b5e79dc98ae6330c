import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const policyTexts = mailTexts('policy', {
  policyComes: {
    topic: 'staff.cases',
    subject: 'The policy changes on {policyDay}',
    body: ['{policyValues}', '{notAnnounced}', 'Two people can withdraw it until an hour before that day begins.'],
    says: {
      policyDay: '1 July 2027',
      policyValues: 'Working hours to an answer of the registry: 24 hours, until then 16 hours',
      notAnnounced: 'It isn’t announced to members yet, who plan with it: the draft waits on the desk’s page Announcements.',
    },
  },
});
