import { mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acrOf, readConfig } from '../../../config.ts';
import type { Change } from '../../../platform/database/index.ts';
import { startWorker } from '../../../platform/worker.ts';
import { openClients } from './clients.ts';
import { otherSystems, notifyOtherSystem } from './other-systems.ts';
import { endOtherSessions, endSession, endSessions } from './sessions.ts';
import { testContext } from '../../../../test/context.ts';
import {
  browserAt,
  claimsOf,
  fetchCaller,
  kinds,
  type Page,
  testRegistry,
  type TestRegistry,
  type Tokens,
} from '../../../../test/sign-in-registry.ts';
import { otherSystemGrants } from './other-system-grants.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-clients-'));
let written = 0;
const fileOf = (content: unknown): string => {
  const file = path.join(folder, `${++written}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const secret = 'a-secret-of-the-voting-system-1234';
const voting = {
  client_id: 'voting',
  client_name: 'Voting system',
  client_secret: secret,
  redirect_uris: ['https://vote.registry.example/return'],
};

describe('a file of other systems', () => {
  const open = (content: unknown) =>
    openClients({
      appUrl: 'https://my.registry.example',
      logoutUrl: '/logout',
      clientId: 'portal',
      clientsFile: fileOf(content),
      idTokenAlgs: ['RS256', 'ES256'],
    });

  test('adds them beside the portal, with what they need and no more', () => {
    const clients = open([
      { ...voting, post_logout_redirect_uris: ['https://www.registry.example/'], backchannel_logout_uri: 'https://10.1.2.3/logout' },
      { client_id: 'meetings', client_name: 'Meetings', redirect_uris: ['http://127.0.0.1:4000/cb'], scopes: ['openid', 'email'] },
    ]);
    expect(clients.metadata).toMatchObject([
      { client_id: 'portal', token_endpoint_auth_method: 'none' },
      {
        client_id: 'voting',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code'],
        scope: 'openid profile email',
      },
      { client_id: 'meetings', token_endpoint_auth_method: 'none', scope: 'openid email' },
    ]);
    expect(clients.formTargets).toEqual([
      'https://my.registry.example',
      'https://vote.registry.example',
      'https://www.registry.example',
      'http://127.0.0.1:4000',
    ]);
    expect(clients.frameAncestors).not.toContain('https://www.registry.example');
    expect(clients.otherSystem('voting')).toBe('Voting system');
    expect(clients.otherSystem('portal')).toBeNull();
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '[{', 'cannot be read'],
    ['no list', { clients: [] }, 'must be a list of clients'],
    ['an entry that is no object', ['voting'], 'client number 1 must be an object'],
    ['no name', [{ ...voting, client_name: undefined }], 'client "voting": client_name must be the name people read'],
    ['an id with blanks', [{ ...voting, client_id: 'vo ting' }], 'client_id must be 1 to 64 letters'],
    ['a short secret', [{ ...voting, client_secret: 'short' }], 'client_secret must have at least 32 characters'],
    ['no address to come back to', [{ ...voting, redirect_uris: [] }], 'redirect_uris must name at least one address'],
    [
      'http on another machine',
      [{ ...voting, redirect_uris: ['http://vote.example/'] }],
      'redirect_uris.0 must be an address starting with https://',
    ],
    ['http that looks like this machine', [{ ...voting, redirect_uris: ['http://localhost.evil.example/'] }], 'redirect_uris.0 must be'],
    ['a fragment', [{ ...voting, redirect_uris: ['https://vote.example/#here'] }], 'without a fragment'],
    ['a pattern', [{ ...voting, redirect_uris: ['https://*.example/'] }], 'redirect_uris.0 must be'],
    ['a script', [{ ...voting, post_logout_redirect_uris: ['javascript:alert(1)'] }], 'post_logout_redirect_uris.0 must be'],
    ['log-out over http', [{ ...voting, backchannel_logout_uri: 'http://10.0.0.1/' }], 'backchannel_logout_uri must be'],
    ['an unknown entry', [{ ...voting, redirect_uri: 'https://vote.example/' }], 'has an unknown entry "redirect_uri"'],
    ['an unknown scope', [{ ...voting, scopes: ['openid', 'admin'] }], 'scopes.1 must be openid or profile or email'],
    ['no openid', [{ ...voting, scopes: ['email'] }], 'scopes must hold openid'],
    ['another flow', [{ ...voting, grant_types: ['implicit'] }], 'grant_types.0 must be authorization_code or refresh_token'],
    [
      'a way to use a secret and none',
      [{ ...voting, client_secret: undefined, token_endpoint_auth_method: 'client_secret_post' }],
      'needs a client_secret',
    ],
    ['one twice', [voting, voting], 'client "voting" is listed twice'],
    ['the portal', [{ ...voting, client_id: 'portal' }], 'is the portal itself'],
  ])('with %s is refused with a sentence that names it', (_what, content, words) => {
    expect(() => open(content)).toThrow(words);
  });

  test('that does not exist is refused, and a foreign provider allows none', () => {
    expect(() =>
      openClients({
        logoutUrl: '/logout',
        appUrl: 'https://my.registry.example',
        clientId: 'portal',
        clientsFile: '/nowhere/clients.json',
        idTokenAlgs: ['RS256', 'ES256'],
      }),
    ).toThrow(/^The file \/nowhere\/clients\.json of CLIENTS_FILE cannot be read: ENOENT/);
    expect(() => readConfig({ ISSUER_URI: 'https://id.example', CLIENTS_FILE: 'clients.json' })).toThrow('register them there');
  });
});

/** Starts a system that receives logout tokens and gives the chosen answer. */
async function system(answer: (response: http.ServerResponse) => void = response => response.end()) {
  const heard: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += String(chunk);
    });
    request.on('end', () => {
      heard.push(new URLSearchParams(body).get('logout_token') ?? body);
      answer(response);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    heard,
    client: (id: string, more: object = {}) => ({
      client_id: id,
      client_name: `The ${id} system`,
      client_secret: secret,
      redirect_uris: [`${origin}/auth-callback`],
      backchannel_logout_uri: `${origin}/logout`,
      ...more,
    }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
type System = Awaited<ReturnType<typeof system>>;

const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` });
const token = (origin: string, id: string, form: Record<string, string>) =>
  fetch(`${origin}/oidc/token`, { method: 'POST', headers: basic(id), body: new URLSearchParams(form) });

