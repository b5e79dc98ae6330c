// @vitest-environment happy-dom
import { MINUTE_MS } from '@portal/contract/days';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyToken } from '../auth/stored-user.ts';
import { dropKeptAnswers } from '../calls/kept-answers.ts';
import { storeAccountName } from '../session/selected-account.ts';
import { keepScreen, showLastScreen } from './last-screen.ts';
import { endLastScreen, keepsScreen, screenPlace } from './screens.ts';

const page = '<main><h1>EXAMPLE-AU</h1><a href="/billing">Billing</a><button>Dismiss</button></main>';
const picture = (): Element | null => document.querySelector('[data-last-screen]');
const screensNext = (address = '/', userId = 'u1') => showLastScreen(screenPlace('portal', address, userId));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  sessionStorage.clear();
  localStorage.clear();
  copyToken('a.b.c');
  document.body.innerHTML = `<div id="root">${page}</div>`;
  keepScreen(screenPlace('portal', '/', 'u1'));
  // The next load begins empty.
  document.getElementById('root')!.replaceChildren();
});
afterEach(() => {
  endLastScreen();
  vi.useRealTimers();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test('a load begins with what the tab last showed at the address, until the page is whole', async () => {
  expect(await screensNext()).not.toBeNull();
  expect(picture()!.querySelector('h1')!.textContent).toBe('EXAMPLE-AU');
  expect(picture()!.getAttribute('aria-hidden'), 'readers of the screen find the page behind it').toBe('true');
  expect(picture()!.textContent).not.toMatch(/As of/);
  vi.advanceTimersByTime(1500);
  expect(picture()!.lastElementChild!.textContent).toMatch(/^As of .+, updating$/);
  endLastScreen();
  expect(picture()).toBeNull();
});

test.each([
  ['after half an hour', () => void vi.setSystemTime(Date.now() + 31 * MINUTE_MS)],
  ['with another account', () => storeAccountName('u1', 'OTHER-SG')],
  ['in a window of another width', () => vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(390)],
  [
    'of another release',
    () =>
      document.body.append(
        Object.assign(document.createElement('script'), {
          type: 'application/json',
          id: 'files',
          textContent: '{"entry":"/assets/b.js","all":[]}',
        }),
      ),
  ],
  ['after the sign-out', () => dropKeptAnswers()],
])('it begins as it is %s', async (_, change) => {
  change();
  expect(await screensNext()).toBeNull();
  expect(picture()).toBeNull();
});

test('of another address or another person nothing is shown', async () => {
  expect([keepsScreen('portal', '/'), keepsScreen('portal', '/billing'), keepsScreen('frame', '/')]).toEqual([true, false, false]);
  expect(await screensNext('/billing')).toBeNull();
  expect(await screensNext('/', 'u2')).toBeNull();
});

test('a tab that is signed out, shows a dialog, or still shows a picture keeps nothing', async () => {
  sessionStorage.clear();
  document.getElementById('root')!.innerHTML = page;
  keepScreen(screenPlace('portal', '/', 'u1'));
  copyToken('a.b.c');
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>');
  keepScreen(screenPlace('portal', '/', 'u1'));
  expect(await screensNext()).toBeNull();
});

test.each([
  ['opens a menu', '<button aria-haspopup="menu">Dismiss</button>', 1],
  ['folds something out', '<summary>Dismiss</summary>', 1],
  ['is a tab', '<button role="tab">Dismiss</button>', 1],
  ['may write', '<button>Dismiss</button>', 0],
  ['is a tick, which may be saved', '<label><input type="checkbox">Dismiss</label>', 0],
  ['is another one by now', '<button aria-haspopup="menu">Delete</button>', 0],
])('a press on the picture is made on the page only where it leads to something: on what %s', async (_, markup, presses) => {
  await screensNext();
  (picture()!.querySelector('button') as HTMLElement).click();
  const root = document.getElementById('root')!;
  root.innerHTML = markup;
  let pressed = 0;
  root.firstElementChild!.addEventListener('click', () => (pressed += 1));
  document.elementFromPoint = () => root.firstElementChild;
  endLastScreen();
  expect(pressed).toBe(presses);
});

test('a page that never is whole shows what it has after ten seconds', async () => {
  await screensNext();
  vi.advanceTimersByTime(10_000);
  expect(picture()).toBeNull();
});

test('six screens are kept, the last ones', async () => {
  document.getElementById('root')!.innerHTML = page;
  for (let i = 0; i < 7; i++) keepScreen(screenPlace('portal', `/p${i}`, 'u1'));
  document.getElementById('root')!.replaceChildren();
  expect(await screensNext('/p0')).toBeNull();
  expect(await screensNext('/p1')).not.toBeNull();
});

test('a key that is pressed takes the picture away: its focus must be seen', async () => {
  await screensNext();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
  expect(picture()).toBeNull();
});

test.each([
  [true, '320px'],
  [false, ''],
])('a frame that has a screen of its own (%s) lies where it lay; another one shows how far its page is', async (kept, height) => {
  const place = { ...screenPlace('portal', '/resources/ipv4', 'u1'), frameHasScreen: kept };
  const root = document.getElementById('root')!;
  const frame = Object.assign(document.createElement('div'), { innerHTML: '<span></span>' });
  root.replaceChildren(frame);
  keepScreen(place);
  const [screen] = JSON.parse(place.storage!.getItem(place.key)!) as { frame: unknown }[];
  screen!.frame = { left: 0, top: 64, width: 800, height: 320, title: 'IPv4' };
  place.storage!.setItem(place.key, JSON.stringify([screen]));
  const laid = document.createElement('iframe');
  (await showLastScreen(place))!.layFrame(laid);
  expect(laid.style.height).toBe(height);
});
