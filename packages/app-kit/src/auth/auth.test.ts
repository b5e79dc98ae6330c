import { MINUTE_MS } from '@portal/contract/days';
import { ErrorResponse, ErrorTimeout, User, UserManager } from 'oidc-client-ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { anEnvironment } from '../../test/member.tsx';
import { createAuth } from './auth.ts';
import { PortalUserManager } from './portal-user-manager.ts';
import { providerDouble } from '../../test/provider-double.ts';

const environment = anEnvironment({ monitorSession: 'off' });
const nowSeconds = () => Math.floor(Date.now() / 1000);
const key = `oidc.user:${environment.issuerUri}:${environment.clientId}`;

/** Returns a person who signed in earlier, with so many seconds left. */
function signedIn(seconds: number, more: { refresh_token?: string } = {}): void {
  const user = new User({
    access_token: 'at',
    token_type: 'Bearer',
    ...more,
    id_token: 'aa.bb.cc',
    expires_at: nowSeconds() + seconds,
    profile: { sub: 's1', iss: 'i', aud: 'portal', exp: nowSeconds() + seconds, iat: 1 } as never,
  });
  sessionStorage.setItem(key, user.toStorageString());
}
const auth = (onError: (error: unknown) => void = () => undefined, of = environment) =>
  createAuth(of, { onError, answers: { dropKept: () => undefined, dropAhead: () => undefined }, forgetPerson: () => undefined });

