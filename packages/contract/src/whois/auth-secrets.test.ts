import { expect, it } from 'vitest';
import { holdsAuthSecret, withoutAuthSecret, withoutAuthSecrets } from './auth-secrets.ts';

it('every value of auth except the portal and key ids is masked, in place', () => {
  const text = [
    'mntner: MAINT-A',
    'auth: MD5-PW $1$abcdefgh$secret',
    '\tsecret # secret',
    '+secret',
    'descr: auth: no attribute',
    '*at: secret',
    'AUTH:secret',
    'auth: PORTAL # as ever',
    'auth:   pgpkey-4F8BA2C1',
    'auth: X509-12',
    'source: EXAMPLE',
  ].join('\n');
  expect(withoutAuthSecrets(text).split('\n')).toEqual([
    'mntner: MAINT-A',
    'auth: MD5-PW # Filtered',
    '+',
    '+',
    'descr: auth: no attribute',
    '*at:  # Filtered',
    'AUTH:  # Filtered',
    'auth: PORTAL # as ever',
    'auth:   pgpkey-4F8BA2C1',
    'auth: X509-12',
    'source: EXAMPLE',
  ]);
  expect(withoutAuthSecrets(withoutAuthSecrets(text)), 'a second time changes nothing').toBe(withoutAuthSecrets(text));
  expect([holdsAuthSecret(text), holdsAuthSecret(withoutAuthSecrets(text))]).toEqual([true, false]);
});

it('a single value is masked alike', () => {
  expect(['PORTAL', 'BCRYPT-PW secret', 'secret', 'X509-1'].map(withoutAuthSecret)).toEqual(['PORTAL', 'BCRYPT-PW', '', 'X509-1']);
});
