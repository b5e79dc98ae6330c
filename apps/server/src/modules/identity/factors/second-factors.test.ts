import { MINUTE_MS } from '@portal/contract/days';
import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { softwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { kinds, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { beginAuthenticator, confirmAuthenticator } from './authenticator-enrolment.ts';
import { addAuthenticator, listAuthenticators, renameAuthenticator } from './authenticators.ts';
import { MAX_WRONG_CODES } from '../attempts/code-failures.ts';
import { loginById } from '../logins/logins.ts';
import { acceptPasskey, listPasskeys, passkeyCreation, passkeyRequest, verifyNewPasskey } from './passkeys.ts';
import { newRecoveryCodes, recoveryCodesLeft } from './recovery-codes.ts';
import { hasSecondFactor, verifySignInCode, storeFactor, mustHaveSecondFactor, resetSecondFactors } from './second-factors.ts';
import { codeOf, stepAt } from './totp.ts';

const origin = { traceId: 'd'.repeat(32), address: '192.0.2.8' };
const line = { action: 'test.factors', summary: 'Tried second factors', ...origin };
const [corin, bill] = ['login-corin', 'login-bill'];

const tryCode = (registry: TestRegistry, code: string, loginId = corin): Promise<boolean> =>
  verifySignInCode({ ...registry, box: openSecretBox(registry.config) }, origin, { loginId, code, now: registry.now() });
const subjects = async ({ db }: TestRegistry): Promise<string[]> =>
  (await db.read.selectFrom('mail').select('subject').orderBy('mailId').execute()).map(({ subject }) => subject);

/** A new authenticator app of Bill, confirmed with the code it shows. */
async function confirmed(registry: TestRegistry) {
  const box = openSecretBox(registry.config);
  const begun = await beginAuthenticator(registry.db, box, { loginId: bill, email: 'bill@example-au.example', product: 'MyRegistry' });
  const secret = Secret.fromBase32(begun.secret).bytes;
  const now = registry.now();
  const confirm = (code = codeOf(secret, stepAt(now)), loginId = bill) =>
    confirmAuthenticator(registry.db, box, { loginId, enrolment: begun.enrolment, code, now });
  return { begun, secret, now, confirm };
}

describe('adding an authenticator app', () => {
  test('it is stored only after one of its codes was right, and only once', async () => {
    await using registry = await testRegistry();
    const { begun, confirm } = await confirmed(registry);
    expect(begun.uri).toBe(
      `otpauth://totp/MyRegistry:bill%40example-au.example?issuer=MyRegistry&secret=${begun.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(Secret.fromBase32(begun.secret).bytes).toHaveLength(20);
    expect(await confirm('000000')).toBe('wrong');
    expect(await confirm('')).toBe('wrong');
    expect(await confirm(undefined, corin)).toBe('over');
    expect(await hasSecondFactor(registry.db.read, bill)).toBe(false);
    expect(await confirm()).toMatchObject({ loginId: bill, secret: begun.secret });
    expect(await confirm()).toBe('over');
  });

  test.each(kinds)('a form sent twenty times concurrently adds one app (%s)', async kind => {
    await using registry = await testRegistry(kind);
    const { confirm } = await confirmed(registry);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm()));
    expect(answers.filter(answer => typeof answer === 'object')).toHaveLength(1);
  });

  test('the secret of an unconfirmed app is readable nowhere, and is gone after ten minutes', async () => {
    await using registry = await testRegistry();
    const { begun, confirm } = await confirmed(registry);
    const rows = await registry.db.read.selectFrom('oidcPayload').selectAll().where('model', '=', 'AuthenticatorEnrolment').execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(begun.secret);
    const minutes = (new Date(rows[0]!.expiresAt!).getTime() - Date.now()) / MINUTE_MS;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThan(11);
    await registry.db.unrecorded.updateTable('oidcPayload').set({ expiresAt: '2026-01-01T00:00:00Z' }).execute();
    expect(await confirm()).toBe('over');
  });

  test('the code that confirmed it is used up', async () => {
    await using registry = await testRegistry();
    const { confirm, secret, now } = await confirmed(registry);
    const factor = await confirm();
    if (typeof factor === 'string') throw new Error(factor);
    await registry.db.change(line, change => storeFactor(change, registry.config, factor, { name: 'Phone', keepSid: null }));
    const step = stepAt(now);
    expect(await tryCode(registry, codeOf(secret, step), bill)).toBe(false);
    expect(await tryCode(registry, codeOf(secret, step + 1), bill)).toBe(true);
  });

  test('names are trimmed, and invalid ones refused', async () => {
    await using registry = await testRegistry();
    const [app] = await listAuthenticators(registry.db.read, corin);
    await registry.db.change(line, change => renameAuthenticator(change, corin, app!.totpId, ' Old  phone '));
    expect((await listAuthenticators(registry.db.read, corin))[0]!.name).toBe('Old phone');
    const rename = (name: string) => registry.db.change(line, change => renameAuthenticator(change, corin, app!.totpId, name));
    await expect(rename('')).rejects.toThrow('a name has 1 to 60 characters');
    await expect(rename('x'.repeat(61))).rejects.toThrow('a name has 1 to 60 characters');
    const add = registry.db.change(line, change => addAuthenticator(change, registry.config, { loginId: bill, name: 'a\nb' }));
    await expect(add).rejects.toThrow('a name has 1 to 60 characters');
  });
});

describe('keeping a factor', () => {
  test('the first one brings recovery codes, the next does not, and the person is notified of both', async () => {
    await using registry = await testRegistry();
    const keep = async (name: string) => {
      const factor = await (await confirmed(registry)).confirm();
      if (typeof factor === 'string') throw new Error(factor);
      return registry.db.change(line, change => storeFactor(change, registry.config, factor, { name, keepSid: null }));
    };
    expect((await keep('Phone')).recoveryCodes).toHaveLength(10);
    expect((await keep('Tablet')).recoveryCodes).toBeNull();
    expect(await subjects(registry)).toEqual(['An authenticator app was added', 'An authenticator app was added']);
    expect((await listAuthenticators(registry.db.read, bill)).map(({ name }) => name)).toEqual(['Phone', 'Tablet']);
  });

  test('replacing a lost factor removes the authenticator apps and keeps the passkeys', async () => {
    await using registry = await testRegistry();
    const keepPasskey = async (name: string, replacesLost: boolean) => {
      const device = softwareAuthenticator({ origin: registry.origin });
      const person = { loginId: corin, email: 'c@example', fullName: 'Corin', product: 'MyRegistry' };
      const answer = device.create(await passkeyCreation(registry.db, registry.config, person, 'page'));
      const passkey = await verifyNewPasskey(registry.db, registry.config, { loginId: corin, bound: 'page', answer });
      if ('refused' in passkey) throw new Error(passkey.refused);
      await registry.db.change(line, change => storeFactor(change, registry.config, passkey, { name, keepSid: null, replacesLost }));
    };
    await keepPasskey('First', false);
    expect(await listAuthenticators(registry.db.read, corin)).toHaveLength(1);
    await keepPasskey('Second', true);
    expect(await listAuthenticators(registry.db.read, corin)).toEqual([]);
    expect((await listPasskeys(registry.db.read, corin)).map(({ name }) => name)).toEqual(['First', 'Second']);
  });
});

describe('wrong codes', () => {
  test('a hundred in a row disable the apps, with one log line and one mail; a right one resets the count', async () => {
    await using registry = await testRegistry();
    const wrong = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) expect(await tryCode(registry, 'wrong')).toBe(false);
    };
    await wrong(MAX_WRONG_CODES - 1);
    expect(await tryCode(registry, registry.codeOf('corin'))).toBe(true);
    await wrong(MAX_WRONG_CODES - 1);
    expect((await listAuthenticators(registry.db.read, corin))[0]!.disabledAt).toBeNull();
    await wrong(2);
    expect((await listAuthenticators(registry.db.read, corin))[0]!.disabledAt).not.toBeNull();
    expect(await tryCode(registry, registry.codeOf('corin', 1))).toBe(false);
    expect(await subjects(registry)).toEqual(['Your authenticator apps were switched off']);
    expect((await registry.actions()).filter(action => action === 'identity.switchCodesOff')).toHaveLength(1);
    // The password alone is still not enough.
    expect(await hasSecondFactor(registry.db.read, corin)).toBe(true);
  });

  test('don’t affect other people or passkeys', async () => {
    await using registry = await testRegistry();
    const device = softwareAuthenticator({ origin: registry.origin });
    const person = { loginId: corin, email: 'c@example', fullName: 'Corin', product: 'MyRegistry' };
    const answer = device.create(await passkeyCreation(registry.db, registry.config, person, 'page'));
    const passkey = await verifyNewPasskey(registry.db, registry.config, { loginId: corin, bound: 'page', answer });
    if ('refused' in passkey) throw new Error(passkey.refused);
    await registry.db.change(line, change => storeFactor(change, registry.config, passkey, { name: 'Laptop', keepSid: null }));
    for (let i = 0; i < MAX_WRONG_CODES; i++) await tryCode(registry, 'wrong');
    expect((await listAuthenticators(registry.db.read, 'login-stella'))[0]!.disabledAt).toBeNull();
    const request = await passkeyRequest(registry.db, registry.config, corin, 'page');
    const proof = { loginId: corin, bound: 'page', answer: device.get(request), now: registry.now() };
    expect(await acceptPasskey(registry.db, registry.config, proof)).toMatchObject({ loginId: corin });
  });

  test.each(kinds)('of concurrent failures exactly one is the hundredth (%s)', async kind => {
    await using registry = await testRegistry(kind);
    await registry.db.unrecorded
      .insertInto('codeFailure')
      .values({ loginId: corin, kind: 'totp', failures: MAX_WRONG_CODES - 10 })
      .execute();
    await Promise.all(Array.from({ length: 20 }, () => tryCode(registry, 'wrong')));
    expect((await registry.actions()).filter(action => action === 'identity.switchCodesOff')).toHaveLength(1);
  });
});

test.each(kinds)('a one-time code sent twenty times concurrently is accepted once (%s)', async kind => {
  await using registry = await testRegistry(kind);
  const code = registry.codeOf('corin');
  const accepted = await Promise.all(Array.from({ length: 20 }, () => tryCode(registry, code)));
  expect(accepted.filter(Boolean)).toHaveLength(1);
});

describe('the people who must have a second factor', () => {
  test.each([
    ['off', 'stella', true, false],
    ['privileged', 'stella', false, true],
    ['privileged', 'corin', true, true],
    ['privileged', 'corin', false, false],
    ['all', 'corin', false, true],
  ])('under REQUIRE_MFA=%s, %s (holding a changing permission: %s): %s', async (requireMfa, username, holds, expected) => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: requireMfa });
    const login = (await loginById(registry.db.read, `login-${username}`))!;
    const config = registry.config;
    expect(await mustHaveSecondFactor({ config, holdsPrivilege: async () => holds }, { ...login, demoRole: null })).toBe(expected);
  });

  test('demo people can do without, unless everyone must have one', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'privileged' });
    const login = (await loginById(registry.db.read, corin))!;
    const holdsPrivilege = async () => true;
    expect(login.demoRole).not.toBeNull();
    expect(await mustHaveSecondFactor({ config: registry.config, holdsPrivilege }, login)).toBe(false);
    expect(await mustHaveSecondFactor({ config: { ...registry.config, requireMfa: 'all' }, holdsPrivilege }, login)).toBe(true);
    expect(await mustHaveSecondFactor({ config: { ...registry.config, demoMode: false }, holdsPrivilege }, login)).toBe(true);
  });
});

test('a reset removes everything and resets all counts, and the login waits a day before it can change the registry', async () => {
  await using registry = await testRegistry();
  await registry.db.change(line, change => newRecoveryCodes(change, corin));
  for (let i = 0; i < 3; i++) await tryCode(registry, 'wrong');
  await registry.db.change(line, change => resetSecondFactors(change, corin));
  expect(await hasSecondFactor(registry.db.read, corin)).toBe(false);
  expect(await recoveryCodesLeft(registry.db.read, corin)).toBe(0);
  expect(await registry.db.read.selectFrom('codeFailure').selectAll().execute()).toEqual([]);
  const login = await registry.db.read.selectFrom('login').select('coolDownUntil').where('loginId', '=', corin).executeTakeFirstOrThrow();
  expect(login.coolDownUntil).not.toBeNull();
});
