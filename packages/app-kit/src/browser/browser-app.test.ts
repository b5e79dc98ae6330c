import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Method, signedIn } from '@portal/contract';
import { people } from '@portal/contract/identity/people';
import { reading } from '../calls/answer.ts';
import { markReturned } from '../calls/interrupted-call.ts';
import { anEnvironment, aPerson } from '../../test/member.tsx';
import { leftBefore } from '../step-up/left-before.ts';
import { type BrowserAppOptions, createBrowserApp } from './browser-app.ts';

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  document.body.innerHTML = '<main id="main" tabindex="-1"></main>';
});
afterEach(() => vi.restoreAllMocks());

const open = (options: Partial<BrowserAppOptions> = {}) => createBrowserApp(anEnvironment(), { arrive: () => 'page', ...options });
const main = () => document.getElementById('main');

it('moves the focus on a navigation, not when a page replaces another', () => {
  const { router } = open();
  router.go('/settings', { replace: true });
  expect(document.activeElement).not.toBe(main());
  router.go('/billing');
  expect(document.activeElement).toBe(main());
});

it('leaves focus and scroll position alone when a step opens something in place', () => {
  const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const { router } = open();
  router.go('/billing');
  main()!.blur();
  scroll.mockClear();
  router.go('/billing?invoice=1', { inPlace: true });
  expect(document.activeElement).not.toBe(main());
  expect(scroll).not.toHaveBeenCalled();
});

it.each(['frame', 'nothing'] as const)('leaves the focus alone when the place shows %s', shown => {
  const { router } = open({ arrive: () => shown });
  router.go('/billing');
  expect(document.activeElement).not.toBe(main());
});

it('scrolls to the element the hash names on a page, and leaves that to a framed one', () => {
  document.body.insertAdjacentHTML('beforeend', '<p id="there"></p>');
  const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  let shown: 'page' | 'frame' = 'page';
  const { router } = open({ arrive: () => shown });
  router.go('/settings#there');
  expect(scroll).toHaveBeenLastCalledWith({ top: 0, behavior: 'smooth' });
  shown = 'frame';
  router.go('/resources/ipv4#there');
  expect(scroll).toHaveBeenLastCalledWith({ top: 0, behavior: 'instant' });
});

it('keeps one store of settings per person, and has the product’s name in the title', () => {
  const app = open();
  const tess = app.preferencesOf(aPerson());
  expect(app.preferencesOf(aPerson())).toBe(tess);
  expect(app.preferencesOf(aPerson({ userId: 'corin' }))).not.toBe(tess);
  app.setTitle('Billing');
  expect(document.title).toBe('Billing · MyRegistry');
});

it.each([
  ['a change', 'PUT', { account: 'EXAMPLE-AU', body: { text: 'route: 198.18.0.0/20' } }],
  ['a deletion, which has no body', 'DELETE', { account: 'EXAMPLE-AU', assignmentId: '7' }],
] as const)(
  '%s that needs a second factor is kept as it was to be sent, for the return of this very redirect',
  async (_what, method, input) => {
    const app = steppingUp('/resources/whois?class=route#list');
    await leaveFor(app, interrupted(method, input));
    app.resume();
    expect(app.returned.get(), 'not before the return').toBeNull();

    app.stepUps.get()!.cancel();
    await leaveFor(app, interrupted(method, input));
    markReturned('r2');
    app.resume();
    expect(app.returned.get()).toMatchObject({ input, address: '/resources/whois?class=route#list', act: { name: 'Change a route' } });
    app.resume();
    expect(app.returned.get(), 'a document opened later').toBeNull();
  },
);

it('an interrupted change is dropped if a read asks for a second factor, or if the redirect fails', async () => {
  const app = steppingUp('/resources/whois');
  await leaveFor(app, interrupted('PUT', {}));
  void app.stepUp(challenge, interrupted('GET', {}));
  await vi.waitFor(() => expect(app.auth.stepUp).toHaveBeenCalledTimes(2));
  markReturned('r1');
  app.resume();
  expect(app.returned.get()).toBeNull();
  vi.spyOn(app.auth, 'stepUp').mockImplementation((_challenge, onStart) => {
    onStart('r3');
    return Promise.reject(new Error('no line'));
  });
  app.stepUps.get()!.cancel();
  await (await leaveFor(app, interrupted('PUT', {}))).asked;
  expect(sessionStorage.length).toBe(0);
});