/** Continues to another system in the person's browser: already signed in, without a question. */
async function goOnTo(
  browser: ReturnType<typeof browserAt>,
  origin: string,
  id: string,
  at: string,
): Promise<Tokens & { refresh_token?: string }> {
  const started = await browser.authorize({ client_id: id, redirect_uri: `${at}/auth-callback` });
  const code = new URL(started.url).searchParams.get('code');
  if (!code) throw new Error(`${id}: ${started.status} ${started.url}`);
  const answer = await token(origin, id, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: `${at}/auth-callback`,
    code_verifier: started.verifier,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Tokens & { refresh_token?: string };
}

describe('another system', () => {
  let meetings: System;
  beforeAll(async () => {
    meetings = await system();
  });
  afterAll(() => meetings.close());
  const withMeetings = (more: object = {}) => testRegistry(undefined, { CLIENTS_FILE: fileOf([meetings.client('meetings', more)]) });

  test('signs people in with the same session, under a sid and an audience of its own that the API refuses', async () => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    const portal = claimsOf((await browser.signIn(registry, 'bill')).id_token);
    const { id_token, access_token } = await goOnTo(browser, registry.origin, 'meetings', meetings.origin);
    const claims = claimsOf(id_token);
    expect(claims).toMatchObject({ sub: 'login-bill', aud: 'meetings', azp: 'meetings', email: 'bill@example-au.example' });
    expect(claims.sid).not.toBe(portal.sid);
    expect(await fetchCaller(registry.origin, id_token)).toMatchObject({ status: 401 });
    expect(await fetchCaller(registry.origin, `${access_token}.a.b`)).toMatchObject({ status: 401 });
    // The portal's line exists once; the person was known when continuing.
    expect((await registry.actions()).filter(action => action === 'identity.signIn')).toHaveLength(1);
    const sessions = await registry.db.read.selectFrom('session').select('sid').execute();
    expect(sessions).toEqual([{ sid: portal.sid }]);
  });

  test('is listed with its last use beside the sessions, ended there without a trace, and notified', async () => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    await browser.signIn(registry, 'bill');
    const { access_token } = await goOnTo(browser, registry.origin, 'meetings', meetings.origin);
    const names = { otherSystem: (id: unknown) => (id === 'meetings' ? 'The meetings system' : null) };
    const { list, end } = otherSystemGrants(names);
    const mine = { loginId: 'login-bill', now: new Date() };
    expect(await list(registry.db.read, mine)).toMatchObject([
      { programId: 'system-meetings', label: 'The meetings system', lastUse: { at: expect.any(String) as string } },
    ]);
    const origin = { traceId: '0'.repeat(32), address: '192.0.2.1' };
    const ended = (loginId: string, programId: string) => end(registry.db, origin, { loginId, name: 'Bill', programId });
    expect([await ended('login-corin', 'system-meetings'), await ended('login-bill', 'system-other')]).toEqual([false, false]);
    expect(await ended('login-bill', 'system-meetings')).toBe(true);
    expect(await list(registry.db.read, mine)).toEqual([]);
    const userinfo = await fetch(`${registry.origin}/oidc/me`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(userinfo.status).toBe(401);
    const tasks = await registry.db.read.selectFrom('task').select('input').where('name', '=', 'identity.notifyOtherSystem').execute();
    expect(tasks).toMatchObject([{ input: { clientId: 'meetings', loginId: 'login-bill' } }]);
  });

  test('that a person signs in to first leaves a line that names it, and opens no session of the portal', async () => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize({ client_id: 'meetings', redirect_uri: `${meetings.origin}/auth-callback` });
    expect(started.headers.get('content-security-policy')).toContain(`form-action 'self' ${registry.origin} ${meetings.origin}`);
    const back = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    expect(new URL(back.url).origin).toBe(meetings.origin);
    const lines = await registry.db.read
      .selectFrom('activity')
      .select(['summary', 'details'])
      .where('action', '=', 'identity.signIn')
      .execute();
    expect(lines).toMatchObject([{ summary: 'Signed in to go on to The meetings system', details: { client: 'meetings' } }]);
    expect(await registry.db.read.selectFrom('session').select('sid').execute()).toEqual([]);
  });

  test('needs PKCE, its secret, its own addresses and its own scopes', async () => {
    await using registry = await withMeetings({ scopes: ['openid', 'email'] });
    const browser = browserAt(registry.origin);
    await browser.signIn(registry, 'bill');
    const ask = (more: Record<string, string>) =>
      browser.authorize({ client_id: 'meetings', redirect_uri: `${meetings.origin}/auth-callback`, scope: 'openid email', ...more });
    const errorOf = (page: { url: string }) => new URL(page.url).searchParams.get('error');
    expect(errorOf(await ask({ code_challenge_method: 'plain' }))).toBe('invalid_request');
    expect(errorOf(await ask({ scope: 'openid profile' }))).toBe('invalid_scope');
    for (const redirect_uri of [`${registry.origin}/auth-callback`, `${meetings.origin}/auth-callback/`, 'https://evil.example/']) {
      const refused = await ask({ redirect_uri });
      expect([refused.status, new URL(refused.url).pathname]).toEqual([400, '/oidc/auth']);
    }
    const started = await ask({});
    const form = {
      grant_type: 'authorization_code',
      code: new URL(started.url).searchParams.get('code')!,
      redirect_uri: `${meetings.origin}/auth-callback`,
      code_verifier: started.verifier,
    };
    const without = await fetch(`${registry.origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id: 'meetings' }),
    });
    expect(without.status).toBe(401);
    const wrong = await fetch(`${registry.origin}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`meetings:${'x'.repeat(32)}`).toString('base64')}` },
      body: new URLSearchParams(form),
    });
    expect(wrong.status).toBe(401);
    expect((await token(registry.origin, 'meetings', form)).status).toBe(200);
  });

  test('may ask from its own pages, and frame the page that reports another person; others may not', async () => {
    await using registry = await withMeetings();
    const check = await fetch(`${registry.origin}/oidc/session/check`);
    expect(check.headers.get('content-security-policy')).toContain(`frame-ancestors ${registry.origin} ${meetings.origin};`);
    const cors = async (origin: string) => {
      const answer = await fetch(`${registry.origin}/oidc/token`, {
        method: 'POST',
        headers: { ...basic('meetings'), origin },
        body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x', redirect_uri: 'x', code_verifier: 'x'.repeat(43) }),
      });
      return answer.headers.get('access-control-allow-origin');
    };
    expect(await cors(meetings.origin)).toBe(meetings.origin);
    expect(await cors(registry.origin)).toBeNull();
    expect(await cors('https://evil.example')).toBeNull();
  });

  test('is notified of a log-out even if others fail, are slow or redirect', async () => {
    const broken = await system(response => response.writeHead(500).end());
    const elsewhere = await system(response => response.writeHead(302, { location: `${meetings.origin}/stolen` }).end());
    const slow = await system(() => {});
    try {
      const file = fileOf([broken.client('broken'), elsewhere.client('elsewhere'), slow.client('slow'), meetings.client('meetings')]);
      await using registry = await testRegistry(undefined, { CLIENTS_FILE: file });
      const browser = browserAt(registry.origin);
      const portal = await browser.signIn(registry, 'bill');
      const sids: unknown[] = [];
      for (const [id, at] of Object.entries({ broken, elsewhere, slow, meetings }))
        sids.push(claimsOf((await goOnTo(browser, registry.origin, id, at.origin)).id_token).sid);
      const page = await browser.open(
        `/oidc/session/end?${new URLSearchParams({ id_token_hint: portal.id_token, client_id: 'portal' }).toString()}`,
      );
      meetings.heard.length = 0;
      const began = performance.now();
      await browser.send(page);
      // The slow one delays nothing.
      expect(performance.now() - began).toBeLessThan(2500);
      expect((await fetchCaller(registry.origin, portal.id_token)).status).toBe(401);
      expect(meetings.heard.map(claimsOf)).toMatchObject([{ aud: 'meetings', sub: 'login-bill', sid: sids[3] }]);
      expect([broken, elsewhere, slow].map(({ heard }) => heard.length)).toEqual([1, 1, 1]);
      expect((await browser.authorize({ prompt: 'none' })).url).toContain('login_required');
    } finally {
      for (const { close } of [broken, elsewhere, slow]) close();
    }
  });
});

describe('an identity token', () => {
  const algOf = (jwt: string) => decodeProtectedHeader(jwt).alg;

  test('of the portal is signed with ES256, of another system with the algorithm it asks for and otherwise RS256', async () => {
    const at = await system();
    try {
      const clients = [at.client('meetings'), at.client('voting', { id_token_signed_response_alg: 'ES256' })];
      await using registry = await testRegistry(undefined, { CLIENTS_FILE: fileOf(clients) });
      const keys = createRemoteJWKSet(new URL(`${registry.origin}/oidc/jwks`));
      const browser = browserAt(registry.origin);
      const portal = await browser.signIn(registry, 'bill');
      const [meetings, voting] = [
        await goOnTo(browser, registry.origin, 'meetings', at.origin),
        await goOnTo(browser, registry.origin, 'voting', at.origin),
      ];
      expect([portal, meetings, voting].map(({ id_token }) => algOf(id_token))).toEqual(['ES256', 'RS256', 'ES256']);
      for (const { id_token } of [portal, meetings, voting]) await jwtVerify(id_token, keys, { issuer: registry.config.issuerUri });
      expect((await fetchCaller(registry.origin, portal.id_token)).status).toBe(200);
      // Logout tokens use the same algorithm (OpenID Connect Back-Channel Logout 1.0, 2.4).
      const { tokenAlgOf } = testContext(registry).outside(otherSystems)!;
      expect(['meetings', 'voting'].map(tokenAlgOf)).toEqual(['RS256', 'ES256']);
      await browser.send(
        await browser.open(`/oidc/session/end?${new URLSearchParams({ id_token_hint: portal.id_token, client_id: 'portal' }).toString()}`),
      );
      expect(new Set(at.heard.map(algOf))).toEqual(new Set(['ES256', 'RS256']));
    } finally {
      at.close();
    }
  });

  test('of the portal is signed with RS256 where the operator allows no other', async () => {
    await using registry = await testRegistry(undefined, { ID_TOKEN_ALGS: 'RS256' });
    const { id_token } = await browserAt(registry.origin).signIn(registry, 'bill');
    expect(algOf(id_token)).toBe('RS256');
    expect((await fetchCaller(registry.origin, id_token)).status).toBe(200);
  });
});

describe('a session that is ended here', () => {
  const line = { action: 'test.sessions', summary: 'Ended sessions', traceId: 'c'.repeat(32) };
  const waiting = ({ db }: TestRegistry) =>
    db.read.selectFrom('task').select('input').where('name', '=', 'identity.notifyOtherSystem').orderBy('taskId').execute();
  /** Bill in a browser of his: in the portal, and from there in the system. */
  const bill = async (registry: TestRegistry, at: System) => {
    const browser = browserAt(registry.origin);
    const portal = claimsOf((await browser.signIn(registry, 'bill')).id_token);
    const there = claimsOf((await goOnTo(browser, registry.origin, 'meetings', at.origin)).id_token);
    return { browser, portal: portal.sid as string, there: there.sid as string };
  };

  test('is reported to the systems it was used with, in a logout token they can check', async () => {
    const meetings = await system();
    try {
      await using registry = await testRegistry(undefined, { CLIENTS_FILE: fileOf([meetings.client('meetings')]) });
      const { there } = await bill(registry, meetings);
      await registry.db.change(line, change => endSessions(change, 'login-bill', 'login frozen'));
      const runner = await startWorker(testContext(registry), { tasks: [notifyOtherSystem], schedule: [] });
      await expect.poll(() => meetings.heard.length, { timeout: 20_000, interval: 10 }).toBe(1);
      await runner.stop();
      const keys = createRemoteJWKSet(new URL(`${registry.origin}/oidc/jwks`));
      const options = { issuer: registry.config.issuerUri, audience: 'meetings', typ: 'logout+jwt', maxTokenAge: 120 };
      const { payload } = await jwtVerify(meetings.heard[0]!, keys, options);
      expect(payload).toMatchObject({
        sub: 'login-bill',
        sid: there,
        jti: expect.any(String),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      });
      expect(payload).not.toHaveProperty('nonce');
    } finally {
      meetings.close();
    }
  });

  test('among others is reported alone: the browser that stays signed in continues everywhere', async () => {
    const meetings = await system();
    try {
      await using registry = await testRegistry(undefined, { CLIENTS_FILE: fileOf([meetings.client('meetings')]) });
      const stays = await bill(registry, meetings);
      const goes = await bill(registry, meetings);
      await registry.db.change(line, change => endOtherSessions(change, 'login-bill', stays.portal, 'password changed'));
      expect(await waiting(registry)).toMatchObject([{ input: { clientId: 'meetings', loginId: 'login-bill', sid: goes.there } }]);
      await registry.db.change(line, change => endSession(change, stays.portal, 'ended by you'));
      expect(await waiting(registry)).toMatchObject([{ input: { sid: goes.there } }, { input: { sid: stays.there } }]);
    } finally {
      meetings.close();
    }
  });

  test('by logging out is reported by the provider, and only once', async () => {
    const meetings = await system();
    try {
      await using registry = await testRegistry(undefined, { CLIENTS_FILE: fileOf([meetings.client('meetings')]) });
      const { browser, there } = await bill(registry, meetings);
      await browser.send(await browser.open('/oidc/session/end'), { logout: 'yes' });
      expect(meetings.heard.map(claimsOf)).toMatchObject([{ sid: there }]);
      expect(await waiting(registry)).toEqual([]);
    } finally {
      meetings.close();
    }
  });

  test.each([
    ['answers with an error', 500, {}],
    ['sends it elsewhere', 302, { location: 'http://localhost:1/' }],
  ])('is reported again to a system that %s', async (_what, status, headers) => {
    const broken = await system(response => response.writeHead(status, headers).end());
    try {
      await using registry = await testRegistry(undefined, { CLIENTS_FILE: fileOf([broken.client('broken')]) });
      const input = { clientId: 'broken', loginId: 'login-bill', sid: 'x' };
      const telling = notifyOtherSystem.run({
        db: registry.db,
        taskId: 1,
        input,
        activity: line,
        context: testContext(registry),
        progress: async () => {},
      });
      await expect(telling).rejects.toThrow(`broken answered ${status}`);
      expect(broken.heard).toHaveLength(1);
    } finally {
      broken.close();
    }
  });
});

describe.each(kinds)('a refresh token on the %s database', kind => {
  const opened = async () => {
    const at = await system();
    const file = fileOf([at.client('voting', { grant_types: ['authorization_code', 'refresh_token'] })]);
    const registry = await testRegistry(kind, { CLIENTS_FILE: file });
    const browser = browserAt(registry.origin);
    await browser.signIn(registry, 'bill');
    const tokens = await goOnTo(browser, registry.origin, 'voting', at.origin);
    const refresh = (refresh_token: string) => token(registry.origin, 'voting', { grant_type: 'refresh_token', refresh_token });
    return { registry, browser, tokens, refresh, at: at.origin, close: at.close };
  };

  test('is given to a system that has the grant, and works once, also when used twenty times at the same time', async () => {
    const { registry, tokens, refresh, close } = await opened();
    await using _ = registry;
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(tokens.refresh_token!)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(400)]);
    close();
  });

  test.each([2, 20, 50])('that is used %i times concurrently yields no valid token, and leaves one line', async times => {
    const { registry, browser, refresh, at, close } = await opened();
    await using _ = registry;
    for (let round = 0; round < 3; round++) {
      const tokens = await goOnTo(browser, registry.origin, 'voting', at);
      const answers = await Promise.all(Array.from({ length: times }, () => refresh(tokens.refresh_token!)));
      const bought = answers.filter(({ status }) => status === 200);
      expect(bought.length).toBeLessThanOrEqual(1);
      for (const answer of bought) {
        const next = (await answer.json()) as { refresh_token: string; access_token: string };
        const userinfo = await fetch(`${registry.origin}/oidc/me`, { headers: { authorization: `Bearer ${next.access_token}` } });
        expect([userinfo.status, (await refresh(next.refresh_token)).status], `round ${round}`).toEqual([401, 400]);
      }
      const lines = (await registry.actions()).filter(action => action === 'identity.codeReused');
      expect(lines).toHaveLength(round + 1);
    }
    close();
  });

  test('that is used twice ends everything obtained with it, and leaves a line', async () => {
    const { registry, tokens, refresh, close } = await opened();
    await using _ = registry;
    const next = (await (await refresh(tokens.refresh_token!)).json()) as { refresh_token: string; access_token: string };
    const userinfo = () => fetch(`${registry.origin}/oidc/me`, { headers: { authorization: `Bearer ${next.access_token}` } });
    expect((await userinfo()).status).toBe(200);
    expect((await refresh(tokens.refresh_token!)).status).toBe(400);
    expect((await refresh(next.refresh_token)).status).toBe(400);
    expect((await userinfo()).status).toBe(401);
    expect(await registry.actions()).toContain('identity.codeReused');
    close();
  });

  test('ends with the session', async () => {
    const { registry, browser, tokens, refresh, close } = await opened();
    await using _ = registry;
    const page = await browser.open('/oidc/session/end');
    await browser.send(page, { logout: 'yes' });
    expect((await refresh(tokens.refresh_token!)).status).toBe(400);
    close();
  });
});

describe.runIf(kinds.includes('postgres'))('a request under way while sessions are ended', () => {
  const line = { action: 'test.sessions', summary: 'Ended sessions', traceId: 'c'.repeat(32) };

  /**
   * Sends a request, ends sessions when the provider has read what it needs and is about to write, and returns the result. @param lock statement that
   * blocks the write
   */
  const meanwhile = async (
    { db }: TestRegistry,
    send: () => Promise<Page>,
    end: (change: Change) => Promise<void>,
    lock = sql`lock table oidc_payload in share mode`,
  ): Promise<Page> => {
    let sent: Promise<Page>;
    await db.change(line, async change => {
      await lock.execute(change);
      sent = send();
      const isHeld = async () => {
        const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return (await db.read.rows(waiting))[0]!.n > 0;
      };
      await expect.poll(isHeld, { timeout: 10_000, interval: 5 }).toBe(true);
      await end(change);
    });
    return sent!;
  };
  const left = async ({ db }: TestRegistry, loginId = 'login-bill') => ({
    open: await db.read.selectFrom('session').select('sid').where('endedAt', 'is', null).execute(),
    given: await db.read.selectFrom('oidcPayload').select('model').where('accountId', '=', loginId).execute(),
  });
  const none = { open: [], given: [] };
  /** A person who proves Bill's password and continues. */
  const shown = async ({ origin }: TestRegistry, more: Record<string, string> = {}) => {
    const browser = browserAt(origin);
    const page = await browser.authorize(more);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)![1]!;
    const body = new URLSearchParams({ csrf, username: 'bill', password: 'demo-registry-bill' });
    return { browser, send: () => browser.open(`${page.url}/password`, { method: 'POST', body }) };
  };

  let meetings: System;
  beforeAll(async () => {
    meetings = await system();
  });
  afterAll(() => meetings.close());
  const withMeetings = () =>
    testRegistry('postgres', { CLIENTS_FILE: fileOf([meetings.client('meetings')]), REQUIRE_MFA: 'off' }, async () => false);
  const toMeetings = () => ({ client_id: 'meetings', redirect_uri: `${meetings.origin}/auth-callback` });
  const endAll = (change: Change) => endSessions(change, 'login-bill', 'password reset');

  test.each([
    ['the portal', () => ({})],
    ['another system', toMeetings],
  ])('to sign in to %s is refused: the sign-in starts again', async (_where, to) => {
    await using registry = await withMeetings();
    const { browser, send } = await shown(registry, to());
    const page = await meanwhile(registry, send, endAll);
    expect(page.text).toContain('<h1>Log in</h1>');
    expect(await left(registry)).toEqual(none);
    expect(await registry.actions()).not.toContain('identity.signIn');
    // The original request is still required.
    const done = await browser.send(page, { username: 'bill', password: 'demo-registry-bill' });
    expect(done.url).toMatch(/\/auth-callback\?code=/);
    expect(new URL(done.url).origin).toBe(to === toMeetings ? meetings.origin : registry.origin);
  });

  test('in an open session reaches no other system, and doesn’t reopen the session', async () => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    await browser.signIn(registry, 'bill');
    const page = await meanwhile(registry, () => browser.authorize(toMeetings()), endAll);
    expect(page.text).toContain('<h1>Log in</h1>');
    expect(await left(registry)).toEqual(none);
    for (const more of [{}, toMeetings()])
      expect((await browser.authorize({ ...more, prompt: 'none' })).url).toContain('error=login_required');
  });

  test('to renew tokens gets none, and is asked to sign in', async () => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    await browser.signIn(registry, 'bill');
    expect((await meanwhile(registry, () => browser.authorize({ prompt: 'none' }), endAll)).url).toContain('error=login_required');
    expect(await left(registry)).toEqual(none);
  });

  test.each([
    ['the portal', () => ({})],
    ['another system', toMeetings],
  ])('to show a second factor to %s doesn’t reopen a session that was ended on its own', async (_where, to) => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    const sid = claimsOf((await browser.signIn(registry, 'corin')).id_token).sid as string;
    const code = await browser.authorize({ ...to(), acr_values: acrOf('mfa') });
    expect(code.text).toContain('Enter your code');
    const csrf = /name="csrf" value="([^"]+)"/.exec(code.text)![1]!;
    const page = await meanwhile(
      registry,
      () => browser.open(code.url, { method: 'POST', body: new URLSearchParams({ csrf, code: registry.codeOf('corin') }) }),
      change => endSession(change, sid, 'ended by you'),
      // The code is proven before the session is written.
      sql`select from oidc_payload where model = 'Session' for update`,
    );
    expect(page.text).toContain('<h1>Log in</h1>');
    expect((await left(registry, 'login-corin')).open).toEqual([]);
    for (const more of [{}, toMeetings()])
      expect((await browser.authorize({ ...more, prompt: 'none' })).url).toContain('error=login_required');
  });

  test('in the session that stays continues', async () => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    const sid = claimsOf((await browser.signIn(registry, 'bill')).id_token).sid as string;
    const page = await meanwhile(
      registry,
      () => browser.authorize(toMeetings()),
      change => endOtherSessions(change, 'login-bill', sid, 'password changed'),
    );
    expect(page.url).toContain(`${meetings.origin}/auth-callback?code=`);
    expect((await left(registry)).open).toEqual([{ sid }]);
  });

  test('between password and code starts again with the password', async () => {
    await using registry = await withMeetings();
    const browser = browserAt(registry.origin);
    const code = await browser.send(await browser.authorize({ acr_values: acrOf('mfa') }), {
      username: 'corin',
      password: 'demo-registry-corin',
    });
    expect(code.text).toContain('Enter your code');
    await registry.db.change(line, change => endSessions(change, 'login-corin', 'ended by you'));
    const page = await browser.send(code, { code: registry.codeOf('corin') });
    expect([page.text.includes('<h1>Log in</h1>'), page.url]).toEqual([true, code.url.replace(/\/code$/, '')]);
  });
});
