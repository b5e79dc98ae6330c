import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const documentsTexts = mailTexts('documents', {
  needsSignature: {
    topic: 'organisation.documents',
    subject: '{accountName}: “{title}” needs your signature',
    body: [
      'Registry staff sent “{title}” for {accountName} to sign. A corporate contact can read and sign it in the portal, with two-factor authentication.',
    ],
  },
  registrySent: {
    topic: 'organisation.documents',
    subject: '{accountName}: the registry sent “{title}”',
    body: ['Registry staff sent “{title}” to {accountName}. Open it in the portal.'],
  },
  registryDeleted: {
    topic: 'organisation.documents',
    subject: '{accountName}: the registry deleted “{title}”',
    body: ['Registry staff deleted the document “{title}” of {accountName}.', 'Reason: {reason}'],
  },
  signed: {
    topic: 'organisation.documents',
    subject: '{accountName}: “{title}” was signed',
    body: [
      '{fullName} ({email}) signed “{title}” for {accountName}.',
      'SHA-256 of the signed text: {sha256}.',
      'If you didn’t expect this, reply to this e-mail immediately.',
    ],
  },
  virusFound: {
    topic: 'organisation.documents',
    subject: 'a virus was found in “{title}”',
    body: [
      'We found a virus in the file “{title}” you uploaded: {finding}. The file was deleted and no one opened it.',
      'Check the device it came from, then upload the file again if needed.',
    ],
  },
  virusFoundInAccount: {
    topic: 'organisation.documents',
    subject: '{accountName}: a virus was found in “{title}”',
    body: [
      'We found a virus in the file “{title}” you uploaded: {finding}. The file was deleted and no one opened it.',
      'Check the device it came from, then upload the file again if needed.',
    ],
  },
});
