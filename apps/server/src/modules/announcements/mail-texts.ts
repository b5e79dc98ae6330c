import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const announcementsTexts = mailTexts('announcements', {
  confirmSubscription: {
    topic: 'login.links',
    subject: 'Confirm e-mails about {registryName}',
    body: [
      'Someone asked {registryName} to e-mail this address about incidents and planned work. Open this page to see for which services, and to confirm:',
      '{link}',
      'The link works once, for two hours.',
      'If it wasn’t you, ignore this e-mail. You won’t get any other.',
    ],
  },
  notice: { topic: 'status.notices', subject: '{title}', body: ['{body}'] },
  news: { topic: 'announcements.news', subject: '{title}', body: ['{body}'] },
});
