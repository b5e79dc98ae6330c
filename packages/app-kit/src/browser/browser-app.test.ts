import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { people } from '@portal/contract/identity/people';
import { reading } from '../calls/answer.ts';
import { takeInterruptedCall } from '../calls/interrupted-call.ts';
import { anEnvironment, aPerson } from '../../test/member.tsx';
import { type BrowserAppOptions, createBrowserApp } from './browser-app.ts';

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  document.body.innerHTML = '<main id="main" tabindex="-1"></main>';
});
afterEach(() => vi.restoreAllMocks());

const open = (options: Partial<BrowserAppOptions> = {}) => createBrowserApp(anEnvironment(), { arrive: () => 'page', ...options });
const main = () => document.getElementById('main');

it('moves the focus to a page that is gone to, not to one that takes the place of another', () => {
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

it.each(['frame', 'nothing'] as const)('leaves the focus alone when the place shows: %s', shown => {
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

it('keeps one store of settings a person, and names the product in the title', () => {
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
] as const)('%s that needs a second factor is kept as it was sent, to be repeated on its page', async (_what, method, input) => {
  const app = open();
  app.router.go('/resources/whois');
  app.answers.setQueryData(reading(app.call, people.getMe, {}).queryKey, aPerson());
  vi.spyOn(app.auth, 'stepUp').mockImplementation((_challenge, onStart) => Promise.resolve(onStart()));
  const challenge = { acrValues: 'urn:x:mfa', maxAgeSeconds: null };
  await app.stepUp(challenge, { endpoint: 'whois.change', method, input });
  await app.stepUp(challenge, { endpoint: 'whois.listObjects', method: 'GET', input: { account: 'EXAMPLE-AU' } });
  expect(takeInterruptedCall('whois.change', aPerson().userId, '/resources/whois')).toEqual(input);
});
