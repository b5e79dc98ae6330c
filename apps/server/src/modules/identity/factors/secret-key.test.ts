import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../config.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { authenticatorSecrets } from './authenticators.ts';
import { signingKeys } from '../sessions/signing-keys.ts';
import { browserAt, claimsOf, fetchCaller, kinds, testRegistry } from '../../../../test/sign-in-registry.ts';

const next = 'the-secret-key-after-of-32-characters-';

describe('lifetimes of tokens and sessions', () => {
  test('are fifteen minutes, an hour idle and twelve hours in all, and no setting makes them longer', () => {
    const config = readConfig({});
    expect([config.tokenSeconds, config.sessionIdleSeconds, config.sessionAbsoluteSeconds]).toEqual([900, 3600, 43_200]);
    for (const setting of ['TOKEN_SECONDS=901', 'SESSION_IDLE_SECONDS=3601', 'SESSION_ABSOLUTE_SECONDS=43201']) {
      const [name, value] = setting.split('=') as [string, string];
      expect(() => readConfig({ [name]: value })).toThrow(`The setting ${name} ("${value}") must be a whole number`);
    }
  });

  test('appear in the tokens: identity and access token end together, and the access token says so', async () => {
    await using registry = await testRegistry();
    const { id_token, expires_in } = await browserAt(registry.origin).signIn(registry, 'bill');
    const { exp, iat } = claimsOf(id_token) as { exp: number; iat: number };
    expect(exp - iat).toBe(900);
    expect(expires_in).toBe(900);
  });
});

describe.runIf(kinds.includes('postgres'))('SECRET_KEY is replaced while SECRET_KEY_OLD names the one before', () => {
  test('and no one is signed out: session, bearer, second factor and signing keys continue', async () => {
    await using before = await testRegistry('postgres');
    const browser = browserAt(before.origin);
    const { id_token } = await browser.signIn(before, 'corin');

    await using after = await before.another({ SECRET_KEY: next, SECRET_KEY_OLD: before.config.secretKey });
    expect((await fetchCaller(after.origin, id_token)).status).toBe(200);

    // The same browser at the process with the new key: its cookies are signed with the old one.
    const moved = browserAt(after.origin);
    for (const [name, cookie] of browser.jar) moved.jar.set(name, cookie);
    const silent = await moved.authorize({ prompt: 'none', redirect_uri: `${before.origin}/auth-callback` });
    const answered = new URL(silent.url).searchParams;
    expect([answered.get('error'), answered.get('code')]).toEqual([null, expect.stringMatching(/./)]);

    const box = openSecretBox(after.config);
    const [authenticator] = await authenticatorSecrets(after.db.read, box, 'login-corin');
    expect(authenticator!.secret).toHaveLength(20);
    expect((await signingKeys(after.db.read, box)).every(({ privateJwk }) => typeof privateJwk.d === 'string')).toBe(true);
  });

  test('and without it no sealed secret opens, and the server refuses to start', async () => {
    await using before = await testRegistry('postgres');
    const other = openSecretBox({ secretKey: next, secretKeyOld: '' });
    await expect(signingKeys(before.db.read, other)).rejects.toThrow('set SECRET_KEY_OLD to the one before');
  });
});
