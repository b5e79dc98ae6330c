import { expect, it } from 'vitest';
import { anEnvironment } from '../../test/member.tsx';
import { renewalMismatch, settingsOf, watchesSession } from './portal-user-manager.ts';

const profile = { sub: 's1', iss: 'i', aud: 'portal', exp: 2, iat: 1, azp: 'portal', auth_time: 100 };

it.each([
  ['/logout', 'http://localhost:3000/'],
  ['https://www.example.net/goodbye', 'https://www.example.net/goodbye'],
])('with the logout address %s the provider leads back to %s', (logoutUrl, address) => {
  expect(settingsOf(anEnvironment({ logoutUrl })).post_logout_redirect_uri).toBe(address);
});

it('takes its constants from the specification', () => {
  expect(settingsOf(anEnvironment())).toMatchObject({
    scope: 'openid profile email',
    redirect_uri: 'http://localhost:3000/auth-callback',
    silent_redirect_uri: 'http://localhost:3000/silent-renew-oidc.html',
    response_type: 'code',
    response_mode: 'fragment',
    silentRequestTimeoutInSeconds: 10,
    checkSessionIntervalInSeconds: 2,
    staleStateAgeInSeconds: 900,
    accessTokenExpiringNotificationTimeInSeconds: 60,
    includeIdTokenInSilentRenew: false,
    popupWindowFeatures: { height: 640 },
  });
});

it('another provider answers in the query, as most do', () => {
  expect(settingsOf(anEnvironment({ issuerUri: 'https://id.example.net' })).response_mode).toBe('query');
});

it('refresh tokens are requested only where they are used', () => {
  const scope = (renewMode: 'iframe' | 'refresh-token', scopes: string) => settingsOf(anEnvironment({ renewMode, scopes })).scope;
  expect(scope('iframe', 'openid,profile,email')).toBe('openid profile email');
  expect(scope('iframe', 'openid,offline_access,email')).toBe('openid email');
  expect(scope('refresh-token', 'openid,email')).toBe('openid email offline_access');
  expect(scope('refresh-token', 'openid,offline_access,email')).toBe('openid email offline_access');
});

it('keeps the claims about the method of sign-in', () => {
  const filtered = settingsOf(anEnvironment()).filterProtocolClaims as string[];
  for (const claim of ['amr', 'acr', 'auth_time', 'azp']) expect(filtered).not.toContain(claim);
});

it.each([
  ['same origin', 'auto', 'http://localhost:3000/oidc', 'http://localhost:3000', true],
  ['same site, other host', 'auto', 'https://id.example.net', 'https://my.example.net', true],
  ['another site', 'auto', 'https://id.example.org', 'https://my.example.net', false],
  ['another scheme', 'auto', 'http://id.example.net', 'https://my.example.net', false],
  ['another address', 'auto', 'http://192.0.2.1/oidc', 'http://192.0.2.2', false],
  ['switched off', 'off', 'http://localhost:3000/oidc', 'http://localhost:3000', false],
  ['switched on', 'on', 'https://id.example.org', 'https://my.example.net', true],
] as const)('the provider’s session is watched on the same site only: %s', (_, monitorSession, issuerUri, appUrl, watched) => {
  expect(watchesSession({ monitorSession, issuerUri, appUrl })).toBe(watched);
});

it.each([
  ['the same session', {}, null],
  ['a step-up in another tab made it newer', { auth_time: 200 }, null],
  ['another subject', { sub: 's2' }, 'subject'],
  ['another azp', { azp: 'other' }, 'azp'],
  ['an older sign-in', { auth_time: 50 }, 'auth_time'],
  ['no auth_time any more', { auth_time: undefined }, 'auth_time'],
])('a renewal is compared with the sign-in: %s', (_, change, refused) => {
  const mismatch = renewalMismatch(profile as never, { ...profile, ...change } as never);
  if (refused) expect(mismatch).toContain(refused);
  else expect(mismatch).toBeNull();
});
