import { createHmac } from 'node:crypto';
import http from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Failure } from '../../../platform/failure.ts';
import { sealActivities } from '../../../platform/database/index.ts';
import { disableLogin } from '../logins/logins.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { rotateSigningKeys, signingKeys } from '../sessions/signing-keys.ts';
import { foreignIssuer } from '../../../../test/foreign-issuer.ts';
import { browserAt, claimsOf, fetchCaller, kinds, testRegistry, type TestRegistry } from '../../../../test/sign-in-registry.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const codeOf = (answer: { status: number; body: Record<string, unknown> }) => [
  answer.status,
  (answer.body.errors as { code: string }[] | undefined)?.[0]?.code,
];

describe('a bearer of the registry’s own provider', () => {
  let registry: TestRegistry;
  let good: JWTPayload;
  let sign: (claims: JWTPayload, header?: Record<string, unknown>) => Promise<string>;
  let publicKey: string;
  beforeAll(async () => {
    registry = await testRegistry();
    const { id_token } = await browserAt(registry.origin).signIn(registry, 'bill');
    good = claimsOf(id_token);
    const key = (await signingKeys(registry.db.read, openSecretBox(registry.config))).find(({ alg }) => alg === 'RS256')!;
    const secret = await importJWK(key.privateJwk, 'RS256');
    publicKey = await exportSPKI((await importJWK({ ...key.publicJwk, ext: true }, 'RS256', { extractable: true })) as never);
    sign = (claims, header) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT', ...header }).sign(secret);
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  const now = Math.floor(Date.now() / 1000);
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };

  test('is accepted if it is valid', async () => {
    expect(codeOf(await fetchCaller(registry.origin, await sign(good)))).toEqual([200, undefined]);
    expect(codeOf(await fetchCaller(registry.origin, await sign({ ...good, aud: ['portal'] })))).toEqual([200, undefined]);
    expect(codeOf(await fetchCaller(registry.origin, await sign({ ...good, aud: ['portal', 'else'] })))).toEqual([200, undefined]);
  });

  test.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
    ['alg none', claims => new UnsecuredJWT(claims).encode()],
    ['HS256 with the public key as secret', claims => hs256(claims, publicKey)],
    [
      'a key nobody knows',
      async claims =>
        new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'nobody' }).sign((await generateKeyPair('RS256')).privateKey),
    ],
    [
      'another key under a known name',
      async claims => {
        const kid = (await signingKeys(registry.db.read, openSecretBox(registry.config))).find(({ alg }) => alg === 'RS256')!.kid;
        return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign((await generateKeyPair('RS256')).privateKey);
      },
    ],
    [
      'a changed payload',
      async claims => {
        const [header, , signature] = (await sign(claims)).split('.');
        return [header, Buffer.from(JSON.stringify({ ...claims, sub: 'login-stella' })).toString('base64url'), signature].join('.');
      },
    ],
    ['another issuer', claims => sign({ ...claims, iss: 'https://other.example/oidc' })],
    ['another audience', claims => sign({ ...claims, aud: 'chat' })],
    ['another authorized party', claims => sign({ ...claims, azp: 'chat' })],
    ['several audiences and no authorized party', claims => sign({ ...claims, aud: ['portal', 'chat'], azp: undefined })],
    ['its time over', claims => sign({ ...claims, exp: now - 10 })],
    ['its time not come', claims => sign({ ...claims, nbf: now + 60 })],
    ['an issue time in the future', claims => sign({ ...claims, iat: now + 60 })],
    [
      'more than a day of age, though it says that it lives a year',
      claims => sign({ ...claims, iat: now - 86_500, exp: now + 31_536_000 }),
    ],
    ['no expiry', claims => sign({ ...claims, exp: undefined })],
    ['no subject', claims => sign({ ...claims, sub: undefined })],
    ['a subject nobody has', claims => sign({ ...claims, sub: 'nobody' })],
    ['two parts', async claims => (await sign(claims)).split('.').slice(0, 2).join('.')],
    ['four parts', async claims => `${await sign(claims)}.x`],
    ['the type of a logout token', claims => sign(claims, { typ: 'logout+jwt' })],
    ['the type of an access token', claims => sign(claims, { typ: 'at+jwt' })],
    ['the events of a logout token', claims => sign({ ...claims, events: event })],
  ])('is refused with %s', async (_wrong, make) => {
    expect(codeOf(await fetchCaller(registry.origin, await make(good)))).toEqual([401, 'NOT_SIGNED_IN']);
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'bearer a.b.c', 'Bearer a.b.c d'])(
    'is refused when the header is "%s"',
    async authorization => {
      const answer = await fetch(`${registry.origin}/api/me`, { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    },
  );

  test('claims a second factor by amr or acr only, and a missing time of sign-in is unknown', async () => {
    const of = async (claims: JWTPayload) => (await fetchCaller(registry.origin, await sign({ ...good, ...claims }))).body;
    expect(await of({ amr: ['pwd'], acr: undefined })).toMatchObject({ mfa: false });
    expect(await of({ amr: undefined, acr: undefined, auth_time: 0 })).toMatchObject({ mfa: false, amr: [], authTime: null });
    expect(await of({ amr: 'mfa', acr: undefined })).toMatchObject({ mfa: false });
    expect(await of({ amr: ['pwd', 'otp', 'mfa'] })).toMatchObject({ mfa: true });
  });

  test('remembered as valid is refused the second it expires', async () => {
    await using clocked = await testRegistry();
    const { id_token } = await browserAt(clocked.origin).signIn(clocked, 'bill');
    expect((await fetchCaller(clocked.origin, id_token)).status).toBe(200);
    clocked.later(clocked.config.tokenSeconds + 6);
    expect(codeOf(await fetchCaller(clocked.origin, id_token))).toEqual([401, 'NOT_SIGNED_IN']);
  });

  test('remembered as valid costs no database query', async () => {
    const token = await sign(good);
    await fetchCaller(registry.origin, token);
    const { read } = registry.db;
    const asked: string[] = [];
    const selectFrom = read.selectFrom;
    read.selectFrom = ((table: never) => {
      asked.push(String(table));
      return selectFrom(table);
    }) as typeof selectFrom;
    try {
      for (let i = 0; i < 5; i++) expect((await registry.identity.verifyBearer(`Bearer ${token}`)).loginId).toBe('login-bill');
    } finally {
      read.selectFrom = selectFrom;
    }
    expect(asked).toEqual([]);
  });

  test('ends when its login is disabled', async () => {
    await using own = await testRegistry();
    const { id_token } = await browserAt(own.origin).signIn(own, 'bill');
    expect((await fetchCaller(own.origin, id_token)).status).toBe(200);
    await own.db.change(line, change => disableLogin(change, 'login-bill'));
    await expect.poll(async () => (await fetchCaller(own.origin, id_token)).status, { timeout: 1000, interval: 5 }).toBe(401);
  });

  test('is answered 503, never accepted, when its session can’t be checked', async () => {
    await using own = await testRegistry();
    const { id_token } = await browserAt(own.origin).signIn(own, 'bill');
    const { read } = own.db;
    const selectFrom = read.selectFrom;
    read.selectFrom = () => {
      throw new Error('the database is away');
    };
    try {
      expect(codeOf(await fetchCaller(own.origin, id_token))).toEqual([503, 'UNAVAILABLE']);
    } finally {
      read.selectFrom = selectFrom;
    }
    expect((await fetchCaller(own.origin, id_token)).status).toBe(200);
  });
});

