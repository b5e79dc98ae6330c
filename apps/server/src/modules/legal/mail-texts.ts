import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const legalTexts = mailTexts('legal', {
  textToAccept: {
    topic: 'legal.texts',
    subject: 'Accept “{legalTitle}”, version {legalVersion}',
    body: [
      'Please read and accept “{legalTitle}”, version {legalVersion}, for {legalFor}. It has been in force since {legalFrom}.',
      '{legalChanges}',
      '{legalDue}',
      'If you don’t agree, you can leave: write to us to close the account or the login. Until then you can read and pay as before.',
    ],
    says: {
      legalTitle: 'Terms of service',
      legalVersion: '2',
      legalFrom: '1 July 2027',
      legalFor: 'EX-EXAMPLE',
      legalChanges: 'What is new: API keys are covered, too.',
      legalDue: 'Accept it until 31 July 2027.',
    },
  },
});
