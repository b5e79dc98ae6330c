import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allEndpoints } from '@portal/contract/api';
import { sitePages } from '@portal/contract/pages';
import { describe, expect, test } from 'vitest';
import { checkLock } from '../../../../tools/lock.ts';
import { testsIn } from './tests-in.ts';

const root = path.join(import.meta.dirname, '../../../..');
const identity = 'apps/server/src/modules/identity';
const at = 'apps/server/test';
const contract = 'packages/contract/src';

/** Requirements that wait for what they are about: votes are cast in a voting system elsewhere. */
const notBuilt = [26];

/** The security requirements (docs/security-requirements.md) and the tests that prove each: [file, name of the test]. */
const proofs: Record<string, readonly (readonly [file: string, name: string])[]> = {
  'S1 passwords are judged by length and lists, not by composition': [
    [`${identity}/passwords/password-policy.test.ts`, '"%s"'],
    [`${identity}/passwords/password-policy.test.ts`, 'tried by everybody is refused: "%s"'],
    [`${identity}/passwords/password-policy.test.ts`, 'may have twelve characters next to a second factor'],
  ],
  'S2 passwords are kept as argon2id and made stronger in time': [
    [`${identity}/passwords/secrets.test.ts`, 'is stored as argon2id in the PHC format, each with its own salt'],
    [`${identity}/passwords/secrets.test.ts`, 'hashed with weaker parameters matches and is reported as outdated'],
    [`${identity}/sign-in/sign-in-safety.test.ts`, 'is rehashed once at the next sign-in, and keeps its date'],
    [`${identity}/sign-in/sign-in-safety.test.ts`, 'doesn’t replace a password that is chosen meanwhile'],
  ],
  'S3 guessing waits, nobody is locked out': [
    [`${identity}/sign-in/sign-in.test.ts`, 'after five wrong passwords the sixth attempt waits, right or wrong, and the delay passes'],
    [`${identity}/sign-in/sign-in.test.ts`, 'a delay is never longer than 15 minutes, and concurrent guesses all count'],
    [
      `${identity}/sign-in/sign-in-safety.test.ts`,
      'two hundred attempts from elsewhere do not delay a person who comes from a known address, or with a passkey',
    ],
    [
      `${identity}/passwords/password-reset.test.ts`,
      'is let in by the new one where it was chosen, despite earlier mistakes and guesses from elsewhere',
    ],
  ],
  'S4 one-time and recovery codes work once': [
    [`${identity}/sign-in/sign-in.test.ts`, 'a code works once, even if it is sent twice at the same time'],
    [
      `${identity}/factors/recovery-codes.test.ts`,
      'one code sent twenty times concurrently opens one session, with one line and one mail (%s)',
    ],
  ],
  'S5 passkeys are bound to this origin, verified and used once': [
    [
      `${identity}/factors/passkeys.test.ts`,
      'a foreign origin, another relying party and a device that did not recognise its person are refused',
    ],
    [`${identity}/factors/passkeys.test.ts`, 'a challenge is valid for five minutes'],
    [`${identity}/factors/passkeys.test.ts`, 'the same answer sent twenty times concurrently opens one session (%s)'],
    [
      `${identity}/factors/passkeys.test.ts`,
      'a counter that goes back or stays the same reveals a copy; one that stays 0 belongs to a synced passkey',
    ],
    [`${identity}/account/factor-routes.test.ts`, 'an answer that is refused says so with 400 and adds nothing'],
  ],
  'S6 mfa is claimed only when two kinds were proven': [
    [`${identity}/sign-in/proven.test.ts`, '%j gives %j'],
    [`${identity}/sign-in/proven.test.ts`, 'a method that was only claimed doesn’t count as a second factor'],
  ],
  'S7 nobody learns whether an address has a login': [
    [`${identity}/sign-in/sign-in.test.ts`, 'a known and an unknown name get the same answer'],
    [`${identity}/sign-in/sign-in-safety.test.ts`, 'take as long for a name nobody has as for a known one'],
    [`${identity}/registration/registration.test.ts`, 'is not revealed by registering with its address: the mail tells only its owner'],
    [`${identity}/passwords/password-reset.test.ts`, 'can’t be discovered by asking for a new password'],
  ],
  'S8 a reset passes no second factor; changes of factors need a fresh log in and are told': [
    [`${identity}/passwords/password-reset.test.ts`, 'still needs the second factor, and may choose twelve characters'],
    [`${identity}/passwords/password-reset.test.ts`, 'ends sign-ins by the old password whose code was not redeemed yet'],
    [`${identity}/account/factor-routes.test.ts`, 'need a sign-in at most five minutes old; the typed name is kept and nothing is changed'],
    [
      `${identity}/account/account.test.ts`,
      'a change needs a sign-in within the last five minutes, with the second factor if the person has one',
    ],
  ],
  'S9 tokens and sessions end, and renewal moves no absolute end': [
    [
      `${identity}/factors/secret-key.test.ts`,
      'are fifteen minutes, an hour idle and twelve hours in all, and no setting makes them longer',
    ],
    [
      `${identity}/factors/secret-key.test.ts`,
      'appear in the tokens: identity and access token end together, and the access token says so',
    ],
    [`${identity}/sign-in/sign-in.test.ts`, 'slides with use, but never past its absolute end'],
  ],
  'S10 a session gets another id at every authentication, in cookies nobody else reads': [
    [`${identity}/sign-in/sign-in-safety.test.ts`, 'gets a new id at every authentication, and the previous one is refused'],
    [`${identity}/sign-in/sign-in-safety.test.ts`, 'over %s lives in cookies no script and no other site reads'],
  ],
  'S11 a sign-out ends everything at once, and no foreign page can ask for it': [
    [
      `${identity}/sessions/session-events.test.ts`,
      'a sign-out at one reaches a tab at the other within a second, whose bearer both refuse',
    ],
    [`${identity}/sessions/session-events.test.ts`, 'a process that lost its connection for a while tells its tabs what they missed'],
    [`${identity}/sign-in/sign-in.test.ts`, 'makes the bearer useless immediately, and the portal’s own request needs no confirmation'],
    [
      `${identity}/sign-in/sign-in.test.ts`,
      'requested by another page needs the person to confirm, and an invalid request signs no one out',
    ],
    ['e2e/sign-in.e2e.ts', 'signing out in one tab signs out the other, and its token is worth nothing'],
  ],
  'S12 people end their sessions; a disabled login or changed password ends them': [
    [`${identity}/account/account.test.ts`, 'a session that is ended is refused at the API within a second, in every process (%s)'],
    [
      `${identity}/account/account.test.ts`,
      'a changed password ends the other sessions within a second, in every process, and is announced by mail (%s)',
    ],
    [`${identity}/bearers/bearer.test.ts`, 'ends when its login is disabled'],
    [`${identity}/sessions/session-events.test.ts`, 'is notified when the login is disabled, and no other stream is'],
  ],
  'S13 every bad bearer is refused at every route': [
    [`${at}/security/bearer-surface.test.ts`, 'no header'],
    [`${at}/security/bearer-surface.test.ts`, 'a changed payload, on any route'],
    [`${at}/security/bearer-surface.test.ts`, 'a bearer with $wrong'],
    [`${at}/security/bearer-surface.test.ts`, 'the header $header'],
    [`${at}/security/bearer-surface.test.ts`, 'a good token anywhere but in the header: no cookie and no parameter is read'],
    [`${at}/security/bearer-surface.test.ts`, 'the bearer of a session that was ended, or of a login that was disabled'],
  ],
  'S14 codes and refresh tokens are good once, with PKCE S256 and a nonce': [
    [`${identity}/sign-in/sign-in.test.ts`, 'a code is redeemed once by twenty concurrent calls'],
    [`${identity}/sign-in/sign-in.test.ts`, 'a code used again later ends the session it was given in'],
    [`${identity}/sign-in/sign-in.test.ts`, 'only authorization code with PKCE S256 is served'],
    [`${identity}/sign-in/sign-in.test.ts`, 'a code that is used %i times concurrently ends its session and leaves one line'],
    [
      `${identity}/sessions/clients.test.ts`,
      'is given to a system that has the grant, and works once, also when used twenty times at the same time',
    ],
    [`${identity}/sessions/clients.test.ts`, 'that is used %i times concurrently yields no valid token, and leaves one line'],
    [
      'packages/app-kit/src/auth/sign-in-library.test.ts',
      'signs in by code with PKCE (S256), a nonce and a state, and stores the person in this tab only',
    ],
  ],
  'S15 every answer carries the security headers': [
    [`${at}/http/headers.test.ts`, 'of every route in the router, called without a sign-in and as a member'],
    [`${at}/http/headers.test.ts`, 'of everything the OpenID provider describes, right and wrong'],
    [`${at}/http/headers.test.ts`, 'of status %s'],
    [`${at}/http/headers.test.ts`, 'of what the parser refuses: %s'],
    [`${at}/http/headers.test.ts`, 'are the framed pages and the silent renewal, only by ourselves'],
  ],
  'S16 no page needs an inline script; foreign hosts only where configured': [
    [`${at}/http/headers.test.ts`, 'of the pages that the server renders'],
    [`${at}/http/headers.test.ts`, 'are in no policy unless their feature is configured'],
    [`${at}/http/headers.test.ts`, 'enter the policy of the portal’s own pages only, each where its feature needs it'],
  ],
  'S17 links lead to http, ftp or this origin, and back to pages of ours': [
    ['packages/contract/src/link.test.ts', '%j is %s'],
    ['packages/contract/src/link.test.ts', 'whatever is followed in the application stays on its origin'],
    ['packages/contract/src/link.test.ts', '%j returns to %j'],
    [`${identity}/account/account-session.test.ts`, 'a sign-in returns only to pages of the login'],
  ],
  'S18 no token, code or password is logged or reported': [
    ['apps/server/src/platform/log.test.ts', '%s is not written'],
    ['apps/portal/src/shell/error-reporting.test.ts', '%s is reported as %s'],
    [`${at}/security/planted-secrets.test.ts`, 'is in the log neither of what went well nor of what went wrong'],
  ],
  'S19 every call of an account asks for membership and permission, and hides accounts that are not one’s own': [
    [`${at}/http/surface.test.ts`, 'an account is hidden from a contact of another one, as if it did not exist'],
    [`${at}/http/surface.test.ts`, 'a contact without the permission is refused'],
    [`${at}/http/surface.test.ts`, 'another person’s account and a missing one get the same answer, word for word'],
    [`${at}/security/access-matrix.test.ts`, 'docs/generated/access.md lists who may make which call'],
  ],
  'S20 permissions count as they are at the call': [
    [`${at}/http/surface.test.ts`, 'permission loss takes effect on the next call'],
    [`${contract}/bodies.test.ts`, '%s'],
    [`${contract}/bodies.test.ts`, 'a schema that accepts more than it declares is found at any depth'],
    [`${at}/http/admission.test.ts`, 'are not changed by a contact who was given the permission after signing in with a password'],
    [
      'apps/server/src/modules/contacts/account-safety.test.ts',
      'requires one from the day on, says how to get one, and excludes no one else',
    ],
  ],
  'S21 closed accounts and corporate contacts are the server’s rule': [
    [`${at}/http/surface.test.ts`, 'a closed account is hidden, but for the calls that say they are for one'],
    ['apps/server/src/modules/contacts/members.test.ts', 'only a corporate contact can request one, and only staff can decide'],
    ['apps/server/src/modules/contacts/members.test.ts', 'it can’t be accepted if the account was closed meanwhile'],
    [`${contract}/admission.test.ts`, 'every admitted caller is named by the declaration'],
    [`${contract}/admission.test.ts`, 'a call for one kind of account is refused to contacts of the others'],
    [`${at}/http/surface.test.ts`, 'contacts of an account of another kind are refused'],
    [`${at}/security/requirements.test.ts`, 'a page for one kind of account has calls for that kind alone'],
  ],
  'S22 nobody raises their own permissions': [
    [
      'apps/server/src/modules/contacts/contacts.test.ts',
      'contacts cannot raise their own permissions, grant what they do not hold, or grant what is not grantable',
    ],
    ['apps/server/src/modules/contacts/contacts.test.ts', 'without a second factor, or with an old one, nothing can be changed'],
    ['apps/server/src/modules/contacts/members.test.ts', 'the last one can’t be removed or demoted, or leave'],
    ['apps/server/src/modules/contacts/members.test.ts', 'two who remove each other at the same time: one request, one refusal'],
  ],
  'S23 links are good once, for a time, for the address they were sent to': [
    [`${identity}/logins/login-links.test.ts`, 'returns what was requested, once, and deletes it'],
    [`${identity}/logins/login-links.test.ts`, 'works until it expires and not a moment longer, seven days for an invitation'],
    ['apps/server/src/modules/contacts/members.test.ts', 'for a corporate contact, another address is refused, confirmed or not'],
    [
      'apps/server/src/modules/contacts/members.test.ts',
      'S23 its link has at least 128 random bits, is stored only as a hash, and the corporate contacts are notified',
    ],
    ['apps/server/src/modules/contacts/members.test.ts', 'guessing is slowed down, both for viewing and for answering'],
  ],
  'S24 what changes the registry takes a second factor, and no recovery code': [
    [`${at}/http/surface.test.ts`, 'a second factor is asked for'],
    [`${at}/http/admission.test.ts`, 'is not done in a session %s: the answer is the challenge of RFC 9470'],
    [`${at}/http/admission.test.ts`, 'are not changed in a session of %s'],
    [
      `${contract}/admission.test.ts`,
      'a privileged permission counts only with a second factor if the registry requires one; other permissions always count',
    ],
    [
      'packages/app-kit/src/calls/answer.test.tsx',
      'after a step-up nothing is sent automatically: the change is shown, and a press sends it once',
    ],
  ],
  'S25 two persons for one change': [
    [
      'apps/server/src/modules/proposals/proposals.test.ts',
      'a change waits for another corporate contact, who sees its effects; the proposer can’t approve it',
    ],
    [
      'apps/server/src/modules/proposals/proposals.test.ts',
      'is done when a second one of them approves; of two concurrent approvals one counts',
    ],
    [
      'apps/server/src/modules/proposals/proposals.test.ts',
      'S25 an approval is valid for 72 hours and exactly what was shown: changed input, another hash or a late click changes nothing',
    ],
    [
      'apps/server/src/modules/billing/payments/payments.test.ts',
      'above the limit of one person waits for a second one who isn’t a contact of the account; its parts count together',
    ],
  ],
  'S27 a login that was in danger changes nothing for a day': [
    [`${at}/http/surface.test.ts`, 'every change is refused while the login cools down, unless the contract says why not'],
    [`${at}/http/admission.test.ts`, 'wait while the login cools down'],
    [`${at}/http/admission.test.ts`, 'is refused while the login cools down, whatever the token says, with the time and the reason'],
  ],
  'S28 API keys are shown once, kept hashed, limited, and end with their creator': [
    [
      'apps/server/src/modules/api-keys/api-keys.test.ts',
      'a key is shown once, kept as a hash, announced to the corporate contacts, and calls for its creator',
    ],
    ['apps/server/src/modules/api-keys/api-keys.test.ts', 'a revoked key stops immediately in every process, and an ended secret with it'],
    [
      'apps/server/src/modules/api-keys/api-keys.test.ts',
      'stops with its creator: when they are no longer a corporate or technical contact, lose a permission, or their login is disabled',
    ],
    [
      'apps/server/src/modules/api-keys/api-keys.test.ts',
      'is refused from a foreign address, and the corporate contacts are notified once',
    ],
    [
      'apps/server/src/modules/api-keys/api-key-secret.test.ts',
      'a secret is recognised by its beginning, and its checksum tells a mistyped one',
    ],
    [
      'apps/server/src/modules/api-keys/api-keys.test.ts',
      'a technical contact creates keys within their rights, and sees and changes their own; corporate contacts all',
    ],
    ['apps/server/src/modules/registry-api/registry-api.test.ts', 'every call needs a key with its scope; errors are problem details'],
  ],
  'S29 who has no second factor, or was long away, is seen': [
    [
      'apps/server/src/modules/contacts/account-safety.test.ts',
      'is set by corporate contacts only, and shows them who has a second factor',
    ],
    [
      'apps/server/src/modules/contacts/contacts.test.ts',
      'after 180 days without a sign-in a contact is marked, and after a year asked once to confirm',
    ],
  ],
  'S30 a change is told, with a link that freezes': [
    [
      'apps/server/src/modules/contacts/account-safety.test.ts',
      'is reported to corporate contacts, the security address and its author, each with a link that freezes that login alone',
    ],
    [`${identity}/freeze/freeze.test.ts`, 'the link works once, for seven days, unmodified, and only from its own page'],
  ],
  'S31 the activity log is only written, and a damaged one is found': [
    [`${at}/http/surface.test.ts`, 'no row changes outside a recorded activity, not even manually'],
    [`${at}/database/backup.test.ts`, 'verify reports what is wrong'],
  ],
  'S32 what opens something leaves by no door': [
    [`${at}/security/planted-secrets.test.ts`, 'is planted in every column that could hold it'],
    [`${at}/security/planted-secrets.test.ts`, 'is in no answer of any route, for any caller, and in no error text'],
    [`${at}/security/planted-secrets.test.ts`, 'is in no export of registrations and no statistics'],
    [`${at}/security/planted-secrets.test.ts`, 'is neither in the activity log nor in the history of rows nor in the words of a mail'],
    [`${at}/security/planted-secrets.test.ts`, 'is in a backup only as a hash or as ciphertext'],
  ],
  'S33 what is public is built from what may be seen': [
    ['apps/server/src/modules/whois/query/query.test.ts', 'auth is hidden everywhere, whatever its value'],
    ['apps/server/src/modules/mirrors/dump.test.ts', 'written by us contain their last serial, but no secrets or persons'],
    [`${at}/security/planted-secrets.test.ts`, 'is in no export of registrations and no statistics'],
  ],
  'S34 no weak maintainer hashes': [
    [`${at}/security/planted-secrets.test.ts`, 'no maintainer hash can be weak: the schema has no place for one, and no MD5 or crypt'],
    ['packages/rpsl/src/check.test.ts', 'of %s %s is taken or refused by its syntax'],
    [
      'apps/server/src/modules/mirrors/dump.test.ts',
      'are loaded unchanged, with their violations reported, and loading again changes nothing',
    ],
  ],
  'S35 what is installed is locked, runs no scripts and can be listed': [
    [`${at}/security/requirements.test.ts`, 'installed packages have a check sum, run no script of their own, and can be listed'],
    ['tools/lock.test.ts', 'a platform package without an entry, a missing check sum and an address of the machine are named'],
  ],
  'S36 only known hosts are answered, only configured ones called': [
    [`${at}/http/surface.test.ts`, 'a foreign host name is answered 421 before anything else'],
    [`${identity}/sign-in/sign-in.test.ts`, 'the provider names its own address whatever host it is asked under'],
    [`${identity}/sessions/clients.test.ts`, 'is notified of a log-out even if others fail, are slow or redirect'],
    ['tools/house-rules.test.ts', 'finds what breaks it, and where'],
  ],
  'S37 no default secret in production; keys are replaced without sign-outs': [
    [`${at}/processes/process.test.ts`, '%j stops the start with a sentence'],
    [`${identity}/factors/secret-key.test.ts`, 'and no one is signed out: session, bearer, second factor and signing keys continue'],
    [
      'apps/server/src/cli/resealed-secrets.test.ts',
      'a secret in any table opens with the new key alone after resealing, and is not sealed twice',
    ],
    [`${identity}/bearers/bearer.test.ts`, 'signing keys are rotated without signing anyone out (%s)'],
  ],
  'S38 what somebody should look at is in the log, without secrets': [
    [`${identity}/sessions/security-events.test.ts`, 'is logged once, by a stable name, with person and address and no secrets'],
    [`${identity}/sessions/security-events.test.ts`, 'are logged for many failed sign-ins, not for a single typing mistake'],
    [
      `${identity}/sessions/security-events.test.ts`,
      'thirty refused bearers from one address in a minute are logged once, and again the next minute',
    ],
  ],
  'S39 when nobody can say, nobody is let in': [
    [`${identity}/bearers/bearer.test.ts`, 'is answered 503, never accepted, when its session can’t be checked'],
    [`${identity}/bearers/bearer.test.ts`, 'that can’t be reached: the token is not accepted'],
    [`${identity}/sign-in/sign-in.test.ts`, 'a process that can’t listen to the others asks the database at every call'],
    [`${at}/http/admission.test.ts`, 'is refused to everyone while the database can’t tell who may: %s'],
    [`${at}/http/admission.test.ts`, 'is refused if only the cool-down can’t be read'],
  ],
};

