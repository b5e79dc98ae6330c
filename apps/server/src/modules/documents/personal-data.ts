import { isBookkeeping, isSecret, ofAccount, type PersonalTables, keptAsRecord, keptForItsPeriod } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const documentsPersonal: PersonalTables = {
  document: {
    own: { uploadedBy: 'login', signedBy: 'contact' },
    erased: { kept: keptAsRecord },
    when: { uploadedBy: ['byStaff', false] },
    gives: [
      'documentId',
      'fileName',
      'uploadedAt',
      'byStaff',
      'accountName',
      'title',
      'type',
      'visibility',
      'validUntil',
      'signature',
      'signedAt',
      'deletedAt',
    ],
    withholds: { signedName: 'Of the person who signed', sha256: isSecret, deletionReason: ofAccount, reference: isBookkeeping },
    acts: { deletedBy: 'login' },
  },
  documentOpening: {
    own: { loginId: 'login' },
    erased: { kept: keptForItsPeriod },
    gives: ['documentOpeningId', 'documentId', 'openedAt'],
  },
  membershipCertificate: { acts: { issuedBy: 'login' } },
};
