import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserAt, testRegistry, type TestRegistry } from '../../apps/server/test/sign-in-registry.ts';

/** Tests our provider with a certified client library, as another system with a secret. */
describe('openid-client', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-clients-'));
  const secret = 'secret-of-the-members-site-for-tests';
  // No server listens there: the browser of these tests stops where the code arrives.
  const redirect_uri = 'http://localhost:9/auth-callback';
  let registry: TestRegistry;
  let config: client.Configuration;
  beforeAll(async () => {
    const file = path.join(folder, 'clients.json');
    const entry = {
      client_id: 'meetings',
      client_name: 'Meetings',
      client_secret: secret,
      redirect_uris: [redirect_uri],
      backchannel_logout_uri: 'http://localhost:9/logout',
      post_logout_redirect_uris: ['http://localhost:9/'],
      grant_types: ['authorization_code', 'refresh_token'],
    };
    writeFileSync(file, JSON.stringify([entry]));
    registry = await testRegistry(undefined, { CLIENTS_FILE: file });
    config = await client.discovery(new URL(registry.config.issuerUri), 'meetings', secret, client.ClientSecretBasic(secret), {
      execute: [client.allowInsecureRequests],
    });
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const request = async (more: Record<string, string> = {}) => {
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const parameters = {
      redirect_uri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...more,
    };
    return { parameters, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } };
  };
  /** Signs Bill in on the way from the address to the callback. */
  const visit = async (url: URL) => {
    const browser = browserAt(registry.origin);
    const page = await browser.open(url.href);
    const back = await browser.send(page, { username: 'bill', password: 'demo-registry-bill' });
    return { browser, callback: new URL(back.url) };
  };

  test('reads the description and signs in: code, nonce, age of the sign-in, issuer in the answer', async () => {
    expect(config.serverMetadata()).toMatchObject({
      issuer: registry.config.issuerUri,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      backchannel_logout_session_supported: true,
      check_session_iframe: `${registry.config.issuerUri}/session/check`,
    });
    const { parameters, checks } = await request({ max_age: '60' });
    const { callback } = await visit(client.buildAuthorizationUrl(config, parameters));
    expect(callback.searchParams.get('iss')).toBe(registry.config.issuerUri);
    const tokens = await client.authorizationCodeGrant(config, callback, { ...checks, maxAge: 60, idTokenExpected: true });
    expect(tokens.claims()).toMatchObject({ sub: 'login-bill', aud: 'meetings', azp: 'meetings', amr: ['pwd'] });
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub);
    expect(userinfo).toMatchObject({ name: 'Bill Okonkwo', email: 'bill@example-au.example', email_verified: true });
  });

  test('an answer from another issuer is recognised (RFC 9207)', async () => {
    const { parameters, checks } = await request();
    const { callback } = await visit(client.buildAuthorizationUrl(config, parameters));
    callback.searchParams.set('iss', 'https://evil.example');
    await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toHaveProperty(
      'cause.message',
      expect.stringMatching(/"iss"/),
    );
  });

  test('a code used again is refused, and what it bought is withdrawn', async () => {
    const { parameters, checks } = await request();
    const { callback } = await visit(client.buildAuthorizationUrl(config, parameters));
    const tokens = await client.authorizationCodeGrant(config, callback, checks);
    await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(client.fetchUserInfo(config, tokens.access_token, 'login-bill')).rejects.toMatchObject({ status: 401 });
  });

  test('a code is worth nothing with another verifier', async () => {
    const { parameters, checks } = await request();
    const { callback } = await visit(client.buildAuthorizationUrl(config, parameters));
    const wrong = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await expect(client.authorizationCodeGrant(config, callback, wrong)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('tokens are refreshed for the same person and sign-in, and revoked', async () => {
    const { parameters, checks } = await request();
    const { callback } = await visit(client.buildAuthorizationUrl(config, parameters));
    const first = await client.authorizationCodeGrant(config, callback, checks);
    const second = await client.refreshTokenGrant(config, first.refresh_token!);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const { sub, auth_time, sid } = first.claims()!;
    expect(second.claims()).toMatchObject({ sub, auth_time, sid });
    await client.tokenRevocation(config, second.refresh_token!);
    await expect(client.refreshTokenGrant(config, second.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('a request is pushed first (RFC 9126)', async () => {
    const { parameters, checks } = await request();
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters);
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const { callback } = await visit(url);
    expect((await client.authorizationCodeGrant(config, callback, checks)).claims()).toMatchObject({ sub: 'login-bill' });
  });

  test('the person is logged out and led back', async () => {
    const { parameters, checks } = await request();
    const { browser, callback } = await visit(client.buildAuthorizationUrl(config, parameters));
    const tokens = await client.authorizationCodeGrant(config, callback, checks);
    const leave = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: 'http://localhost:9/',
      state: 'gone',
    });
    const page = await browser.open(leave.href);
    expect((await browser.send(page)).url).toBe('http://localhost:9/?state=gone');
    await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test.each<[string, Record<string, string>]>([
    ['another address to come back to', { redirect_uri: 'http://localhost:9/elsewhere' }],
    ['the portal’s address', { redirect_uri: 'http://localhost/auth-callback' }],
    ['an unknown client', { client_id: 'nobody' }],
  ])('a request with %s is answered here and leads nowhere', async (_what, wrong) => {
    const { parameters } = await request(wrong);
    const page = await browserAt(registry.origin).open(client.buildAuthorizationUrl(config, parameters).href);
    expect([page.status, new URL(page.url).origin]).toEqual([400, registry.origin]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['tokens in the address', { response_type: 'id_token' }, 'unsupported_response_type'],
  ])('a request with %s is refused', async (_what, wrong, error) => {
    const { parameters } = await request(wrong);
    const page = await browserAt(registry.origin).open(client.buildAuthorizationUrl(config, parameters).href);
    const answer = new URL(page.url);
    expect(new URLSearchParams(answer.search || answer.hash.slice(1)).get('error')).toBe(error);
  });
});