it('a change of a framed page is left to the frame', async () => {
  const app = steppingUp('/resources/whois', { isFramed: () => true });
  await leaveFor(app, interrupted('PUT', {}));
  markReturned('r1');
  app.resume();
  expect([app.returned.get(), app.returnedInFrame.get()?.endpoint.id]).toEqual([null, 'whois.change']);
});

it('a change asks over the page, and goes nowhere without a press', async () => {
  const app = steppingUp('/resources/whois');
  const asked = app.stepUp(challenge, interrupted('PUT', {}));
  await vi.waitFor(() => expect(app.stepUps.get()?.get()).toBeTruthy());
  expect(app.stepUps.get()!.get()?.acts[0].call.act).toEqual({ name: 'Change a route' });
  expect([vi.mocked(app.auth.stepUp).mock.calls.length, sessionStorage.length]).toEqual([0, 0]);
  app.stepUps.get()!.cancel();
  expect(await asked).toBeNull();
});

it('a change of a page that was left before the registry refused it is not asked about on the next one', async () => {
  const answer = Promise.withResolvers<Response>();
  const app = steppingUp('/resources/whois', { fetch: () => answer.promise });
  const pressed = app.call({ ...interrupted('PUT', {}).endpoint, access: signedIn }, { account: 'EXAMPLE-AU' } as never);
  const say = vi.spyOn(app.toasts, 'show');
  app.router.go('/billing');
  const headers = { 'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="300"' };
  answer.resolve(new Response('{}', { status: 401, headers }));
  expect((await pressed).errors?.[0]?.code).toBe('NOT_CONFIRMED');
  expect(app.stepUps.get()).toBeNull();
  expect(say).toHaveBeenCalledWith(expect.objectContaining({ text: leftBefore.text }));
});

it('a change is given up if another session begins while its question loads', async () => {
  const app = steppingUp('/resources/whois');
  const state = app.auth.state();
  const asked = app.stepUp(challenge, interrupted('PUT', {}));
  vi.spyOn(app.auth, 'state').mockReturnValue({ ...state, user: { claims: { sub: 'stella' } }, expired: false } as never);
  expect(await Promise.race([asked, vi.waitFor(() => expect(app.stepUps.get()?.get()).toBeTruthy()).then(() => 'asked about')])).toBeNull();
});

/** The person goes to the provider from the dialog. */
const leaveFor = async (app: ReturnType<typeof steppingUp>, call: ReturnType<typeof interrupted>) => {
  const asked = app.stepUp(challenge, call);
  await vi.waitFor(() => expect(app.stepUps.get()?.get()).toBeTruthy());
  app.stepUps.get()!.leave(app.stepUps.get()!.get()!);
  const before = vi.mocked(app.auth.stepUp).mock.calls.length;
  // The redirect begins.
  await vi.waitFor(() => expect(vi.mocked(app.auth.stepUp).mock.calls.length).toBeGreaterThan(before));
  return { asked };
};
const challenge = { acrValues: 'urn:x:mfa', maxAgeSeconds: null, act: 'Change a route', asked: null };
const interrupted = (method: Method, input: unknown) => ({
  endpoint: { id: 'whois.change', method, path: '/api/:account/whois', access: signedIn },
  input,
  act: { name: 'Change a route' },
});

/** An app that redirects to the provider; the redirects are called r1, r2 and so on. */
function steppingUp(address: string, options: Partial<BrowserAppOptions> = {}) {
  sessionStorage.clear();
  const app = open(options);
  app.router.go(address);
  app.answers.setQueryData(reading(app.call, people.getMe, {}).queryKey, aPerson());
  let redirects = 0;
  vi.spyOn(app.auth, 'stepUp').mockImplementation((_challenge, onStart) => {
    redirects += 1;
    onStart(`r${redirects}`);
    return new Promise(() => undefined);
  });
  return app;
}
