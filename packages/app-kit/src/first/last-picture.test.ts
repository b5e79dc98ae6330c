// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearToken, copyToken } from '../auth/stored-user.ts';
import { dropKeptAnswers } from './kept-answers.ts';
import { answerAge } from '../kit/answer-age.ts';
import { storeAccountName } from '../session/selected-account.ts';
import { keepPicture, showPicture } from './last-picture.ts';
import { endPicture, keepsPicture } from './shown-picture.ts';

const picture = (): HTMLElement | null => document.querySelector('[data-last-picture]');
const root = (): HTMLElement => document.getElementById('root')!;
const addFiles = (entry: string): void =>
  document.body.append(
    Object.assign(document.createElement('script'), { type: 'application/json', id: 'files', textContent: JSON.stringify({ entry }) }),
  );

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  copyToken('a.b.c');
  document.body.innerHTML = '<div id="root"><main><h1>EXAMPLE-AU</h1><a href="/billing">Billing</a></main></div>';
  keepPicture('portal', '/', 'u1', null);
  // The next load begins empty.
  root().replaceChildren();
});
afterEach(() => {
  endPicture();
  vi.restoreAllMocks();
  vi.useRealTimers();
  document.body.replaceChildren();
});

test('a load begins with what the tab showed last at the address, until the page is there', async () => {
  expect(await showPicture('portal', '/', 'u1')).toBe(true);
  expect(picture()!.querySelector('h1')!.textContent).toBe('EXAMPLE-AU');
  expect(picture()!.getAttribute('aria-hidden'), 'readers of the screen find the page behind it').toBe('true');
  expect(picture()!.style.pointerEvents, 'it can’t be pressed').toBe('none');
  endPicture();
  expect(picture()).toBeNull();
});

test.each([
  ['after half an hour', () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + answerAge.shown + 1 })],
  ['with another account', () => storeAccountName('u1', 'OTHER-SG')],
  ['in a window of another width', () => vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(390)],
  ['of another release', () => addFiles('/assets/b.js')],
  ['after the sign-out', () => dropKeptAnswers()],
])('it begins as it is %s', async (_, change) => {
  change();
  expect(await showPicture('portal', '/', 'u1')).toBe(false);
  expect(picture()).toBeNull();
});

test.each([
  ['another address', '/member-account-settings', 'u1'],
  ['another person', '/', 'u2'],
])('%s begins as it is', async (_, address, userId) => {
  expect(await showPicture('portal', address, userId)).toBe(false);
});

test('a framed page has a picture of its own, as wide as its frame', async () => {
  root().innerHTML = '<main><h1>IPv4</h1></main>';
  keepPicture('frame', '/resources/ipv4', 'u1', null);
  root().replaceChildren();
  expect(keepsPicture('frame', '/resources/ipv4')).toBe(true);
  expect(keepsPicture('frame', '/resources/ipv')).toBe(false);
  expect(await showPicture('frame', '/resources/ipv4', 'u1')).toBe(true);
  expect(picture()!.querySelector('h1')!.textContent).toBe('IPv4');
  expect(picture()!.style.paddingInline, 'room for outlines of the focus').toBe('4px');
  endPicture();
  expect(await showPicture('portal', '/', 'u1'), 'the portal’s is there as well').toBe(true);
  dropKeptAnswers();
  expect(keepsPicture('frame', '/resources/ipv4')).toBe(false);
});

test.each([
  ['with a dialog open', () => root().append(Object.assign(document.createElement('div'), { role: 'dialog' }))],
  ['of a tab that has signed out', () => clearToken()],
  ['with a secret that is shown once', () => void (root().innerHTML = '<div data-shown-once=""><code>s3cret</code></div>')],
  ['of an account that another tab has left since', () => storeAccountName('u1', 'OTHER-SG')],
])('no picture is kept %s, nor the one before', async (_, change) => {
  change();
  keepPicture('portal', '/', 'u1', null);
  copyToken('a.b.c');
  expect(await showPicture('portal', '/', 'u1')).toBe(false);
});

test('what other hands wrote there is refused, and nothing is drawn', async () => {
  sessionStorage.setItem('last-picture:portal', 'not JSON');
  await expect(showPicture('portal', '/', 'u1')).rejects.toThrow(SyntaxError);
  expect(picture()).toBeNull();
});
