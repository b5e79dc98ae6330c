import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
