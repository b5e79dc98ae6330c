import { argon2Sync, randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { browserAt, claimsOf, kinds, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { softwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { statementsOf } from '../../../../test/database/statements.ts';
import { refuse } from '../../../platform/failure.ts';
import { demoPasswordOf, setPasswordHash } from '../logins/logins.ts';
import { addPasskey, passkeyCreation, verifyNewPasskey } from '../factors/passkeys.ts';
import * as passwords from '../logins/password.ts';

// Spied on: how often a password is hashed, and what happens when hashing isn't possible.
vi.mock('../logins/password.ts', { spy: true });

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;
const formOf = ({ text }: { text: string }): { csrf: string } => ({ csrf: /name="csrf" value="([^"]+)"/.exec(text)![1]! });
const proxied = { BEHIND_PROXY: 'true' };

describe('wrong passwords', () => {
  test('two hundred attempts from elsewhere do not delay a person who comes from a known address, or with a passkey', async () => {
    await using registry = await testRegistry(undefined, { ...proxied, REQUIRE_MFA: 'off' });
    const { origin, db, config } = registry;
    const home = { address: '192.0.2.10' };
    await browserAt(origin, home).signIn(registry, 'corin');
    const device = softwareAuthenticator({ origin });
    const person = { loginId: 'login-corin', email: 'corin@example-au.example', fullName: 'Corin', product: 'MyRegistry' };
    const answer = device.create((await passkeyCreation(db, config, person, 'test')) as never);
    const passkey = await verifyNewPasskey(db, config, { loginId: 'login-corin', bound: 'test', answer });
    if ('refused' in passkey) throw new Error(passkey.refused);
    await db.change(line, change => addPasskey(change, passkey, 'Laptop'));

    const guesser = browserAt(origin);
    const guessed = await guesser.authorize();
    const { csrf: token } = formOf(guessed);
    const statuses: number[] = [];
    for (let i = 0; i < 200; i++) {
      const body = new URLSearchParams({ csrf: token, username: 'corin', password: `guess ${i}` });
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      statuses.push((await guesser.open(`${pathOf(guessed)}/password`, { method: 'POST', body, headers })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // The free attempts, and one for each delay that has passed.
    expect(statuses.filter(status => status === 401).length).toBeLessThan(10);

    const abroad = browserAt(origin, { address: '203.0.113.5' });
    const page = await abroad.authorize();
    expect((await abroad.send(page, { username: 'corin', password: 'demo-registry-corin' })).status).toBe(429);
    const { csrf } = formOf(page);
    const options = await abroad.open(`${pathOf(page)}/passkey-alone/options`, { method: 'POST', body: new URLSearchParams({ csrf }) });
    const proof = device.get(JSON.parse(options.text) as never);
    const form = new URLSearchParams({ csrf, answer: proof });
    expect((await abroad.open(`${pathOf(page)}/passkey-alone`, { method: 'POST', body: form })).url).toContain('code=');

    const atHome = browserAt(origin, home);
    const done = await atHome.send(await atHome.authorize(), { username: 'corin', password: 'demo-registry-corin' });
    expect(done.url).toContain('code=');
  });

  test.runIf(kinds.includes('postgres'))(
    'for a name nobody has cost what they cost for a known one: a hash, and the same statements',
    async () => {
      await using registry = await testRegistry('postgres');
      const browser = browserAt(registry.origin);
      const page = await browser.authorize();
      const costOf = async (username: string) => {
        vi.mocked(passwords.verifyPassword).mockClear();
        const seen: number[] = [];
        const statements = await statementsOf(async () => {
          // Beyond the first wait, which costs too.
          for (let i = 0; i < 7; i++) seen.push((await browser.send(page, { username, password: 'wrong' })).status);
        });
        return { seen, statements, hashes: vi.mocked(passwords.verifyPassword).mock.calls.length };
      };
      await costOf('warm-up');
      const known = await costOf('corin');
      expect(known).toMatchObject({ seen: [401, 401, 401, 401, 401, 429, 429], hashes: 5 });
      expect(await costOf('zorin')).toEqual(known);
      expect(await costOf('corin@nowhere.example')).toEqual(known);
    },
  );

  test.runIf(kinds.includes('postgres'))('take as long for a name nobody has as for a known one', async () => {
    await using registry = await testRegistry('postgres', proxied);
    const timeOf = async (username: string, address: string): Promise<number> => {
      const browser = browserAt(registry.origin, { address });
      const page = await browser.authorize();
      const before = process.cpuUsage();
      expect((await browser.send(page, { username, password: 'wrong' })).status).toBe(401);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const least = { known: Infinity, unknown: Infinity };
    const apart = (): number => Math.abs(least.known - least.unknown) / Math.max(least.known, least.unknown);
    // Processor time, measured in turns. Other load only adds to it, so the minimums are compared; more turns improve it.
    for (let i = 0; i < 100 && (i < 10 || apart() >= 0.2); i++) {
      const address = `198.51.100.${i}`;
      least.known = Math.min(least.known, await timeOf('corin', address));
      least.unknown = Math.min(least.unknown, await timeOf('zorin', address));
      registry.later(901);
    }
    expect(apart()).toBeLessThan(0.2);
  });
});

describe('a password stored with weaker parameters', () => {
  const weaken = async ({ db }: TestRegistry): Promise<void> => {
    const nonce = randomBytes(16);
    const tag = argon2Sync('argon2id', {
      message: demoPasswordOf('bill'),
      nonce,
      memory: 1024,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    });
    const [salt, hash] = [nonce, tag].map(bytes => bytes.toString('base64').replaceAll('=', ''));
    const row = { hash: `$argon2id$v=19$m=1024,t=2,p=1$${salt}$${hash}` };
    await db.change(line, change => change.updateTable('loginPassword').set(row).where('loginId', '=', 'login-bill').execute());
  };
  const kept = ({ db }: TestRegistry) =>
    db.read.selectFrom('loginPassword').select(['hash', 'setAt']).where('loginId', '=', 'login-bill').executeTakeFirstOrThrow();

  test('is rehashed once at the next sign-in, and keeps its date', async () => {
    await using registry = await testRegistry();
    await weaken(registry);
    const before = await kept(registry);
    registry.later(60);
    await browserAt(registry.origin).signIn(registry, 'bill');
    const after = await kept(registry);
    expect(after).toEqual({ setAt: before.setAt, hash: expect.stringMatching(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/) });
    await browserAt(registry.origin).signIn(registry, 'bill');
    expect(await kept(registry)).toEqual(after);
  });

  test('doesn’t replace a password that is chosen meanwhile', async () => {
    await using registry = await testRegistry();
    await weaken(registry);
    const [same, chosen] = await Promise.all([demoPasswordOf('bill'), 'nine herons left the harbour'].map(passwords.hashPassword));
    vi.mocked(passwords.hashPassword).mockImplementationOnce(async () => {
      await registry.db.change(line, change => setPasswordHash(change, 'login-bill', chosen!));
      return same!;
    });
    const browser = browserAt(registry.origin);
    const page = await browser.send(await browser.authorize(), { username: 'bill', password: demoPasswordOf('bill') });
    expect(page.status).toBe(401);
    expect((await kept(registry)).hash).toBe(chosen);
  });
});

describe('a session', () => {
  test('gets a new id at every authentication, and the previous one is refused', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const browser = browserAt(registry.origin);
    const ids: string[] = [];
    const signIn = async (more: Record<string, string>) => {
      await browser.signIn(registry, 'bill', more);
      ids.push(browser.jar.get('op_session')!.value);
    };
    await signIn({});
    await signIn({ prompt: 'login' });
    await signIn({ max_age: '0' });
    expect(new Set(ids).size).toBe(3);
    const thief = browserAt(registry.origin);
    thief.jar.set('op_session', { value: ids[0]!, path: '/' });
    expect(new URL((await thief.authorize({ prompt: 'none' })).url).searchParams.get('error')).toBe('login_required');
  });

  test.each([
    [
      'https',
      { APP_URL: 'https://portal.example', BEHIND_PROXY: 'true' },
      ['__Host-op_session', '__Host-op_state', '__Secure-op_interaction', '__Secure-op_resume', 'first-account'],
    ],
    ['http on this machine', {}, ['first-account', 'op_interaction', 'op_resume', 'op_session', 'op_state']],
  ])('over %s lives in cookies no script and no other site reads', async (scheme, environment, names) => {
    await using registry = await testRegistry(undefined, environment);
    const { appUrl } = registry.config;
    const cookies: string[] = [];
    const real = globalThis.fetch;
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const answer = await real(...request);
      cookies.push(...answer.headers.getSetCookie());
      return answer;
    });
    try {
      const browser = browserAt(registry.origin, { appUrl });
      const { id_token } = await browser.signIn(registry, 'corin');
      expect(claimsOf(id_token).iss).toBe(`${appUrl}/oidc`);
    } finally {
      fetched.mockRestore();
    }
    const set = cookies.filter(cookie => !/expires=Thu, 01 Jan 1970/i.test(cookie));
    const nameOf = (cookie: string): string => cookie.slice(0, cookie.indexOf('=')).replace(/\.sig$/, '');
    expect([...new Set(set.map(nameOf))].toSorted()).toEqual(names);
    for (const cookie of set) {
      expect(cookie).toMatch(/;\s*samesite=lax/i);
      // The browser state is for the portal's script to see change, and the account that it shows first is a hint; neither gives access.
      if (!/op_state$|^first-account$/.test(nameOf(cookie))) expect(cookie).toMatch(/;\s*httponly/i);
      expect(/;\s*secure/i.test(cookie)).toBe(scheme === 'https');
      expect(cookie).not.toMatch(/;\s*domain=/i);
      if (cookie.startsWith('__Host-')) expect(cookie).toMatch(/;\s*path=\/(?:;|$)/i);
    }
  });
});

describe('a sign-in that cannot continue', () => {
  test('because it is finished says so, and leads to the portal', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    expect((await browser.send(started, { username: 'bill', password: 'demo-registry-bill' })).url).toContain('code=');
    const back = await browser.open(pathOf(started));
    expect([back.status, back.text.includes('You’re logged in')]).toEqual([200, true]);
    expect(back.text).toContain(`href="${registry.origin}/"`);
    const again = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    expect([again.status, again.text.includes('You’re logged in')]).toEqual([409, true]);
  });

  test('because it took too long, or the browser keeps no cookies, says which, and can start again', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const without = await browserAt(registry.origin).open(pathOf(started));
    expect([without.status, without.text.includes('sent no cookie')]).toEqual([400, true]);
    await registry.db.unrecorded.deleteFrom('oidcPayload').where('model', '=', 'Interaction').execute();
    const expired = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    expect([expired.status, expired.text.includes('longer than 15 minutes')]).toEqual([400, true]);
    for (const page of [without, expired]) {
      expect(page.text).toContain('Start again');
      expect(page.text).toMatch(/Trace id <span class="mono">[0-9a-f]{32}</);
    }
  });

  test('because too many passwords are being hashed asks to try again, and that works', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    vi.mocked(passwords.verifyPassword).mockRejectedValueOnce(refuse('UNAVAILABLE'));
    const busy = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '5']);
    const again = await browser.open(/class="btn" href="([^"]+)"/.exec(busy.text)![1]!);
    expect((await browser.send(again, { username: 'bill', password: 'demo-registry-bill' })).url).toContain('code=');
  });

  test('because of a defect shows no more than its trace id', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    vi.mocked(passwords.verifyPassword).mockRejectedValueOnce(new Error('secret detail'));
    const defect = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    expect(defect.status).toBe(500);
    expect(defect.text).not.toContain('secret detail');
    expect(defect.text).toMatch(/Trace id <span class="mono">[0-9a-f]{32}</);
  });
});
