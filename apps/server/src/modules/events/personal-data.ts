import { isBookkeeping, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const eventsPersonal: PersonalTables = {
  eventRegistration: {
    own: { loginId: 'login' },
    erased: {
      replaced: { fullName: 'person', email: 'address' },
      stays: [
        'eventRegistrationId',
        'event',
        'accountName',
        'part',
        'state',
        'fee',
        'isFreePlace',
        'registeredAt',
        'cancelledAt',
        'reminded',
      ],
    },
    gives: [
      'email',
      'eventRegistrationId',
      'event',
      'accountName',
      'fullName',
      'part',
      'state',
      'fee',
      'isFreePlace',
      'registeredAt',
      'cancelledAt',
    ],
    withholds: { reminded: isBookkeeping },
  },
  eventCertificate: {
    own: { loginId: 'login' },
    erased: {
      replaced: { fullName: 'person' },
      stays: ['code', 'event', 'accountName', 'orgName', 'state', 'requestedAt', 'issuedAt', 'reason', 'decidedBy'],
    },
    gives: ['code', 'event', 'fullName', 'accountName', 'orgName', 'state', 'requestedAt', 'issuedAt', 'reason'],
    acts: { decidedBy: 'contact' },
  },
};
