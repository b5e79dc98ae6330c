import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askForTypeface, showTypeface } from './typeface.ts';

const asked: unknown[][] = [];
const answer = (stored: boolean): void => {
  vi.stubGlobal('fetch', (...call: unknown[]) => {
    asked.push(call);
    return stored ? Promise.resolve(new Response('woff2')) : Promise.reject(new TypeError('not stored'));
  });
};
const waits = (): boolean => 'typefaceLater' in document.documentElement.dataset;
const links = (): (string | null)[] => [...document.head.querySelectorAll('link')].map(link => link.getAttribute('href'));

beforeEach(() => {
  document.head.innerHTML = '<meta name="typeface" content="/assets/sans.woff2">';
});
afterEach(() => {
  showTypeface();
  asked.length = 0;
  document.head.replaceChildren();
  vi.unstubAllGlobals();
});

test('on a short line the typeface is asked for with the page', async () => {
  answer(false);
  await askForTypeface(false);
  expect([waits(), links(), asked]).toEqual([false, ['/assets/sans.woff2'], []]);
});

test('on a long line it waits until the page is whole, and the browser’s store alone is asked', async () => {
  answer(false);
  await askForTypeface(true);
  expect([waits(), links(), asked]).toEqual([true, [], [['/assets/sans.woff2', { cache: 'only-if-cached', mode: 'same-origin' }]]]);
  showTypeface();
  expect(waits()).toBe(false);
});

test('one that the browser has is shown from the start', async () => {
  answer(true);
  await askForTypeface(true);
  expect([waits(), links()]).toEqual([false, []]);
});

test('with Save-Data none is named, and none asked for', async () => {
  document.head.replaceChildren();
  answer(true);
  await askForTypeface(true);
  expect([waits(), asked]).toEqual([false, []]);
});
