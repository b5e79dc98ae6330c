import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { anEnvironment } from '../../test/member.tsx';
import { PortalUserManager } from './portal-user-manager.ts';
import { aKeyPair, claimsOf, htmlPage, json, neverAnswered, providerDouble, signed, unsigned } from '../../test/provider-double.ts';

/** Requirements of the specification that the library omits or handles differently, tested on the library itself, with a provider behind `fetch`. */
const own = anEnvironment({ monitorSession: 'off' });
const foreign = anEnvironment({ monitorSession: 'off', issuerUri: 'https://id.example.net' });
const refreshing = anEnvironment({ monitorSession: 'off', renewMode: 'refresh-token' });

const opened: PortalUserManager[] = [];
function open(environment = own, changes = {}) {
  const provider = providerDouble(environment);
  const manager = provider.serve(new PortalUserManager(environment, { automaticSilentRenew: false, ...changes }));
  opened.push(manager);
  return { provider, manager };
}
const stored = () => Object.keys(sessionStorage).filter(key => key.startsWith('oidc.user'));

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  for (const manager of opened.splice(0)) manager.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('signs in by code with PKCE (S256), a nonce and a state, and stores the person in this tab only', async () => {
  const { provider, manager } = open();
  const user = await provider.signIn(manager);
  expect(user.profile).toMatchObject({ sub: 's1', azp: 'portal', auth_time: 1000 });
  const asked = Object.fromEntries(provider.sentTo[0]!.searchParams);
  expect(asked).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    response_mode: 'fragment',
    scope: 'openid profile email',
  });
  expect(asked['nonce']).toMatch(/^[0-9a-f]{32}$/);
  expect(provider.tokenRequests[0]!.get('code_verifier')).toMatch(/^[\w-]{43,}/);
  expect(stored()).toHaveLength(1);
  expect(Object.keys(localStorage)).toEqual([]);
});

it('no other flow than the authorization code is started', async () => {
  const { manager } = open();
  await expect(manager.signinRedirect({ response_type: 'id_token' } as never)).rejects.toThrow('Only the Authorization Code flow');
});

type Double = ReturnType<typeof providerDouble>;
const stranger = await aKeyPair();

it.each<[string, (provider: Double) => unknown, string]>([
  ['a state nobody stored', p => (p.answerTo = a => (p.sentTo.push(withState(a, 'x')), '')), 'No matching state found in storage'],
  ['an error answer', p => (p.error = 'access_denied'), 'access_denied'],
  ['no identity token', p => (p.tokenAnswer = { id_token: undefined, scope: 'profile' }), 'without an identity token or subject'],
  ['a token of two parts', p => (p.tokenAnswer = { id_token: 'e30.eyJzdWIiOiJzMSJ9' }), ''],
  ['no subject', p => (p.claims = { sub: undefined }), 'ID Token is missing a subject claim'],
  ['another nonce', p => (p.claims = { nonce: 'x' }), 'nonce in id_token does not match'],
  ['another issuer', p => (p.claims = { iss: 'https://id.example.org' }), 'issued by another provider'],
  ['another audience', p => (p.claims = { aud: 'other' }), 'meant for another client'],
  ['another azp', p => (p.claims = { azp: 'other' }), 'azp names another client'],
  ['several audiences and no azp', p => (p.claims = { aud: ['portal', 'other'], azp: undefined }), 'azp names another client'],
  ['a token that ended long ago', p => (p.claims = { iat: 1000, exp: 2000 }), 'expired on arrival'],
  [
    'a token without signature',
    p => (p.token = async () => p.tokens({ id_token: unsigned(await p.identityToken(), 'none') })),
    'not signed with a key',
  ],
  [
    'a token signed with a secret',
    p => (p.token = async () => p.tokens({ id_token: unsigned(await p.identityToken(), 'HS256') })),
    'not signed with a key',
  ],
  [
    'a signature of somebody else',
    p => (p.token = async () => p.tokens({ id_token: await signed(claimsOf(await p.identityToken()), stranger) })),
    'signature is not',
  ],
  [
    'a key the provider does not have',
    p => (p.token = async () => p.tokens({ id_token: await p.identityToken({}, { kid: 'k9' }) })),
    'signature is not',
  ],
  ['a page in place of the token', p => (p.token = () => htmlPage(503)), 'Invalid response Content-Type'],
  ['a used code', p => (p.token = () => json({ error: 'invalid_grant' }, { status: 400 })), 'invalid_grant'],
  [
    'a nonce challenge',
    p => (p.token = () => json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'dpop-nonce': 'n' } })),
    'use_dpop_nonce',
  ],
])('a sign-in with %s fails and stores no one', async (_, spoil, message) => {
  const { provider, manager } = open();
  spoil(provider);
  await expect(provider.signIn(manager)).rejects.toThrow(message);
  expect(stored()).toEqual([]);
});

