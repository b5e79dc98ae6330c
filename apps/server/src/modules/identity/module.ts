import type { Module } from '../../platform/module.ts';
import { identityWords } from './activity-words.ts';
import { mailEmailChange } from './account/email-change.ts';
import { frozenLoginPermissions, frozenLoginRoutes } from './freeze/frozen-logins.ts';
import { loginById } from './logins/logins.ts';
import { askedTopicAddresses, notificationAddressRoutes, topicAddressAct } from './account/notification-addresses.ts';
import { peopleRoutes } from './account/people.ts';
import { mailRegistration } from './registration/registration.ts';
import { mailPasswordReset } from './passwords/password-reset.ts';
import { notifyOtherSystem } from './sessions/other-systems.ts';
import { reportSecurityEvents } from './sessions/security-events.ts';
import { loginAttention } from './account/login-attention.ts';

export const identityModule: Module = {
  name: 'identity',
  folders: [
    'sessions',
    'logins',
    'pages',
    'protocol',
    'attempts',
    'factors',
    'freeze',
    'passwords',
    'registration',
    'sign-in',
    'provider',
    'account',
    'bearers',
    'confirmations',
  ],
  tables: [
    'codeFailure',
    'login',
    'loginLink',
    'loginPasskey',
    'loginPassword',
    'loginPreferences',
    'loginRecoveryCode',
    'loginSubject',
    'loginTotp',
    'oidcPayload',
    'passkeyUse',
    'session',
    'sessionUse',
    'signInFailure',
    'signingKey',
    'totpStep',
  ],
  routes: ({ config, clock }) => [peopleRoutes({ config, clock }), frozenLoginRoutes(config), notificationAddressRoutes(config)],
  tasks: [mailEmailChange, mailRegistration, mailPasswordReset, notifyOtherSystem],
  personOf: loginById,
  askedAddresses: askedTopicAddresses,
  addressActs: ({ config }) => [topicAddressAct(config)],
  schedule: [
    {
      name: 'identity.reportSecurityEvents',
      every: 1,
      run: ({ db, log }, noted) => reportSecurityEvents(db.read, log, noted === null ? null : Number(noted)),
    },
  ],
  casePermissions: frozenLoginPermissions,
  attention: loginAttention,
  words: identityWords,
};
