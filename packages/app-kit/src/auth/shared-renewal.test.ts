import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InMemoryWebStorage, WebStorageStateStore } from 'oidc-client-ts';
import { anEnvironment } from '../../test/member.tsx';
import { json, providerDouble } from '../../test/provider-double.ts';
import { PortalUserManager } from './portal-user-manager.ts';

const environment = anEnvironment({ monitorSession: 'off', renewMode: 'refresh-token' });
let provider: ReturnType<typeof providerDouble>;
let used: Set<string>;
const tabs: PortalUserManager[] = [];

/** A provider that rotates refresh tokens and ends the family when one comes twice (RFC 9700 4.14.2). */
function rotate(): void {
  let count = 1;
  let ended = false;
  used = new Set();
  provider.token = async form => {
    const token = form.get('refresh_token');
    if (token && used.has(token)) ended = true;
    if (ended) return json({ error: 'invalid_grant' }, { status: 400 });
    if (token) used.add(token);
    return provider.tokens({ refresh_token: `r${count++}` });
  };
}

/** Returns a tab with its own session storage. */
function aTab(): PortalUserManager {
  const userStore = new WebStorageStateStore({ store: new InMemoryWebStorage() });
  const tab = provider.serve(new PortalUserManager(environment, { automaticSilentRenew: false, userStore }));
  tabs.push(tab);
  return tab;
}

/** `window.open()` without `noopener`: a tab with a copy of the session storage. */
async function duplicated(tab: PortalUserManager): Promise<PortalUserManager> {
  const twin = aTab();
  await twin.storeUser(await tab.getUser());
  return twin;
}
const tokenOf = async (tab: PortalUserManager) => (await tab.getUser())?.refresh_token;

beforeEach(() => {
  provider = providerDouble(environment);
  rotate();
  let turn: Promise<unknown> = Promise.resolve();
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, act: () => Promise<unknown>) => (turn = turn.catch(() => undefined).then(act)) },
  });
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
  vi.unstubAllGlobals();
});

it('two tabs that renew at the same moment use the token once and get the same new one', async () => {
  const first = aTab();
  await provider.signIn(first);
  const twin = await duplicated(first);
  await Promise.all([first.signinSilent(), twin.signinSilent()]);
  expect(used.size).toBe(1);
  expect(await tokenOf(first)).toBe('r2');
  expect(await tokenOf(twin)).toBe('r2');
});

it('a tab passes its new user to the others immediately', async () => {
  const first = aTab();
  await provider.signIn(first);
  const twin = await duplicated(first);
  const loaded = vi.fn();
  twin.events.addUserLoaded(loaded);
  await first.signinSilent();
  await vi.waitFor(async () => expect(await tokenOf(twin)).toBe('r2'));
  expect(loaded).toHaveBeenCalledTimes(1);
  // And continues from there when the first is gone.
  first.close();
  expect((await twin.signinSilent())!.refresh_token).toBe('r3');
});

it('a tab that slept while the other renewed several times adopts the latest user', async () => {
  const first = aTab();
  await provider.signIn(first);
  const copy = await first.getUser();
  await first.signinSilent();
  await first.signinSilent();
  const late = aTab();
  await late.storeUser(copy);
  expect((await late.signinSilent())!.refresh_token).toBe('r3');
  expect(used.size).toBe(2);
});

it('tabs of another sign-in renew for themselves', async () => {
  const first = aTab();
  await provider.signIn(first);
  const other = aTab();
  await provider.signIn(other);
  await Promise.all([first.signinSilent(), other.signinSilent()]);
  expect(used).toEqual(new Set(['r1', 'r2']));
  expect(await tokenOf(first)).not.toBe(await tokenOf(other));
});