const withState = (address: string, state: string): URL => {
  const url = new URL(address);
  url.searchParams.set('state', state);
  return url;
};
it('authority and client must be those the sign-in was started with', async () => {
  for (const changed of [{ issuerUri: 'http://localhost:3000/other' }, { clientId: 'other' }]) {
    const { provider, manager } = open();
    await manager.signinRedirect();
    const asked = provider.sentTo.at(-1)!;
    const later = open(anEnvironment({ monitorSession: 'off', ...changed }));
    await expect(
      later.manager.signinRedirectCallback(`http://localhost:3000/auth-callback?code=c1&state=${asked.searchParams.get('state')}`),
    ).rejects.toThrow('mismatch on settings vs. signin state');
    expect(stored()).toEqual([]);
  }
});

it('a provider whose metadata names another issuer gets no requests', async () => {
  const { provider, manager } = open(foreign);
  provider.metadata = { issuer: 'https://id.example.org' };
  await expect(manager.signinRedirect()).rejects.toThrow('issuer of the provider does not match');
  expect(provider.sentTo).toEqual([]);
});

it('the person of the userinfo endpoint must be that of the identity token; our own provider is not asked for it', async () => {
  const other = open(foreign);
  other.provider.userinfo = { sub: 's2' };
  await expect(other.provider.signIn(other.manager)).rejects.toThrow('subject from UserInfo response does not match subject in ID Token');
  expect(stored()).toEqual([]);
  other.provider.userinfo = { sub: 's1', preferred_username: 'petra' };
  expect((await other.provider.signIn(other.manager)).profile).toMatchObject({ preferred_username: 'petra' });

  sessionStorage.clear();
  const ours = open();
  ours.provider.userinfo = { sub: 's2' };
  await expect(ours.provider.signIn(ours.manager)).resolves.toBeDefined();
});

it('a device whose clock is wrong signs in, and its session lives as long as the token', async () => {
  const { provider, manager } = open();
  provider.claims = { iat: 5000, exp: 5600 };
  const ask = provider.fetch.bind(provider);
  // The registry's clock says the same as the provider's.
  provider.fetch = async (input, init) =>
    input.endsWith('/env.json') ? new Response(null, { headers: { date: new Date(5_100_000).toUTCString() } }) : ask(input, init);
  const user = await provider.signIn(manager);
  expect(user.expires_in).toBeGreaterThan(590);
});

it('a session ends with the identity token when that ends before the access token', async () => {
  const { provider, manager } = open();
  provider.tokenAnswer = { expires_in: 3600 };
  const user = await provider.signIn(manager);
  expect(user.expires_in).toBeGreaterThan(590);
  expect(user.expires_in).toBeLessThanOrEqual(600);
});

it('sign-in requests older than fifteen minutes are cleared, other keys of the site are not', async () => {
  const { manager } = open();
  const request = (age: number) => JSON.stringify({ id: 'x', created: Math.floor(Date.now() / 1000) - age });
  localStorage.setItem('oidc.old', request(901));
  localStorage.setItem('oidc.new', request(890));
  localStorage.setItem('selected-account:tess', 'EXAMPLE-AU');
  await manager.clearStaleState();
  expect(Object.keys(localStorage).toSorted()).toEqual(['oidc.new', 'selected-account:tess']);
});

it('a popup is 640 high, is polled every 500 ms, and closing it is an error', async () => {
  const popup = { closed: false, focus: () => undefined, location: { replace: () => undefined }, close: () => undefined };
  const openWindow = vi.spyOn(window, 'open').mockReturnValue(popup as never);
  providerDouble(own);
  const manager = new PortalUserManager(own, { automaticSilentRenew: false });
  opened.push(manager);
  await manager.metadataService.getMetadata();
  const navigating = vi.fn();
  popup.location.replace = navigating;
  const signIn = manager.signinPopup({ popupAbortOnClose: true });
  const outcome = signIn.then(
    () => 'signed in',
    (error: Error) => error.message,
  );
  await vi.waitFor(() => expect(navigating).toHaveBeenCalled());
  expect(openWindow.mock.calls[0]![2]).toContain('height=640');
  popup.closed = true;
  const began = performance.now();
  expect(await outcome).toBe('Popup closed by user');
  expect(performance.now() - began).toBeLessThan(600);
});

it('with DPoP switched on, a nonce challenge is answered once with the nonce', async () => {
  const keys = new Map<string, unknown>();
  const store = {
    get: async (key: string) => keys.get(key),
    set: async (key: string, value: unknown) => void keys.set(key, value),
    remove: async (key: string) => keys.delete(key),
    getAllKeys: async () => [...keys.keys()],
  };
  const { provider, manager } = open(own, { dpop: { store } });
  const proofs: string[] = [];
  let challenges = 1;
  provider.token = (_form, init) => {
    const proof = new Headers(init?.headers).get('dpop') ?? '';
    proofs.push(atob(proof.split('.')[1] ?? ''));
    return challenges-- > 0 ? json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'dpop-nonce': 'n-1' } }) : provider.tokens();
  };
  await provider.signIn(manager);
  expect(proofs.map(proof => (JSON.parse(proof) as { nonce?: string }).nonce)).toEqual([undefined, 'n-1']);

  sessionStorage.clear();
  challenges = 2;
  await expect(provider.signIn(manager)).rejects.toThrow('use_dpop_nonce');
  expect(proofs).toHaveLength(4);
  expect(stored()).toEqual([]);
});

