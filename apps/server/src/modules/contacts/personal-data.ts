import { isBookkeeping, isSecret, ofAccount, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const contactsPersonal: PersonalTables = {
  accessRequest: {
    own: { loginId: 'login', subjectId: 'contact' },
    gives: [
      'accessRequestId',
      'accountName',
      'kind',
      'status',
      'outcome',
      'contactTypes',
      'permissions',
      'requestedAt',
      'expiresAt',
      'resolvedAt',
      'grantedTypes',
      'grantedPermissions',
    ],
    withholds: {
      email: 'Of the person it is about',
      fullName: 'Of the person it is about',
      reason: 'Words of other people',
      page: isBookkeeping,
      notifiedAt: isBookkeeping,
      reminders: isBookkeeping,
      note: 'Words of those who decided',
    },
    acts: { requestedBy: 'contact', resolvedBy: 'contact' },
  },
  accessReview: { acts: { reviewedBy: 'contact' } },
  accessReviewLine: {
    own: { contactId: 'contact' },
    gives: ['accessReviewId', 'decision', 'permissions'],
    withholds: { reason: 'Words of those who reviewed' },
  },
  invitation: {
    own: { contactId: 'contact' },
    gives: ['invitationId', 'state', 'sentAt', 'expiresAt', 'endedAt'],
    withholds: { linkId: isSecret, remindedAt: isBookkeeping },
    acts: { invitedBy: 'contact' },
  },
  linkAttempt: { own: { loginId: 'login' }, gives: ['linkAttemptId', 'accountName', 'address', 'askedAt', 'cancelledAt'] },
  permissionDecision: { own: { contactId: 'contact' }, gives: ['permission', 'granted', 'decidedAt'], acts: { decidedBy: 'contact' } },
  registryRequest: {
    own: { contactId: 'contact' },
    gives: ['registryRequestId', 'accountName', 'kind', 'status', 'contactTypes', 'permissions', 'requestedAt', 'resolvedAt'],
    withholds: { reason: ofAccount, note: ofAccount },
    acts: { requestedBy: 'contact', resolvedBy: 'login' },
  },
};
