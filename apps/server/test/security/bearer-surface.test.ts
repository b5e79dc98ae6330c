import { createHmac } from 'node:crypto';
import { allEndpoints } from '@portal/contract/api';
import { exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disableLogin, endSessions, findLogin } from '../../src/modules/identity/index.ts';
import { signingKeys } from '../../src/modules/identity/sessions/signing-keys.ts';
import { openSecretBox } from '../../src/platform/secret-box.ts';
import { pathFor, type Route, servedPortal, type ServedPortal } from '../processes/served-portal.ts';

/** Routes below /api outside the contract, and who may call them. */
const others: Record<string, 'anyone' | 'signed-in'> = {
  '/api/openapi.json': 'anyone',
  '/api/session-events': 'signed-in',
  // What is read together is admitted one by one.
  '/api/reads': 'anyone',
};

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

/** Every bearer that must be refused (S13), and every route found in the router, rather than in a list. */
describe('no route of the API lets in', () => {
  let portal: ServedPortal;
  let guarded: Route[];
  let open: Route[];
  let good: JWTPayload;
  let goodToken: string;
  let publicKey: string;
  let sign: (claims: JWTPayload, header?: Record<string, unknown>) => Promise<string>;

  beforeAll(async () => {
    portal = await servedPortal({}, () => {}, 'embedded');
    const api = portal.routes.filter(({ url }) => url.startsWith('/api/'));
    const isOpen = ({ method, url }: Route): boolean => {
      const endpoint = allEndpoints.find(one => one.path === url && (one.method === method || (one.method === 'GET' && method === 'HEAD')));
      const who = endpoint?.access.who ?? others[url];
      if (who === undefined) throw new Error(`${method} ${url} is neither in the contract nor listed above.`);
      return who === 'anyone';
    };
    open = api.filter(isOpen);
    guarded = api.filter(route => !isOpen(route));
    goodToken = await portal.tokenOf('corin');
    good = JSON.parse(Buffer.from(goodToken.split('.')[1]!, 'base64url').toString()) as JWTPayload;
    const key = (await signingKeys(portal.db.read, openSecretBox(portal.config))).find(({ alg }) => alg === 'RS256')!;
    const secret = await importJWK(key.privateJwk, 'RS256');
    publicKey = await exportSPKI((await importJWK({ ...key.publicJwk, ext: true }, 'RS256', { extractable: true })) as never);
    sign = (claims, header) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT', ...header }).sign(secret);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const ask = ({ method, url }: Route, authorization: string | undefined) =>
    portal.ask(pathFor(url), {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(method !== 'GET' && method !== 'HEAD' && { 'content-type': 'application/json' }),
      },
      ...(method !== 'GET' && method !== 'HEAD' && { body: '{}' }),
    });

  /** Routes that do not answer the bearer with 401, a named error and a challenge. */
  async function letIn(authorization: string | undefined, code = 'NOT_SIGNED_IN', routes: readonly Route[] = guarded): Promise<string[]> {
    const wrong: string[] = [];
    for (const route of routes) {
      const { status, headers, body } = await ask(route, authorization);
      const named = route.method === 'HEAD' || (JSON.parse(body) as { errors?: { code: string }[] }).errors?.[0]?.code === code;
      if (status !== 401 || !named || !headers['www-authenticate']?.startsWith('Bearer'))
        wrong.push(`${route.method} ${route.url}: ${status} ${String(headers['www-authenticate'])} ${body}`);
    }
    return wrong;
  }

  /**
   * A share of the routes, another one for the bearer after it: each route is asked with several forgeries, and each forgery of a hundred routes. Bearers are judged
   * by one function before the route is looked at; that each route asks it is shown with no bearer, with a forged one, and with one whose session is over.
   */
  const SHARES = 6;
  const shareFor = (bearer: number): Route[] => guarded.filter((_, place) => place % SHARES === bearer % SHARES);

  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const other =
    (alg: 'RS256' | 'ES256', header: Record<string, unknown> = {}) =>
    async (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign((await generateKeyPair(alg)).privateKey);
  const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string };

  const forgeries: [string, (claims: JWTPayload) => Promise<string> | string][] = [
    ['alg none', claims => new UnsecuredJWT(claims).encode()],
    ['alg none and a signature', claims => `${new UnsecuredJWT(claims).encode()}c2lnbmVk`],
    ['HS256 with the public key as secret', claims => hs256(claims, publicKey)],
    [
      'an algorithm that is not listed',
      async claims => (await sign(claims)).replace(/^[^.]+/, part({ alg: 'RS512', kid: headerOf(goodToken).kid })),
    ],
    ['a key nobody knows', other('RS256', { kid: 'nobody' })],
    ['no key named, signed by another', other('RS256')],
    ['a key of its own in the header', async claims => other('ES256', { jwk: { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' } })(claims)],
    ['another key under a known name', claims => other('RS256', { kid: headerOf(goodToken).kid })(claims)],
    ['a changed payload', claims => goodToken.replace(/\.[^.]+\./, `.${part({ ...claims, sub: 'somebody' })}.`)],
    ['a cut signature', () => goodToken.slice(0, -20)],
    ['another issuer', claims => sign({ ...claims, iss: 'https://other.example/oidc' })],
    ['another audience: the chat’s', claims => sign({ ...claims, aud: 'chat' })],
    ['no audience', claims => sign({ ...claims, aud: undefined })],
    ['another authorized party', claims => sign({ ...claims, azp: 'chat' })],
    ['several audiences and no authorized party', claims => sign({ ...claims, aud: ['portal', 'chat'], azp: undefined })],
    ['its time over', claims => sign({ ...claims, exp: now - 10 })],
    ['its time not come', claims => sign({ ...claims, nbf: now + 3600 })],
    ['an issue time in the future', claims => sign({ ...claims, iat: now + 3600 })],
    ['no expiry', claims => sign({ ...claims, exp: undefined })],
    ['no subject', claims => sign({ ...claims, sub: undefined })],
    ['a subject nobody has', claims => sign({ ...claims, sub: 'nobody' })],
    ['the type of a logout token', claims => sign({ ...claims, events }, { typ: 'logout+jwt' })],
    ['the events of a logout token', claims => sign({ ...claims, events })],
    ['the type of an access token', claims => sign(claims, { typ: 'at+jwt' })],
    ['two parts', () => goodToken.split('.').slice(0, 2).join('.')],
    ['four parts', () => `${goodToken}.x`],
  ];
  test.each(forgeries.map(([wrong, make], place) => ({ wrong, make, place })))('a bearer with $wrong', async ({ make, place }) => {
    expect(await letIn(`Bearer ${await make(good)}`, undefined, shareFor(place))).toEqual([]);
  });

  test('a changed payload, on any route', async () => {
    expect(await letIn(`Bearer ${goodToken.replace(/\.[^.]+\./, `.${part({ ...good, sub: 'somebody' })}.`)}`)).toEqual([]);
  });

  test('no header', async () => {
    expect(await letIn(undefined)).toEqual([]);
  });

  const headers = [
    '',
    'Bearer',
    'Bearer ',
    'Basic Y29yaW46eA==',
    'bearer a.b.c',
    'Bearer a.b.c d',
    'Bearer ..',
    `Bearer ${'a'.repeat(43)}`,
  ];
  test.each(headers.map((header, place) => ({ header, place })))('the header $header', async ({ header, place }) => {
    expect(await letIn(header, undefined, shareFor(place))).toEqual([]);
  });

  test('a good token anywhere but in the header: no cookie and no parameter is read', async () => {
    const cookie = `id_token=${goodToken}; access_token=${goodToken}; op_session=${goodToken}`;
    for (const { method, url } of guarded) {
      const answer = await portal.ask(`${pathFor(url)}?access_token=${goodToken}&id_token=${goodToken}`, {
        method,
        headers: { cookie, ...(method !== 'GET' && method !== 'HEAD' && { 'content-type': 'application/json' }) },
        ...(method !== 'GET' && method !== 'HEAD' && { body: '{}' }),
      });
      expect([method, url, answer.status]).toEqual([method, url, 401]);
    }
  });

  test('the bearer of a session that was ended, or of a login that was disabled', async () => {
    const [ended, disabled] = [await portal.tokenOf('tess'), await portal.tokenOf('bill')];
    const [tess, bill] = [(await findLogin(portal.db.read, 'tess'))!, (await findLogin(portal.db.read, 'bill'))!];
    await portal.db.change(line, change => endSessions(change, tess.loginId, 'test'));
    await portal.db.change(line, change => disableLogin(change, bill.loginId));
    const me = (token: string) => portal.ask('/api/me', { headers: { authorization: `Bearer ${token}` } });
    await expect.poll(async () => (await me(ended)).status, { timeout: 1000, interval: 5 }).toBe(401);
    await expect.poll(async () => (await me(disabled)).status, { timeout: 1000, interval: 5 }).toBe(401);
    expect(await letIn(`Bearer ${ended}`, 'SESSION_ENDED')).toEqual([]);
    const statuses = await Promise.all(guarded.map(async route => (await ask(route, `Bearer ${disabled}`)).status));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  test('no route refuses a valid bearer as invalid, and public routes ignore bearers', async () => {
    expect(guarded.length).toBeGreaterThan(25);
    for (const route of guarded) expect([route.method, route.url, (await ask(route, `Bearer ${goodToken}`)).status]).not.toContain(401);
    const answers = await Promise.all(open.map(async route => [`${route.method} ${route.url}`, (await ask(route, 'Bearer a.b.c')).status]));
    // Votes are counted for those who send ballots, reads are named, and trackers are of an election: these hold none, and are refused by that check, not by their bearer.
    expect(Object.fromEntries(answers.filter(([, status]) => status !== 200))).toEqual({
      'GET /api/elections/:electionId/trackers': 404,
      'GET /api/reads': 400,
      'HEAD /api/elections/:electionId/trackers': 404,
      'POST /api/voting-system/votes': 400,
    });
  });
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function hs256(claims: JWTPayload, secret: string): string {
  const parts = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${parts}.${createHmac('sha256', secret).update(parts).digest('base64url')}`;
}
