import { instantAfter, instantBefore } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { softwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { kinds, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import {
  acceptPasskey,
  addPasskey,
  listPasskeys,
  passkeyCreation,
  passkeyNameOf,
  passkeyRequest,
  removePasskey,
  renamePasskey,
  verifyNewPasskey,
} from './passkeys.ts';

const line = { action: 'test.passkeys', summary: 'Tried passkeys', traceId: 'b'.repeat(32) };
const bill = { loginId: 'login-bill', email: 'bill@example-au.example', fullName: 'Bill Okonkwo', product: 'MyRegistry' };
const bound = 'a page';

const deviceOf = (registry: TestRegistry, more: { userVerified?: boolean; synced?: boolean } = {}) =>
  softwareAuthenticator({ origin: registry.origin, ...more });
type Device = ReturnType<typeof deviceOf>;

const beginOf = (registry: TestRegistry) => passkeyCreation(registry.db, registry.config, bill, bound);
const acceptNew = (registry: TestRegistry, answer: string, more: { loginId?: string; bound?: string } = {}) =>
  verifyNewPasskey(registry.db, registry.config, { loginId: bill.loginId, bound, answer, ...more });

/** Bill adds a passkey from a device. */
async function enrol(registry: TestRegistry, device: Device, name = 'Laptop'): Promise<void> {
  const proven = await acceptNew(registry, device.create(await beginOf(registry)));
  if ('refused' in proven) throw new Error(proven.refused);
  await registry.db.change(line, change => addPasskey(change, proven, name));
}

const ask = (registry: TestRegistry, loginId: string | null = null) => passkeyRequest(registry.db, registry.config, loginId, bound);
const accept = (registry: TestRegistry, answer: string, more: { loginId?: string | null; bound?: string } = {}) =>
  acceptPasskey(registry.db, registry.config, { loginId: null, bound, answer, now: registry.now(), ...more });

/** Returns the answer with one part replaced, unlike any browser. */
const tampered = (answer: string, change: (parsed: { response: Record<string, unknown> } & Record<string, unknown>) => unknown): string => {
  const parsed = JSON.parse(answer) as { response: Record<string, unknown> } & Record<string, unknown>;
  return JSON.stringify(change(parsed) ?? parsed);
};
const clientData = (fields: Record<string, unknown>): string => Buffer.from(JSON.stringify(fields)).toString('base64url');

describe('adding a passkey', () => {
  test('the device is asked to store it, to verify the person, and to withhold its model', async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device);
    expect(await beginOf(registry)).toMatchObject({
      rp: { id: 'localhost', name: 'MyRegistry' },
      user: { id: Buffer.from('login-bill').toString('base64url'), name: bill.email, displayName: bill.fullName },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.credentialId, transports: ['internal'] }],
      timeout: 300_000,
    });
    expect(await listPasskeys(registry.db.read, bill.loginId)).toEqual([
      {
        credentialId: device.credentialId,
        name: 'Laptop',
        deviceType: 'singleDevice',
        transports: ['internal'],
        enrolledAt: expect.any(String),
        lastUsedAt: null,
      },
    ]);
  });

  test('an answer sent again is refused', async () => {
    await using registry = await testRegistry();
    const answer = deviceOf(registry).create(await beginOf(registry));
    expect(await acceptNew(registry, answer)).toMatchObject({ loginId: bill.loginId });
    expect(await acceptNew(registry, answer)).toMatchObject({ why: 'expired' });
  });

  test('an answer is valid only for the person and page that got the challenge', async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    expect(await acceptNew(registry, device.create(await beginOf(registry)), { loginId: 'login-corin' })).toMatchObject({ why: 'expired' });
    expect(await acceptNew(registry, device.create(await beginOf(registry)), { bound: 'another page' })).toMatchObject({ why: 'expired' });
    const forSignIn = await ask(registry);
    const mixed = { ...(await beginOf(registry)), challenge: forSignIn.challenge };
    expect(await acceptNew(registry, device.create(mixed))).toMatchObject({ why: 'expired' });
  });

  test('a challenge is valid for five minutes', async () => {
    await using registry = await testRegistry();
    const answer = deviceOf(registry).create(await beginOf(registry));
    await registry.db.unrecorded
      .updateTable('oidcPayload')
      .set({ expiresAt: instantBefore(Date.now(), 1000) })
      .where('model', '=', 'PasskeyChallenge')
      .where('expiresAt', '<', instantAfter(Date.now(), 301_000))
      .execute();
    expect(await acceptNew(registry, answer)).toMatchObject({ why: 'expired' });
  });

  test('a foreign origin, another relying party and a device that did not recognise its person are refused', async () => {
    await using registry = await testRegistry();
    const foreign = softwareAuthenticator({ origin: 'https://evil.example' });
    expect(await acceptNew(registry, foreign.create(await beginOf(registry)))).toMatchObject({ why: 'malformed' });
    const begun = await beginOf(registry);
    expect(await acceptNew(registry, deviceOf(registry).create({ ...begun, rp: { id: 'evil.example' } }))).toMatchObject({
      why: 'malformed',
    });
    const careless = deviceOf(registry, { userVerified: false });
    expect(await acceptNew(registry, careless.create(await beginOf(registry)))).toMatchObject({ why: 'malformed' });
    expect(await listPasskeys(registry.db.read, bill.loginId)).toEqual([]);
  });

  test('the same passkey is not added twice, nor to another login', async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device);
    await expect(enrol(registry, device)).rejects.toThrow('this passkey is already added');
  });

  test('a person has at most twenty', async () => {
    await using registry = await testRegistry();
    for (let i = 0; i < 20; i++) await enrol(registry, deviceOf(registry), `Key ${i}`);
    await expect(enrol(registry, deviceOf(registry))).rejects.toThrow('at most 20 passkeys');
  });
});

