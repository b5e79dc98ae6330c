import { ErrorTimeout, User, UserManager } from 'oidc-client-ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { anEnvironment } from '../../../../packages/app-kit/test/member.tsx';
import { createAuth } from './auth.ts';
import { PortalUserManager } from './portal-user-manager.ts';
import { providerDouble } from '../../test/provider-double.ts';

const environment = anEnvironment({ monitorSession: 'off' });
const nowSeconds = () => Math.floor(Date.now() / 1000);
const key = `oidc.user:${environment.issuerUri}:${environment.clientId}`;

/** Somebody who signed in earlier, with so many seconds left. */
function signedIn(seconds: number): void {
  const user = new User({
    access_token: 'at',
    token_type: 'Bearer',
    id_token: 'aa.bb.cc',
    expires_at: nowSeconds() + seconds,
    profile: { sub: 's1', iss: 'i', aud: 'portal', exp: nowSeconds() + seconds, iat: 1 } as never,
  });
  sessionStorage.setItem(key, user.toStorageString());
}
const auth = () => createAuth(environment, { onError: () => undefined });

beforeEach(() => {
  sessionStorage.clear();
  providerDouble(environment);
  vi.useFakeTimers();
});
afterEach(() => {
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
  // As the library does: the user goes first, then the browser.
  const leave = vi.spyOn(PortalUserManager.prototype, 'signoutRedirect').mockImplementation(async function (this: PortalUserManager) {
    await this.removeUser();
  });
  await auth().signOut();
  expect(leave).toHaveBeenCalledTimes(1);
  expect(sessionStorage.getItem(key)).toBeNull();
  expect(sessionStorage.getItem('id_token')).toBeNull();
});

it('a provider that cannot be reached does not keep the session alive here', async () => {
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
  await vi.advanceTimersByTimeAsync(29 * 60_000);
  expect(stop).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(stop).toHaveBeenCalledTimes(1);
  start.mockClear();
  session.noteInput();
  await vi.advanceTimersByTimeAsync(1);
  expect(start).toHaveBeenCalledTimes(1);
});
