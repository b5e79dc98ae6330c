import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const announcementsTexts = mailTexts('announcements', {
  news: { topic: 'announcements.news', subject: '{title}', body: ['{body}'] },
});