describe('proving a passkey', () => {
  test('without a user name, the passkey identifies the person and shows that the device verified them', async () => {
    await using registry = await testRegistry();
    const [laptop, cloud] = [deviceOf(registry), deviceOf(registry, { synced: true })];
    await enrol(registry, laptop);
    await enrol(registry, cloud, 'Cloud');
    expect((await ask(registry)).allowCredentials).toEqual([]);
    expect(await accept(registry, laptop.get(await ask(registry)))).toEqual({
      loginId: bill.loginId,
      sessionsEnded: 0,
      credentialId: laptop.credentialId,
      amr: ['hwk', 'user'],
    });
    expect(await accept(registry, cloud.get(await ask(registry)))).toMatchObject({ amr: ['swk', 'user'] });
    expect((await listPasskeys(registry.db.read, bill.loginId)).map(({ lastUsedAt }) => lastUsedAt)).not.toContain(null);
  });

  test("as a second factor only the person's own passkeys are requested and accepted", async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device);
    expect((await ask(registry, bill.loginId)).allowCredentials).toMatchObject([{ id: device.credentialId }]);
    expect(await accept(registry, device.get(await ask(registry, bill.loginId)), { loginId: bill.loginId })).toMatchObject({
      loginId: bill.loginId,
    });
    const ofCorin = await ask(registry, 'login-corin');
    expect(await accept(registry, device.get(ofCorin), { loginId: 'login-corin' })).toMatchObject({ why: 'unknown' });
  });

  test('a removed passkey and one of a disabled login are refused', async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device);
    await registry.db.change(line, change =>
      change.updateTable('login').set({ disabledAt: change.now }).where('loginId', '=', bill.loginId).execute(),
    );
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'unknown' });
    await registry.db.change(line, async change => {
      await change.updateTable('login').set({ disabledAt: null }).where('loginId', '=', bill.loginId).execute();
      expect(await removePasskey(change, 'login-corin', device.credentialId)).toBe(false);
      expect(await removePasskey(change, bill.loginId, device.credentialId)).toBe(true);
    });
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'unknown' });
  });

  test('a passkey that names another person, or no one, identifies no one', async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device);
    device.userHandle = Buffer.from('login-corin').toString('base64url');
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'unknown' });
    device.userHandle = '';
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'unknown' });
    // With the person known from the password, devices may omit the user handle.
    expect(await accept(registry, device.get(await ask(registry, bill.loginId)), { loginId: bill.loginId })).toMatchObject({
      loginId: bill.loginId,
    });
  });

  test('a counter that goes back or stays the same reveals a copy; one that stays 0 belongs to a synced passkey', async () => {
    await using registry = await testRegistry();
    const [device, cloud] = [deviceOf(registry), deviceOf(registry, { synced: true })];
    await enrol(registry, device);
    await enrol(registry, cloud, 'Cloud');
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ loginId: bill.loginId });
    device.counter--;
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'copied' });
    device.counter = 0;
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'copied' });
    for (let times = 0; times < 2; times++)
      expect(await accept(registry, cloud.get(await ask(registry)))).toMatchObject({ loginId: bill.loginId });
  });

  test('a foreign origin, another relying party and a device that did not recognise its person are refused', async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device);
    device.origin = 'https://evil.example';
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'malformed' });
    device.origin = registry.origin;
    expect(await accept(registry, device.get({ ...(await ask(registry)), rpId: 'evil.example' }))).toMatchObject({ why: 'malformed' });
    device.userVerified = false;
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ why: 'malformed' });
    device.userVerified = true;
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ loginId: bill.loginId });
  });

  test('another key is not accepted in place of the enrolled one', async () => {
    await using registry = await testRegistry();
    const [device, impostor] = [deviceOf(registry), deviceOf(registry)];
    await enrol(registry, device);
    impostor.credentialId = device.credentialId;
    impostor.userHandle = device.userHandle;
    impostor.counter = 1000;
    expect(await accept(registry, impostor.get(await ask(registry)))).toMatchObject({ why: 'malformed' });
    // And doesn't move the counter of the enrolled key.
    expect(await accept(registry, device.get(await ask(registry)))).toMatchObject({ loginId: bill.loginId });
  });

  test.each(kinds)('the same answer sent twenty times concurrently opens one session (%s)', async kind => {
    await using registry = await testRegistry(kind);
    const device = deviceOf(registry, { synced: true });
    await enrol(registry, device);
    const answer = device.get(await ask(registry));
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(registry, answer)));
    expect(answers.filter(accepted => 'loginId' in accepted)).toHaveLength(1);
    expect(answers.filter(refused => 'why' in refused && refused.why === 'expired')).toHaveLength(19);
  });

  test.each(kinds)('of twenty concurrent answers with the same counter one is accepted (%s)', async kind => {
    await using registry = await testRegistry(kind);
    const device = deviceOf(registry);
    await enrol(registry, device);
    const answers = [];
    for (let i = 0; i < 20; i++) {
      device.counter = 7;
      answers.push(device.get(await ask(registry)));
    }
    const answered = await Promise.all(answers.map(answer => accept(registry, answer)));
    expect(answered.filter(accepted => 'loginId' in accepted)).toHaveLength(1);
    expect(answered.filter(refused => 'why' in refused && refused.why === 'copied')).toHaveLength(19);
  });
});