it.each([
  ['another person', { sub: 's2' }, 'login_required'],
  ['another azp', { azp: 'other' }, 'azp'],
  ['an older sign-in', { auth_time: 900 }, 'auth_time'],
  ['no auth_time any more', { auth_time: undefined }, 'auth_time'],
])('a renewal by iframe that returns %s is refused, and the user stays the same', async (_, claims, message) => {
  const { provider, manager } = open();
  const before = await provider.signIn(manager);
  provider.claims = claims;
  await expect(manager.signinSilent()).rejects.toThrow(message);
  expect((await manager.getUser())!.id_token).toBe(before.id_token);
});

it('a renewal by iframe asks once, without a page and without the token in its address', async () => {
  const { provider, manager } = open();
  const before = await provider.signIn(manager);
  provider.claims = { auth_time: 1200 };
  const after = await manager.signinSilent();
  expect(after!.profile).toMatchObject({ sub: 's1', auth_time: 1200 });
  expect(after!.id_token).not.toBe(before.id_token);
  const asked = provider.sentTo.at(-1)!.searchParams;
  expect(asked.get('prompt')).toBe('none');
  expect(asked.get('id_token_hint')).toBeNull();
  expect(asked.get('nonce')).not.toBe(provider.sentTo[0]!.searchParams.get('nonce'));
});

it('concurrent renewals share one request', async () => {
  const { provider, manager } = open();
  await provider.signIn(manager);
  const [one, two] = await Promise.all([manager.signinSilent(), manager.signinSilent()]);
  expect(one).toBe(two);
  expect(provider.sentTo).toHaveLength(2);
});

it('renewing by iframe, a refresh token is neither kept nor used', async () => {
  const { provider, manager } = open();
  provider.tokenAnswer = { refresh_token: 'r1' };
  await provider.signIn(manager);
  expect(sessionStorage.getItem(stored()[0]!)).not.toContain('refresh_token');
  await manager.signinSilent();
  expect(provider.tokenRequests.map(form => form.get('grant_type'))).toEqual(['authorization_code', 'authorization_code']);
});

const withRefreshToken = async () => {
  const { provider, manager } = open(refreshing);
  provider.tokenAnswer = { refresh_token: 'r1' };
  const user = await provider.signIn(manager);
  return { provider, manager, user };
};

it('renewing by refresh token, offline_access is asked for and the token is used', async () => {
  const { provider, manager } = await withRefreshToken();
  expect(provider.sentTo[0]!.searchParams.get('scope')).toBe('openid profile email offline_access');
  provider.tokenAnswer = { refresh_token: 'r2' };
  const renewed = await manager.signinSilent();
  expect(renewed!.refresh_token).toBe('r2');
  expect(provider.tokenRequests[1]!.get('refresh_token')).toBe('r1');
  expect(provider.sentTo).toHaveLength(1);
});

it.each([
  ['another person', { sub: 's2' }, 'sub in id_token does not match current sub'],
  ['another azp', { azp: 'other' }, 'azp in id_token does not match original azp'],
  ['no azp', { azp: undefined }, 'azp not in id_token, but present in original id_token'],
  ['another auth_time', { auth_time: 900 }, 'auth_time in id_token does not match original auth_time'],
  ['no auth_time any more', { auth_time: undefined }, 'auth_time'],
])('a refresh that returns %s is refused, and the user stays the same', async (_, claims, message) => {
  const { provider, manager, user } = await withRefreshToken();
  provider.claims = claims;
  await expect(manager.signinSilent()).rejects.toThrow(message);
  expect((await manager.getUser())!.id_token).toBe(user.id_token);
});

it('a refresh without identity token keeps the bearer while it lives, and asks the provider for a new one before it ends', async () => {
  const { provider, manager, user } = await withRefreshToken();
  provider.tokenAnswer = { id_token: undefined, refresh_token: 'r2', expires_in: 3600 };
  const kept = await manager.signinSilent();
  expect(kept!.id_token).toBe(user.id_token);
  expect(kept!.expires_in).toBeLessThanOrEqual(600);
  expect(provider.sentTo).toHaveLength(1);

  sessionStorage.clear();
  provider.seconds = 50;
  provider.tokenAnswer = { refresh_token: 'r3' };
  await provider.signIn(manager);
  provider.token = form =>
    form.get('grant_type') === 'refresh_token'
      ? json({ access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r4' })
      : provider.tokens();
  provider.seconds = 600;
  const renewed = await manager.signinSilent();
  expect(provider.sentTo.at(-1)!.searchParams.get('prompt')).toBe('none');
  expect(renewed!.expires_in).toBeGreaterThan(590);
});

it('a refresh without an answer times out after ten seconds', async () => {
  const { provider, manager } = await withRefreshToken();
  provider.token = (_form, init) => neverAnswered(init);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const outcome = manager.signinSilent().then(
    () => 'renewed',
    (error: Error) => error.message,
  );
  await vi.waitFor(() => expect(provider.tokenRequests).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1_100);
  expect(await outcome).toBe('Network timed out');
});
