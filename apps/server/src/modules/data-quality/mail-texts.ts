import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const dataQualityTexts = mailTexts('data-quality', {
  campaign: { topic: 'contacts.review', subject: '{title}', body: ['{body}'] },
});