describe('answers no browser sends', () => {
  const shapes: readonly [what: string, spoil: (answer: string) => string][] = [
    ['nothing', () => ''],
    ['no JSON', () => '{'],
    ['null', () => 'null'],
    ['a number', () => '7'],
    ['a list', () => '[]'],
    ['an empty object', () => '{}'],
    ['no id', answer => tampered(answer, parsed => ({ ...parsed, id: undefined }))],
    ['a number as id', answer => tampered(answer, parsed => ({ ...parsed, id: 7 }))],
    ['another raw id', answer => tampered(answer, parsed => ({ ...parsed, rawId: 'AAAA' }))],
    ['another id', answer => tampered(answer, parsed => ({ ...parsed, id: 'AAAA', rawId: 'AAAA' }))],
    ['another type', answer => tampered(answer, parsed => ({ ...parsed, type: 'password' }))],
    ['no response', answer => tampered(answer, parsed => ({ ...parsed, response: null }))],
    ['an empty response', answer => tampered(answer, parsed => ({ ...parsed, response: {} }))],
    [
      'lists for texts',
      answer => tampered(answer, ({ response, ...parsed }) => ({ ...parsed, response: { ...response, clientDataJSON: [] } })),
    ],
    [
      'no base64url',
      answer => tampered(answer, ({ response, ...parsed }) => ({ ...parsed, response: { ...response, clientDataJSON: '<script>' } })),
    ],
    [
      'client data without a challenge',
      answer => tampered(answer, ({ response, ...parsed }) => ({ ...parsed, response: { ...response, clientDataJSON: clientData({}) } })),
    ],
    [
      'client data that is null',
      answer => tampered(answer, ({ response, ...parsed }) => ({ ...parsed, response: { ...response, clientDataJSON: 'bnVsbA' } })),
    ],
    [
      'a made-up challenge',
      answer =>
        tampered(answer, ({ response, ...parsed }) => ({
          ...parsed,
          response: { ...response, clientDataJSON: clientData({ type: 'webauthn.create', challenge: 'AAAA', origin: 'http://localhost' }) },
        })),
    ],
    [
      'a challenge that is no text',
      answer =>
        tampered(answer, ({ response, ...parsed }) => ({
          ...parsed,
          response: { ...response, clientDataJSON: clientData({ challenge: {} }) },
        })),
    ],
    ...['attestationObject', 'authenticatorData', 'signature'].flatMap(part =>
      ['AA', 'AAAA', '_____w', 'oWNmbXRkbm9uZQ', 'A'.repeat(30_000)].map((value): [string, (answer: string) => string] => [
        `${part} ${value.slice(0, 16)}`,
        answer => tampered(answer, ({ response, ...parsed }) => ({ ...parsed, response: { ...response, [part]: value } })),
      ]),
    ),
  ];

  test('are refused with an explanation, whatever their shape', async () => {
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device);
    for (const [what, spoil] of shapes) {
      const other = deviceOf(registry);
      const created = other.create(await beginOf(registry));
      const spoiled = spoil(created);
      // The parts of the other ceremony are not looked at.
      if (!/^(authenticatorData|signature)/.test(what))
        expect(await acceptNew(registry, spoiled), `new passkey: ${what}`).toMatchObject({ refused: expect.any(String) });
      if (!what.startsWith('attestationObject'))
        expect(await accept(registry, spoil(device.get(await ask(registry)))), `sign-in: ${what}`).toMatchObject({
          refused: expect.any(String),
        });
    }
  });
});

