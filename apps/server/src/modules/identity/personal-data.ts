import { isBookkeeping, isSecret, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const identityPersonal: PersonalTables = {
  login: {
    own: { loginId: 'login' },
    gives: [
      'username',
      'email',
      'emailVerified',
      'fullName',
      'displayName',
      'nickname',
      'staff',
      'disabledAt',
      'createdAt',
      'coolDownUntil',
      'coolDownWhy',
      'frozenAt',
      'frozenEmail',
      'lastSignInAt',
    ],
    withholds: { demoRole: isBookkeeping, sessionsEnded: isBookkeeping },
  },
  loginPreferences: { own: { loginId: 'login' }, gives: ['preferences'] },
  loginSubject: { own: { loginId: 'login' }, gives: ['issuer', 'subject', 'notifiedAt', 'groupsAt'] },
  loginPassword: { own: { loginId: 'login' }, gives: ['setAt'], withholds: { hash: isSecret } },
  loginPasskey: {
    own: { loginId: 'login' },
    gives: ['name', 'transports', 'deviceType', 'enrolledAt'],
    withholds: { credentialId: isSecret, publicKey: isSecret },
  },
  loginTotp: { own: { loginId: 'login' }, gives: ['enrolledAt', 'totpId', 'name', 'disabledAt'], withholds: { sealedSecret: isSecret } },
  loginRecoveryCode: { own: { loginId: 'login' }, gives: ['madeAt', 'usedAt'], withholds: { digest: isSecret } },
  session: {
    own: { loginId: 'login' },
    gives: ['amr', 'address', 'startedAt', 'until', 'endedAt', 'endedWhy', 'userAgent'],
    withholds: { sid: isSecret, grantId: isSecret },
  },
  sessionUse: {
    absent: 'The last use of a session, which has no column of its person: the row of the session says the rest',
    others: { address: 'The newest address of a session, which its own row begins with' },
  },
  codeFailure: { own: { loginId: 'login' }, gives: ['kind', 'failures'] },
  loginLink: {
    own: { loginId: 'login' },
    gives: ['email', 'purpose', 'madeAt', 'expiresAt', 'usedAt'],
    withholds: { linkId: isSecret, digest: isSecret, asked: 'What a link is for, with answers of others' },
  },
  dataCopy: {
    own: { loginId: 'login' },
    gives: ['dataCopyId', 'requestedAt', 'madeAt', 'expiresAt', 'size'],
    withholds: { sha256: isSecret, failure: isBookkeeping, taskId: isBookkeeping },
  },
  idempotentAnswer: { others: { loginId: 'An answer kept for a day, in case the call is repeated' } },
  activity: {
    others: {
      loginIssuer: 'By this the file of the log has the lines of what the person did',
      loginSubject: 'By this the file of the log has the lines of what the person did',
      contactId: 'The contact that a person acted as: the login says who it was',
      address: 'In the file of the log',
    },
    absent: 'In the file of the log, activity-log.ndjson',
  },
  signInFailure: { absent: 'Its name and address are kept as hashes, which say nothing about whose they are' },
  oidcPayload: { others: { accountId: 'What the provider remembers during a sign-in; the sessions are in the copy' } },
};
