import { isBookkeeping, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const eventsPersonal: PersonalTables = {
  eventRegistration: {
    own: { loginId: 'login' },
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
    gives: ['code', 'event', 'fullName', 'accountName', 'orgName', 'state', 'requestedAt', 'issuedAt', 'reason'],
    acts: { decidedBy: 'contact' },
  },
};