test('signing keys are not readable in the database, and their history keeps no private part', async () => {
  await using registry = await testRegistry();
  const keys = await signingKeys(registry.db.read, openSecretBox(registry.config));
  expect(keys.map(({ alg }) => alg).sort()).toEqual(['ES256', 'RS256']);
  const rows = await registry.db.read.selectFrom('signingKey').selectAll().execute();
  const stored = rows.map(row => JSON.stringify(row.publicJwk) + row.sealedPrivate.toString('latin1')).join();
  const history = JSON.stringify(
    await registry.db.read.selectFrom('rowChange').select('after').where('tableName', '=', 'signing_key').execute(),
  );
  for (const { privateJwk } of keys) {
    expect(stored).not.toContain(privateJwk.d);
    expect(history).not.toContain(privateJwk.d);
  }
  expect(history).not.toContain('sealed_private');
});

test.each(kinds)('signing keys are rotated without signing anyone out (%s)', async kind => {
  await using registry = await testRegistry(kind);
  const browser = browserAt(registry.origin);
  const before = await browser.signIn(registry, 'bill');
  const kidOf = (token: string) => (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;
  const box = openSecretBox(registry.config);
  await rotateSigningKeys(registry.db, box, { tokenSeconds: registry.config.tokenSeconds, activity: line });
  await expect
    .poll(async () => ((await (await fetch(`${registry.origin}/oidc/jwks`)).json()) as { keys: unknown[] }).keys.length, {
      timeout: 2000,
      interval: 20,
    })
    .toBe(4);
  expect((await fetchCaller(registry.origin, before.id_token)).status).toBe(200);
  const renewed = await browser.authorize({ prompt: 'none' });
  const after = (await (await browser.redeem(renewed.url, renewed.verifier)).json()) as { id_token: string };
  expect(kidOf(after.id_token)).not.toBe(kidOf(before.id_token));
  expect((await fetchCaller(registry.origin, after.id_token)).status).toBe(200);
});

describe('a foreign provider', () => {
  test('is trusted by its published keys; its people are known by issuer and subject, and its logouts count', async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    const kid = 'foreign-1';
    const server = http.createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/.well-known/openid-configuration') response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
      else
        void exportJWK(pair.publicKey).then(jwk => {
          response.end(JSON.stringify({ keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] }));
        });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    try {
      await using registry = await testRegistry(undefined, { ISSUER_URI: issuer, MFA_ACR: 'loa-2' });
      const now = Math.floor(Date.now() / 1000);
      const sign = (claims: JWTPayload, typ = 'JWT') =>
        new SignJWT({ iss: issuer, aud: 'portal', iat: now, exp: now + 600, ...claims })
          .setProtectedHeader({ alg: 'ES256', kid, typ })
          .sign(pair.privateKey);
      const dwho = await sign({ sub: 'dwho', sid: 's-1', name: 'Doctor Who', email: 'dwho@badwolf.example', acr: 'loa-2' });
      const first = await fetchCaller(registry.origin, dwho);
      expect(first).toMatchObject({ status: 200, body: { issuer, subject: 'dwho', name: 'Doctor Who', mfa: true } });
      expect((await fetchCaller(registry.origin, await sign({ sub: 'dwho' }))).body.loginId).toBe(first.body.loginId);
      // A person can't become another by claiming their address.
      const thief = await fetchCaller(registry.origin, await sign({ sub: 'thief', email: 'corin@example-au.example' }));
      expect(thief).toMatchObject({ status: 200 });
      expect(thief.body.loginId).not.toBe('login-corin');
      expect((await fetchCaller(registry.origin, await sign({ sub: 'login-corin' }))).body.loginId).not.toBe('login-corin');

      const logout = (token: string) =>
        fetch(`${registry.origin}/auth/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const token = await sign({ sid: 's-1', events, jti: 'j-1' }, 'logout+jwt');
      expect((await logout(await sign({ sid: 's-1', events, jti: 'j-0', nonce: 'n' }, 'logout+jwt'))).status).toBe(400);
      expect((await logout(await sign({ sid: 's-1', jti: 'j-0', events: {} }, 'logout+jwt'))).status).toBe(400);
      expect((await logout(dwho)).status).toBe(400);
      expect((await fetchCaller(registry.origin, dwho)).status).toBe(200);
      expect((await logout(token)).status).toBe(200);
      expect(codeOf(await fetchCaller(registry.origin, dwho))).toEqual([401, 'SESSION_ENDED']);
      expect((await logout(token)).status).toBe(400);
    } finally {
      server.close();
    }
  });

  test('names people by the operator’s settings, follows its newest token, and never assigns the address of another login', async () => {
    await using provider = await foreignIssuer();
    const { issuer, sign } = provider;
    await using registry = await testRegistry(undefined, { ISSUER_URI: issuer, CLAIM_NAMES: 'full_name=cn, email=mail' });
    const now = Math.floor(Date.now() / 1000);
    const callerOf = async (claims: JWTPayload) => (await fetchCaller(registry.origin, await sign(claims))).body;
    const login = (id: unknown) =>
      registry.db.read
        .selectFrom('login')
        .select(['fullName', 'email', 'emailVerified'])
        .where('loginId', '=', String(id))
        .executeTakeFirstOrThrow();

    const old = { sub: 'ann', iat: now - 60, cn: 'Ann Before', mail: 'ann@before.example', email: 'not@this.example' };
    const { loginId } = await callerOf(old);
    // The day of a sign-in is noted, though the session is the provider's: once a day.
    const signedIn = async () =>
      (await registry.db.read.selectFrom('login').select('lastSignInAt').where('loginId', '=', String(loginId)).executeTakeFirstOrThrow())
        .lastSignInAt;
    const first = await signedIn();
    expect(Math.abs(Date.parse(first!) - Date.now())).toBeLessThan(60_000);
    expect(await login(loginId)).toEqual({ fullName: 'Ann Before', email: 'ann@before.example', emailVerified: false });
    const after = { sub: 'ann', iat: now - 30, cn: 'Ann After', mail: 'ann@after.example', email_verified: true };
    expect(await callerOf(after)).toMatchObject({ loginId, name: 'Ann After', email: 'ann@after.example' });
    expect(await login(loginId)).toEqual({ fullName: 'Ann After', email: 'ann@after.example', emailVerified: true });
    expect(await signedIn()).toBe(first);
    await registry.db.change(line, change =>
      change.rows(
        sql`update login set last_sign_in_at = now() - interval '30 hours' where login_id = ${String(loginId)} returning 1 as set`,
      ),
    );
    await callerOf({ ...after, jti: 'the-next-day' });
    expect(utcDay((await signedIn())!)).toBe(utcDay(new Date()));
    // An older token of an open tab reverts nothing; neither does one without claims.
    expect(await callerOf({ ...old, jti: 'another' })).toMatchObject({ name: 'Ann After' });
    expect(await callerOf({ sub: 'ann' })).toMatchObject({ name: 'Ann After', email: 'ann@after.example' });
    // Corin's address stays Corin's in any spelling; the name is adopted.
    expect(await callerOf({ sub: 'ann', cn: 'Ann Again', mail: 'Corin@Example-AU.example', email_verified: true })).toMatchObject({
      loginId,
      name: 'Ann Again',
      email: 'ann@after.example',
    });
    expect((await registry.actions()).filter(action => action === 'identity.profileChanged')).toHaveLength(2);
  });

  test('brings no one back who was erased by a token of before', async () => {
    await using provider = await foreignIssuer();
    const { issuer, sign } = provider;
    await using registry = await testRegistry(undefined, { ISSUER_URI: issuer });
    const now = Math.floor(Date.now() / 1000);
    const open = await sign({ sub: 'ann', iat: now - 60, name: 'Ann Before', email: 'ann@before.example' });
    const { loginId } = (await fetchCaller(registry.origin, open)).body as { loginId: string };
    while ((await sealActivities(registry.db, registry.config)) > 0);
    const erased = new Date((now - 30) * 1000).toISOString();
    await registry.db.change(line, async change => {
      await change.rows(sql`insert into erasure (login_id, requested_at, due_at) values (${loginId}, ${erased}, ${erased})`);
      await change.rows(
        sql`update erasure set state = 'erased', ended_at = ${erased}, ended_by = 'login-corin', ended_with = 'login-bill' where login_id = ${loginId}`,
      );
      await change.rows(sql`select erase_person(${loginId})`);
      await disableLogin(change, loginId);
    });
    const count = async () => (await registry.db.read.selectFrom('login').select('loginId').execute()).length;
    const before = await count();
    await expect.poll(async () => codeOf(await fetchCaller(registry.origin, open))).toEqual([401, 'NOT_SIGNED_IN']);
    expect(codeOf(await fetchCaller(registry.origin, await sign({ sub: 'ann', iat: now - 40, jti: 'other tab' })))).toEqual([
      401,
      'NOT_SIGNED_IN',
    ]);
    expect(await count()).toBe(before);
    // Who signs in again is a new person.
    const again = await fetchCaller(registry.origin, await sign({ sub: 'ann', iat: now, name: 'Ann' }));
    expect([again.status, again.body.loginId === loginId]).toEqual([200, false]);
  });

  test('may send logout tokens without a type, and an identity token isn’t accepted as one', async () => {
    await using provider = await foreignIssuer();
    const { issuer, sign } = provider;
    await using registry = await testRegistry(undefined, { ISSUER_URI: issuer });
    const person = await sign({ sub: 'ann', sid: 's-9' });
    expect((await fetchCaller(registry.origin, person)).status).toBe(200);
    const logout = async (token: string) =>
      (await fetch(`${registry.origin}/auth/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) }))
        .status;
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    expect(await logout(person)).toBe(400);
    expect(await logout(await sign({ sid: 's-9', events, jti: 'j-1' }, 'at+jwt'))).toBe(400);
    expect((await fetchCaller(registry.origin, person)).status).toBe(200);
    expect(await logout(await sign({ sid: 's-9', events, jti: 'j-2' }, 'JWT'))).toBe(200);
    expect(codeOf(await fetchCaller(registry.origin, person))).toEqual([401, 'SESSION_ENDED']);
  });

  test('is trusted about second factors, audiences and algorithms as configured', async () => {
    await using provider = await foreignIssuer();
    const { issuer, sign } = provider;
    const settings = { ISSUER_URI: issuer, MFA_AMR: 'otp,face', MFA_ACR: 'loa-2', API_AUDIENCES: 'mobile' };
    await using registry = await testRegistry(undefined, settings);
    const of = async (claims: JWTPayload) => fetchCaller(registry.origin, await sign({ sub: 'ann', ...claims }));
    expect((await of({ amr: ['pwd', 'face'] })).body).toMatchObject({ mfa: true });
    expect((await of({ acr: 'loa-2' })).body).toMatchObject({ mfa: true });
    for (const claims of [{ amr: ['mfa'] }, { amr: ['session'] }, { amr: 'otp' }, { acr: 'loa-1' }, {}])
      expect((await of(claims)).body).toMatchObject({ mfa: false });
    expect((await of({ auth_time: 0 })).body).toMatchObject({ authTime: null });
    expect((await of({ aud: 'mobile', azp: 'mobile' })).status).toBe(200);
    expect((await of({ aud: 'chat' })).status).toBe(401);
    expect((await of({ aud: ['portal', 'chat'], azp: 'chat' })).status).toBe(401);
    await using strict = await testRegistry(undefined, { ...settings, ID_TOKEN_ALGS: 'RS256' });
    expect((await fetchCaller(strict.origin, await sign({ sub: 'ann' }))).status).toBe(401);
  });

  test('whose keys are unreachable keeps known tokens valid, and accepts no key not seen before', async () => {
    await using provider = await foreignIssuer();
    const { issuer, sign } = provider;
    await using registry = await testRegistry(undefined, { ISSUER_URI: issuer });
    const known = await sign({ sub: 'ann' });
    expect((await fetchCaller(registry.origin, known)).status).toBe(200);
    provider.away();
    expect((await fetchCaller(registry.origin, known)).status).toBe(200);
    const other = await new SignJWT({ iss: issuer, aud: 'portal', sub: 'ann' })
      .setProtectedHeader({ alg: 'ES256', kid: 'another', typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign((await generateKeyPair('ES256')).privateKey);
    // Its keys were read a moment ago, and that one is not among them.
    expect((await fetchCaller(registry.origin, other)).status).toBe(401);
    // Half a minute later it may have new ones, but they can't be fetched.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    try {
      expect((await fetchCaller(registry.origin, other)).status).toBe(503);
      expect((await fetchCaller(registry.origin, known)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that can’t be reached: the token is not accepted', async () => {
    await using registry = await testRegistry(undefined, { ISSUER_URI: 'http://127.0.0.1:9' });
    const token = await new SignJWT({ iss: 'http://127.0.0.1:9', aud: 'portal', sub: 'x' })
      .setProtectedHeader({ alg: 'ES256', kid: 'x' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign((await generateKeyPair('ES256')).privateKey);
    await expect(registry.identity.verifyBearer(`Bearer ${token}`)).rejects.toSatisfy(
      error => error instanceof Failure && error.code === 'UNAVAILABLE',
    );
  });

  test.each(['/.well-known/openid-configuration', '/keys'])(
    'that answers without end at %s is cut off, and no one is let in',
    async endless => {
      await using provider = await foreignIssuer({ endless });
      await using registry = await testRegistry(undefined, { ISSUER_URI: provider.issuer });
      await expect(registry.identity.verifyBearer(`Bearer ${await provider.sign({ sub: 'dwho' })}`)).rejects.toSatisfy(
        error => error instanceof Failure && error.code === 'UNAVAILABLE',
      );
      expect(provider.sent()).toBeLessThan(10_000_000);
    },
  );
});

function hs256(claims: JWTPayload, secret: string): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...parts, createHmac('sha256', secret).update(parts.join('.')).digest('base64url')].join('.');
}
