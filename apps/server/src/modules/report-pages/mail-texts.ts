import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const reportPagesTexts = mailTexts('report-pages', {
  sendReport: {
    topic: 'login.links',
    subject: 'Send your report to {registryName}',
    body: [
      'Someone wrote a report of wrong data to {registryName} and gave this address. Open this page to read it once more and send it:',
      '{link}',
      'The link works once, for two hours.',
      'If it wasn’t you, ignore this e-mail. Nothing is sent.',
    ],
  },
});
