import { forGood, untilRemoved } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { mailEmailChange } from './account/email-change.ts';
import { loginAttention } from './account/login-attention.ts';
import { askedTopicAddresses, notificationAddressRoutes, topicAddressAct } from './account/notification-addresses.ts';
import { peopleRoutes } from './account/people.ts';
import { identityWords } from './activity-words.ts';
import { copiesAsFiles, DATA_COPY_DAYS, makeDataCopy } from './copies/data-copies.ts';
import { FREEZE_LINK_DAYS } from './freeze/freeze.ts';
import { frozenLoginPermissions, frozenLoginRoutes } from './freeze/frozen-logins.ts';
import { INVITATION_REMEMBERED_DAYS, REMEMBERED_HOURS } from './logins/login-links.ts';
import { loginById } from './logins/logins.ts';
import { identityTexts } from './mail-texts.ts';
import { mailPasswordReset } from './passwords/password-reset.ts';
import { identityPersonal } from './personal-data.ts';
import { mailRegistration } from './registration/registration.ts';
import { notifyOtherSystem } from './sessions/other-systems.ts';
import { reportSecurityEvents } from './sessions/security-events.ts';
import { SESSION_MEMORY_DAYS } from './sessions/sessions.ts';

export const identityModule: Module = {
  name: 'identity',
  mailTexts: identityTexts,
  folders: [
    'sessions',
    'logins',
    'pages',
    'protocol',
    'attempts',
    'factors',
    'erasure',
    'freeze',
    'passwords',
    'registration',
    'copies',
    'sign-in',
    'provider',
    'account',
    'bearers',
    'confirmations',
  ],
  tables: [
    'codeFailure',
    'dataCopy',
    'erasure',
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
  personal: identityPersonal,
  keptFiles: [copiesAsFiles],
  routes: ({ config, clock }) => [peopleRoutes({ config, clock }), frozenLoginRoutes(config), notificationAddressRoutes(config)],
  tasks: [mailEmailChange, makeDataCopy, mailRegistration, mailPasswordReset, notifyOtherSystem],
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
  keeps: [
    {
      of: 'login',
      data: 'Copies of your data that you requested',
      purpose: 'To hand you what the registry keeps about you',
      until: `${DATA_COPY_DAYS} days after you requested it`,
      ends: 'deleted by its module',
      tables: ['dataCopy'],
    },
    {
      of: 'login',
      data: 'Requests to erase your data: when, who asked, and what came next',
      purpose: 'To show that a request was carried out',
      until: forGood,
      ends: 'record',
      tables: ['erasure'],
    },
    {
      of: 'login',
      data: 'Name, user name, e-mail address and settings of the login, and when you last signed in',
      purpose: 'To sign in, to say who did something, and to notice logins that no one uses',
      until: untilRemoved,
      ends: 'changed',
      tables: ['login', 'loginPreferences', 'loginSubject'],
    },
    {
      of: 'login',
      data: 'Password (as an Argon2id hash), passkeys, authenticators and recovery codes (as hashes)',
      purpose: 'To prove that it’s you',
      until: 'Until you replace or remove them',
      ends: 'changed',
      tables: ['loginPassword', 'loginPasskey', 'loginTotp', 'loginRecoveryCode'],
    },
    {
      of: 'login',
      data: 'Sessions: time, internet address and browser',
      purpose: 'To show your sessions and to notice misuse',
      until: `${SESSION_MEMORY_DAYS} days after a session ended`,
      ends: 'deleted by its module',
      tables: ['session', 'sessionUse'],
    },
    {
      of: 'login',
      data: 'Failed sign-ins (name and internet address as hashes)',
      purpose: 'To slow down those who guess',
      until: 'One hour after the last failure, or until you sign in',
      ends: 'deleted by its module',
      tables: ['signInFailure', 'codeFailure'],
    },
    {
      of: 'login',
      data: 'E-mail address of links to register, to set a password or to accept an invitation',
      purpose: 'To know what a link is for',
      until: `${REMEMBERED_HOURS} hours after a link expired; invitations ${INVITATION_REMEMBERED_DAYS} days`,
      ends: 'deleted by its module',
      tables: ['loginLink'],
    },
    {
      of: 'login',
      data: 'Where a link that freezes a login was sent',
      purpose: 'To freeze a login that someone else took over',
      until: `${FREEZE_LINK_DAYS} days after the link expired`,
      ends: 'deleted by its module',
      tables: ['freezeLink'],
    },
  ],
};
