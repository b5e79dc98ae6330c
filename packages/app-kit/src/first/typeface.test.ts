import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { requestTypeface, showTypeface } from './typeface.ts';

const waits = (): boolean => 'typefaceLater' in document.documentElement.dataset;
const links = (): (string | null)[] => [...document.head.querySelectorAll('link')].map(link => link.getAttribute('href'));

beforeEach(() => {
  document.head.innerHTML = '<meta name="typeface" content="/assets/sans.woff2">';
});
afterEach(() => {
  showTypeface();
  document.head.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the web font is requested with the page', () => {
  requestTypeface(false);
  expect([waits(), links()]).toEqual([false, ['/assets/sans.woff2']]);
});

test('one that would delay the page is loaded once the page is complete', () => {
  requestTypeface(true);
  expect([waits(), links()]).toEqual([true, []]);
  showTypeface();
  expect(waits()).toBe(false);
});

test.each([
  ['a short line', 40, '', false],
  ['a long line', 560, '', true],
  ['a long line, with a page from the store', 560, 'cache', false],
])('on %s', (_, rtt, deliveryType, later) => {
  vi.stubGlobal('navigator', { connection: { effectiveType: '4g', rtt } });
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ deliveryType }] as never);
  requestTypeface();
  expect(waits()).toBe(later);
});

test('with Save-Data none is named, and none is requested', () => {
  document.head.replaceChildren();
  requestTypeface(true);
  expect([waits(), links()]).toEqual([false, []]);
});
