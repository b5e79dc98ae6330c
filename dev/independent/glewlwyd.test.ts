import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Secret } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimsOf, fetchCaller, testRegistry } from '../../apps/server/test/sign-in-registry.ts';
import { codeOf, stepAt } from '../../apps/server/src/modules/identity/factors/totp.ts';
import { type Glewlwyd, glewlwydIsInstalled, startGlewlwyd } from './glewlwyd.ts';
import { freePort } from './program.ts';

/** The tokens of a provider that others wrote, at our API. */
describe.skipIf(!glewlwydIsInstalled)('Glewlwyd as the provider', () => {
  let glewlwyd: Glewlwyd;
  let appUrl: string;
  /** Which of the registries of these tests hears what is sent to the portal's address. */
  let portal = '';
  const address = http.createServer((request, response) => {
    void text(request).then(async body => {
      const answer = await fetch(`${portal}${request.url!}`, {
        method: 'POST',
        headers: { 'content-type': request.headers['content-type']! },
        body,
      });
      response.writeHead(answer.status).end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>(resolve => address.listen(0, '127.0.0.1', resolve));
    appUrl = `http://localhost:${(address.address() as AddressInfo).port}`;
    glewlwyd = await startGlewlwyd(await freePort(), [{ appUrl, clientId: 'portal' }]);
  });
  afterAll(async () => {
    address.close();
    await glewlwyd?.close();
  });

  const settings = (more: Record<string, string> = {}) => ({
    ISSUER_URI: glewlwyd.issuer,
    CLAIM_NAMES: glewlwyd.claimNames,
    SCOPES: 'openid',
    APP_URL: appUrl,
    ...more,
  });

  /** Signs Olga in as its pages do, with what it calls a scheme for each factor; and fetches the tokens. */
  const signIn = async (code?: string) => {
    const origin = new URL(glewlwyd.issuer).origin;
    let cookie = '';
    const prove = async (body: object) => {
      const answer = await fetch(`${origin}/api/auth/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ username: glewlwyd.person.username, ...body }),
      });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    };
    await prove({ password: glewlwyd.person.password });
    if (code) await prove({ scheme_type: 'otp', scheme_name: 'otp', value: { value: code } });
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: 'portal',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `${appUrl}/auth-callback`,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'state-of-the-test',
      nonce: randomBytes(8).toString('hex'),
    });
    const answer = await fetch(`${glewlwyd.issuer}/auth?${query.toString()}&g_continue`, { redirect: 'manual', headers: { cookie } });
    const given = new URL(answer.headers.get('location')!).searchParams.get('code');
    if (!given) throw new Error(`no code: ${answer.status} ${answer.headers.get('location')}`);
    const form = { grant_type: 'authorization_code', code: given, redirect_uri: `${appUrl}/auth-callback`, code_verifier: verifier };
    return { ...(await tokens(form)), cookie };
  };
  const tokens = async (form: Record<string, string>) => {
    const answer = await fetch(`${glewlwyd.issuer}/token`, { method: 'POST', body: new URLSearchParams({ client_id: 'portal', ...form }) });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id_token: string; access_token: string; refresh_token: string };
  };

  const code = () => codeOf(Secret.fromBase32(glewlwyd.person.totpSecret).bytes, stepAt(new Date()));
  /** Returns the API's answer to a token under these settings. */
  const callerOf = async (token: string, more: Record<string, string> = {}) => {
    await using registry = await testRegistry(undefined, settings(more));
    return await fetchCaller(registry.origin, token);
  };

  beforeEach(() => glewlwyd.require('password'));

  test('a person is known by the names and address its tokens carry under other names, and its access token is no bearer', async () => {
    const { id_token, access_token } = await signIn();
    const { name, email } = glewlwyd.person;
    expect(await callerOf(id_token)).toMatchObject({ status: 200, body: { issuer: glewlwyd.issuer, name, email, staff: false } });
    expect((await callerOf(access_token)).status).toBe(401);
  });

  test('a password is no second factor, a sign-in from a session of before is none, and a time of 0 is not recent', async () => {
    const { id_token } = await signIn();
    expect(claimsOf(id_token)).toMatchObject({ amr: ['password'], auth_time: 0 });
    expect((await callerOf(id_token, { MFA_AMR: 'otp' })).body).toMatchObject({ mfa: false, authTime: null });
    await glewlwyd.require('session');
    const again = await signIn();
    expect(claimsOf(again.id_token)).toMatchObject({ amr: ['session'] });
    expect((await callerOf(again.id_token, { MFA_AMR: 'otp' })).body).toMatchObject({ mfa: false, authTime: null });
  });

  test('a one-time code is a second factor when the operator says what it is called there', async () => {
    await glewlwyd.require('password and code');
    const { id_token } = await signIn(code());
    expect(claimsOf(id_token).amr).toEqual(['password', 'otp']);
    expect((await callerOf(id_token)).body).toMatchObject({ mfa: false });
    expect((await callerOf(id_token, { MFA_AMR: 'otp,hwk' })).body).toMatchObject({ mfa: true });
  });

  test('a token for another audience, or signed in a way the operator does not want, is refused', async () => {
    const { id_token } = await signIn();
    expect((await callerOf(id_token, { CLIENT_ID: 'another' })).status).toBe(401);
    expect((await callerOf(id_token, { CLIENT_ID: 'another', API_AUDIENCES: 'portal' })).status).toBe(200);
    expect((await callerOf(id_token, { ID_TOKEN_ALGS: 'ES256' })).status).toBe(401);
    expect((await callerOf(id_token, { ISSUER_URI: glewlwyd.issuer.replace('/oidc', '/other') })).status).toBe(503);
  });

  test('a refresh leaves the identity token as it was, and each refresh token is good once', async () => {
    const { refresh_token } = await signIn();
    const refreshed = await tokens({ grant_type: 'refresh_token', refresh_token });
    expect(refreshed.id_token).toBeUndefined();
    await expect(tokens({ grant_type: 'refresh_token', refresh_token })).rejects.toThrow(/^40/);
  });

  test('a name changed there is adopted at the next sign-in', async () => {
    const [before, { name }] = [await signIn(), glewlwyd.person];
    await using registry = await testRegistry(undefined, settings());
    const first = await fetchCaller(registry.origin, before.id_token);
    expect(first.body).toMatchObject({ name });
    await glewlwyd.rename('Olga Nygaard-Lie');
    try {
      expect((await fetchCaller(registry.origin, before.id_token)).body).toMatchObject({ name });
      const { loginId } = first.body;
      const after = await signIn();
      expect((await fetchCaller(registry.origin, after.id_token)).body).toMatchObject({ name: 'Olga Nygaard-Lie', loginId });
      expect(await registry.actions()).toContain('identity.profileChanged');
    } finally {
      await glewlwyd.rename(name);
    }
  });

  test('a log-out there ends the session here immediately', async () => {
    const { id_token, cookie } = await signIn();
    await using registry = await testRegistry(undefined, settings());
    portal = registry.origin;
    expect((await fetchCaller(registry.origin, id_token)).status).toBe(200);
    const { sid } = claimsOf(id_token);
    const ended = await fetch(`${glewlwyd.issuer}/session/${String(sid)}/`, { method: 'DELETE', headers: { cookie } });
    expect(ended.status).toBe(200);
    await expect.poll(async () => (await fetchCaller(registry.origin, id_token)).status, { timeout: 5000, interval: 20 }).toBe(401);
    expect(await registry.actions()).toContain('identity.signOut');
  });
});
