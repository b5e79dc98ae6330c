import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anEnvironment } from '../../test/member.tsx';
import { storedUser, userKeyOf } from './stored-user.ts';
import { answerOtherTabs, joinOtherTabs } from './tab-session.ts';

const environment = anEnvironment({ renewMode: 'iframe' });
const inTenMinutes = () => Math.floor(Date.now() / 1000) + 600;

/** A session state as the provider gives it for the state of the browser. */
const stateFor = (browser: string): string =>
  `${createHash('sha256').update(`${environment.clientId} ${window.location.origin} ${browser} salt`).digest('base64url')}.salt`;
const aUser = (more: object = {}, profile: object = {}): string =>
  JSON.stringify({
    id_token: 'a.b.c',
    expires_at: inTenMinutes(),
    session_state: stateFor('browser-1'),
    profile: { sub: 'max', sid: 'sid-1', exp: inTenMinutes(), ...profile },
    ...more,
  });

const others: BroadcastChannel[] = [];
/** Another tab, which answers who is signed in. */
function aTab(user: string): void {
  const channel = new BroadcastChannel(`portal-tabs:${environment.issuerUri}:${environment.clientId}`);
  channel.onmessage = ({ data }: MessageEvent<{ kind: string }>) => {
    if (data.kind === 'who is signed in') channel.postMessage({ kind: 'signed in', user });
  };
  others.push(channel);
  localStorage.setItem('open-tab:1', '');
}

beforeEach(() => {
  document.cookie = 'op_state=browser-1';
});
afterEach(() => {
  for (const channel of others.splice(0)) channel.close();
  document.cookie = 'op_state=; Max-Age=0';
  sessionStorage.clear();
  localStorage.clear();
});

test('the only tab asks no others', async () => {
  aTab(aUser());
  localStorage.clear();
  await joinOtherTabs(environment);
  expect(sessionStorage.length).toBe(0);
});

test('crashed tabs are waited for once', async () => {
  localStorage.setItem('open-tab:7', '');
  await joinOtherTabs(environment);
  expect(localStorage.length).toBe(0);
});

test('a tab is registered until it closes, and again when it is restored or its entry was removed', async () => {
  answerOtherTabs(environment, () => false);
  // Tabs of other tests of this document come back with it.
  const [own] = Object.keys(localStorage);
  const lines = (): number => Object.keys(localStorage).filter(name => name === own || name === 'open-tab:1').length;
  expect(lines()).toBe(1);
  window.dispatchEvent(new Event('pagehide'));
  expect(lines()).toBe(0);
  window.dispatchEvent(new Event('pageshow'));
  expect(lines()).toBe(1);
  localStorage.clear();
  aTab(aUser());
  others[0]!.postMessage({ kind: 'who is signed in' });
  await expect.poll(lines).toBe(2);
});

test('a new tab is signed in like the existing one', async () => {
  aTab(aUser());
  await joinOtherTabs(environment);
  expect(storedUser(environment)?.claims.sub).toBe('max');
  expect(sessionStorage.getItem('id_token')).toBe('a.b.c');
});

test.each([
  ['a session of the provider that ended or is another person’s', aUser({ session_state: stateFor('browser-0') })],
  ['a user without a session state', aUser({ session_state: undefined })],
  ['a token that is about to end', aUser({ expires_at: Math.floor(Date.now() / 1000) + 10 })],
  ['a user with a refresh token, which only one tab may use', aUser({ refresh_token: 'r' })],
  ['a user without an identity token', aUser({ id_token: undefined })],
  ['no JSON', 'nonsense'],
])('%s is not taken over', async (_, user) => {
  aTab(user);
  await joinOtherTabs(environment);
  expect(sessionStorage.length).toBe(0);
});

test('tabs that disagree are ignored', async () => {
  aTab(aUser());
  aTab(aUser({}, { sub: 'corin', sid: 'sid-2' }));
  await joinOtherTabs(environment);
  expect(sessionStorage.length).toBe(0);
});

test('no tab is asked if no one is signed in at the provider, or with refresh tokens', async () => {
  aTab(aUser());
  await joinOtherTabs({ ...environment, renewMode: 'refresh-token' });
  document.cookie = 'op_state=; Max-Age=0';
  await joinOtherTabs(environment);
  expect(sessionStorage.length).toBe(0);
});

test('a tab answers while its person is signed in, and not afterwards', async () => {
  let signedIn = true;
  sessionStorage.setItem(userKeyOf(environment), aUser());
  answerOtherTabs(environment, () => signedIn);
  const heard: unknown[] = [];
  const channel = new BroadcastChannel(`portal-tabs:${environment.issuerUri}:${environment.clientId}`);
  others.push(channel);
  const answered = new Promise<void>(resolve => {
    channel.onmessage = ({ data }) => {
      heard.push(data);
      resolve();
    };
  });
  channel.postMessage({ kind: 'who is signed in' });
  await answered;
  expect(heard).toEqual([{ kind: 'signed in', user: aUser() }]);
  signedIn = false;
  sessionStorage.clear();
  await joinOtherTabs(environment);
  expect(sessionStorage.length).toBe(0);
});