/** Channels of a test's sessions. If left open, they would receive sign-outs of later tests and end their sessions. */
const channels: BroadcastChannel[] = [];
class OwnChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
}

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal('BroadcastChannel', OwnChannel);
  vi.spyOn(window, 'addEventListener');
  providerDouble(environment);
  vi.useFakeTimers();
});
afterEach(() => {
  // The document is shared with other test files: their input must not reach a session that is over.
  for (const [kind, listener] of vi.mocked(window.addEventListener).mock.calls) window.removeEventListener(kind, listener);
  for (const channel of channels.splice(0)) channel.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('the identity token of the stored user is copied for product calls, and an old copy never outlives its user', () => {
  signedIn(600);
  expect(auth().state().user?.claims.sub).toBe('s1');
  expect(sessionStorage.getItem('id_token')).toBe('aa.bb.cc');
  sessionStorage.removeItem(key);
  expect(auth().state().user).toBeNull();
  expect(sessionStorage.getItem('id_token')).toBeNull();
});

it('signing out wipes the token and the copy before the way to the provider', async () => {
  signedIn(600);
  // Like the library: the user is removed first, then the browser leaves.
  const leave = vi.spyOn(PortalUserManager.prototype, 'signoutRedirect').mockImplementation(async function (this: PortalUserManager) {
    await this.removeUser();
  });
  await auth().signOut();
  expect(leave).toHaveBeenCalledTimes(1);
  expect(sessionStorage.getItem(key)).toBeNull();
  expect(sessionStorage.getItem('id_token')).toBeNull();
});

it('an unreachable provider does not keep the session alive here', async () => {
  signedIn(600);
  vi.spyOn(PortalUserManager.prototype, 'signoutRedirect').mockRejectedValue(new Error('Failed to fetch'));
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  await auth().signOut();
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it('a session that can still be renewed does not end', async () => {
  signedIn(5);
  const renew = vi.spyOn(PortalUserManager.prototype, 'signinSilent').mockResolvedValue({} as never);
  const leave = vi.spyOn(PortalUserManager.prototype, 'signoutRedirect').mockResolvedValue();
  const session = auth();
  session.watch(Promise.resolve());
  await vi.advanceTimersByTimeAsync(6_000);
  expect(renew).toHaveBeenCalled();
  expect(session.state().expired).toBe(false);
  expect(leave).not.toHaveBeenCalled();
});

it('a session that cannot be renewed counts down, says that it expired, and signs out', async () => {
  signedIn(70);
  vi.spyOn(UserManager.prototype, 'signinSilent').mockRejectedValue(new ErrorTimeout('IFrame timed out without a response'));
  const leave = vi.spyOn(PortalUserManager.prototype, 'signoutRedirect').mockResolvedValue();
  const session = auth();
  session.watch(Promise.resolve());
  await session.renew();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(session.state().endsIn).toBe(40);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(session.state()).toMatchObject({ expired: true, endsIn: null });
  expect(sessionStorage.getItem('id_token')).toBeNull();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(leave).toHaveBeenCalledTimes(1);
});

it('after half an hour without input the session is not renewed any more; input wakes it', async () => {
  signedIn(3600);
  const stop = vi.spyOn(PortalUserManager.prototype, 'stopSilentRenew');
  const start = vi.spyOn(PortalUserManager.prototype, 'startSilentRenew');
  const session = auth();
  session.watch(Promise.resolve());
  await vi.advanceTimersByTimeAsync(29 * MINUTE_MS);
  expect(stop).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(stop).toHaveBeenCalledTimes(1);
  start.mockClear();
  session.noteInput();
  await vi.advanceTimersByTimeAsync(1);
  expect(start).toHaveBeenCalledTimes(1);
});

const passing = (name: string): Error =>
  name === 'timeout'
    ? new ErrorTimeout('Network timed out')
    : name === 'offline'
      ? new TypeError('Failed to fetch')
      : new Error('Invalid response Content-Type: text/html, from URL: http://localhost:3000/oidc/token');

/** Seconds after the start at which the provider was asked for a renewal, until the token ran out. */
async function renewalsOf(answer: () => Promise<never>): Promise<{ at: number[]; expired: boolean; left: boolean }> {
  signedIn(90);
  const began = Date.now();
  const at: number[] = [];
  vi.spyOn(UserManager.prototype, 'signinSilent').mockImplementation(() => {
    at.push((Date.now() - began) / 1000);
    return answer();
  });
  const leave = vi.spyOn(PortalUserManager.prototype, 'signoutRedirect').mockResolvedValue();
  const session = auth();
  session.watch(Promise.resolve());
  await vi.advanceTimersByTimeAsync(88_000);
  const before = { expired: session.state().expired, left: leave.mock.calls.length > 0 };
  await vi.advanceTimersByTimeAsync(7_000);
  expect(session.state().expired).toBe(true);
  expect(leave).toHaveBeenCalledTimes(1);
  const asked = at.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(at).toHaveLength(asked);
  return { at, ...before };
}

it.each(['timeout', 'offline', 'html'])(
  'after a temporary failure (%s) the renewal is retried every five seconds until the token expires',
  async name => {
    const { at, expired, left } = await renewalsOf(() => Promise.reject(passing(name)));
    expect(expired).toBe(false);
    expect(left).toBe(false);
    expect(at[0]).toBeGreaterThanOrEqual(30);
    expect(at.length).toBeGreaterThanOrEqual(10);
    const pauses = at.slice(1).map((second, index) => second - at[index]!);
    for (const pause of pauses) expect(pause).toBeCloseTo(5, 0);
  },
);

it.each(['login_required', 'invalid_grant'])(
  'a refusal by the provider (%s) is not retried, and the session continues until its token expires',
  async error => {
    const { at, expired, left } = await renewalsOf(() => Promise.reject(new ErrorResponse({ error })));
    expect(at).toHaveLength(1);
    expect(expired).toBe(false);
    expect(left).toBe(false);
  },
);

it('a provider that says the session is over leads to its sign-out', async () => {
  signedIn(600);
  const leave = vi.spyOn(PortalUserManager.prototype, 'signoutRedirect').mockResolvedValue();
  const opening = vi.spyOn(PortalUserManager.prototype, 'clearStaleState');
  const session = auth();
  session.watch(Promise.resolve());
  await vi.advanceTimersByTimeAsync(10);
  await (opening.mock.contexts[0] as PortalUserManager).events['_raiseUserSignedOut']();
  await vi.advanceTimersByTimeAsync(10);
  expect(leave).toHaveBeenCalledTimes(1);
});

it('an unanswered query for the provider’s session signs no one out; a negative answer does', async () => {
  signedIn(600);
  const asked = vi.spyOn(UserManager.prototype, 'querySessionStatus');
  const manager = new PortalUserManager(environment, { automaticSilentRenew: false });
  const outcome = vi.fn();
  asked
    .mockRejectedValueOnce(passing('timeout'))
    .mockRejectedValueOnce(passing('offline'))
    .mockRejectedValueOnce(new ErrorResponse({ error: 'login_required' }));
  manager.querySessionStatus().catch(outcome);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(outcome).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ error: 'login_required' }));
  expect(asked).toHaveBeenCalledTimes(3);
});

it('signing out with refresh tokens revokes them; a provider that refuses them keeps no one signed in', async () => {
  const refreshing = { ...environment, renewMode: 'refresh-token' as const };
  for (const answer of [() => new Response('', { headers: { 'content-type': 'text/plain' } }), () => new Response('', { status: 503 })]) {
    signedIn(600, { refresh_token: 'r1' });
    const provider = providerDouble(refreshing);
    provider.revoke = answer;
    const leave = vi.spyOn(UserManager.prototype, 'signoutRedirect').mockResolvedValue();
    const onError = vi.fn();
    await auth(onError, refreshing).signOut();
    expect(provider.revoked[0]).toBe('refresh_token');
    expect(leave).toHaveBeenCalledTimes(1);
    leave.mockRestore();
  }
});

it('after the return from the provider the other tabs of the session are told that it is over', async () => {
  vi.useRealTimers();
  const heard = vi.fn();
  const tab = new BroadcastChannel('portal-session');
  tab.onmessage = ({ data }: MessageEvent) => heard(data);
  sessionStorage.setItem('signed-out-of', 'sid-1');
  auth();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith({ signedOut: 'sid-1' }));
  expect(sessionStorage.getItem('signed-out-of')).not.toBe('sid-1');
  tab.close();
});

it('no storage key of the portal starts with the prefix of the sign-in library, which clears what it can’t parse', () => {
  const sources = import.meta.glob(
    ['../**/*.{ts,tsx}', '../../../../packages/app-kit/src/**/*.{ts,tsx}', '!../**/*.test.*', '!../../../../packages/**/*.test.*'],
    {
      query: '?raw',
      import: 'default',
      eager: true,
    },
  );
  const own = Object.entries(sources as Record<string, string>).filter(([, text]) => /['"`]oidc\./.test(text));
  expect(own.map(([file]) => file)).toEqual(['./stored-user.ts']);
});
