import { expect, test } from 'vitest';
import { browserAt, testRegistry } from '../../../../test/sign-in-registry.ts';
import { openSignInStarts, TooManyStarts } from './sign-in-starts.ts';

const limited = { SIGN_IN_STARTS: '3', BEHIND_PROXY: 'yes' };
const [here, elsewhere] = ['198.51.100.7', '198.51.100.8'];

test('sign-ins begun from one address are limited: a page says when to try again, and no row is written', async () => {
  await using registry = await testRegistry(undefined, limited);
  const begin = (address: string) => browserAt(registry.origin, { address }).authorize();
  for (let i = 0; i < 3; i++) expect((await begin(here)).status).toBe(200);
  const refused = await begin(here);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
  expect(refused.text).toMatch(/<h1>Too many log-ins from your network<\/h1>[\s\S]*Wait (a minute|\d+ minutes), then try again\./);
  expect(refused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect((await begin(elsewhere)).status).toBe(200);
  const rows = await registry.db.read.selectFrom('oidcPayload').select('id').where('model', '=', 'Interaction').execute();
  expect(rows).toHaveLength(4);
  registry.later(15 * 60);
  expect((await begin(here)).status).toBe(200);
});

test('a signed-in person can renew and continue where no more sign-ins can begin', async () => {
  await using registry = await testRegistry(undefined, limited);
  const browser = browserAt(registry.origin, { address: here });
  await browser.signIn(registry, 'bill');
  for (let i = 0; i < 3; i++) await browserAt(registry.origin, { address: here }).authorize();
  expect((await browserAt(registry.origin, { address: here }).authorize()).status).toBe(429);
  const renewed = new URL((await browser.authorize({ prompt: 'none' })).url);
  expect([renewed.searchParams.get('error'), renewed.searchParams.has('code')]).toEqual([null, true]);
  // Without a session the portal learns it, and no sign-in begins.
  const nobody = new URL((await browserAt(registry.origin, { address: here }).authorize({ prompt: 'none' })).url);
  expect(nobody.searchParams.get('error')).toBe('login_required');
});

test('requests that are pushed ahead count as well', async () => {
  await using registry = await testRegistry(undefined, limited);
  const push = () =>
    fetch(`${registry.origin}/oidc/request`, {
      method: 'POST',
      headers: { 'x-forwarded-for': here },
      body: new URLSearchParams({
        client_id: 'portal',
        response_type: 'code',
        scope: 'openid',
        redirect_uri: `${registry.origin}/auth-callback`,
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      }),
    });
  for (let i = 0; i < 3; i++) expect((await push()).status).toBe(201);
  const refused = await push();
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
});

test('an IPv6 network of one customer counts as one address, and 0 is no limit', () => {
  const starts = openSignInStarts(2, () => new Date(0));
  starts.begin('2001:db8::1');
  starts.begin('2001:db8:0:0:ffff::2');
  expect(() => starts.begin('2001:db8::3')).toThrow(TooManyStarts);
  starts.begin('2001:db8:0:1::1');
  const free = openSignInStarts(0, () => new Date(0));
  for (let i = 0; i < 5000; i++) free.begin(here);
});