describe('names', () => {
  test('a passkey is named after where it is stored or was made, and only its owner can rename it', async () => {
    expect(passkeyNameOf({ aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' }, 'Safari on macOS')).toBe('iCloud Keychain');
    expect(passkeyNameOf({ aaguid: '00000000-0000-0000-0000-000000000000' }, 'Chrome on Linux')).toBe('Chrome on Linux');
    await using registry = await testRegistry();
    const device = deviceOf(registry);
    await enrol(registry, device, '  My   key ');
    await registry.db.change(line, async change => {
      expect((await listPasskeys(change, bill.loginId))[0]!.name).toBe('My key');
      expect(await renamePasskey(change, 'login-corin', device.credentialId, 'Mine')).toBe(false);
      expect(await renamePasskey(change, bill.loginId, device.credentialId, 'Büro 🔑')).toBe(true);
    });
    expect((await listPasskeys(registry.db.read, bill.loginId))[0]!.name).toBe('Büro 🔑');
  });

  test.each([
    ['empty', ' '],
    ['too long', 'x'.repeat(61)],
    ['two lines', 'a\nb'],
    ['a control character', 'a\u0007'],
    ['turned text', 'a\u202eb'],
  ])('a name that is %s is refused', async (_what, name) => {
    await using registry = await testRegistry();
    await expect(enrol(registry, deviceOf(registry), name)).rejects.toThrow('a name has 1 to 60 characters');
  });
});