describe.each(Object.entries(proofs))('%s', (_requirement, tests) => {
  test.each(tests)('is proved in %s by “%s”', (file, name) => expect([...testsIn(file)]).toContain(name));
});

test('every requirement is in the table once, but those of what is not built', () => {
  const numbers = Object.keys(proofs).map(requirement => Number(/^S(\d+) /.exec(requirement)?.[1]));
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, step) => from + step);
  expect(numbers).toEqual(range(1, 39).filter(number => !notBuilt.includes(number)));
});

test('a page for one kind of account has calls for that kind alone', () => {
  const kinds = sitePages.flatMap(({ onlyFor }) => (onlyFor && onlyFor !== 'staff' ? [onlyFor] : []));
  const ofCalls = new Set(allEndpoints.map(({ access }) => access.who === 'member' && access.accounts));
  expect(kinds.filter(kind => !ofCalls.has(kind))).toEqual([]);
});

test('installed packages have a check sum, run no script of their own, and can be listed', async () => {
  expect(await checkLock()).toEqual([]);
  const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { allowScripts: Record<string, boolean> };
  expect(allowScripts).toEqual({});
  expect(readFileSync(path.join(root, '.npmrc'), 'utf8')).toMatch(/^strict-allow-scripts=true$/m);
  expect(readFileSync(path.join(root, 'docs/dependencies.md'), 'utf8')).toContain('npm sbom --package-lock-only');
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; link?: boolean }>;
  };
  const unnamed = Object.entries(lock.packages).filter(
    ([place, entry]) => place.includes('node_modules/') && !entry.link && !entry.version,
  );
  expect(unnamed).toEqual([]);
});
