import type { Module } from '../../platform/module.ts';
import { identityWords } from './activity-words.ts';
import { mailEmailChange } from './logins/email-change.ts';
import { frozenLoginRoutes } from './logins/frozen-logins.ts';
import { loginById } from './logins/logins.ts';
import { askedTopicAddresses, notificationAddressRoutes, topicAddressAct } from './logins/notification-addresses.ts';
import { peopleRoutes } from './logins/people.ts';
import { mailRegistration } from './logins/registration.ts';
import { mailPasswordReset } from './passwords/password-reset.ts';
import { notifyOtherSystem } from './sessions/other-systems.ts';
import { reportSecurityEvents } from './sessions/security-events.ts';
import { loginAttention } from './logins/login-attention.ts';

export const identityModule: Module = {
  name: 'identity',
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
  attention: loginAttention,
  words: identityWords,
};
