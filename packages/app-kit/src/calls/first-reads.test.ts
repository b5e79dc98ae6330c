import { afterEach, expect, test } from 'vitest';
import { dropFirstReads, firstReadsOf, storeFirstReads } from './first-reads.ts';

afterEach(() => localStorage.clear());

test('a visit begins with the calls of the last one to the same address, of the same person', () => {
  storeFirstReads('max', '/resources/ipv4', [
    '/api/A/resources/summary',
    '/api/A/resources/summary',
    '/api/A/resources/delegations?kind=ipv4',
  ]);
  expect(firstReadsOf('max', '/resources/ipv4')).toEqual(['/api/A/resources/summary', '/api/A/resources/delegations?kind=ipv4']);
  expect(firstReadsOf('max', '/resources/ipv6')).toEqual([]);
  expect(firstReadsOf('corin', '/resources/ipv4')).toEqual([]);
});

test('the newest addresses are kept, and few calls of each', () => {
  for (let visit = 0; visit < 60; visit++)
    storeFirstReads(
      'max',
      `/page/${visit}`,
      Array.from({ length: 20 }, (_, i) => `/api/${i}`),
    );
  expect(firstReadsOf('max', '/page/59')).toHaveLength(12);
  expect(firstReadsOf('max', '/page/0')).toEqual([]);
  expect(firstReadsOf('max', '/page/30')).toHaveLength(12);
});

test.each(['nonsense', '{}', '[1]', '[["/", ["https://elsewhere.example/", 7, "/oidc/auth"]]]'])(
  'what is no list of our calls is asked of nobody: %s',
  kept => {
    localStorage.setItem('first-reads:max', kept);
    expect(firstReadsOf('max', '/')).toEqual([]);
  },
);

test('signing out forgets the visits of everybody, and nothing else', () => {
  storeFirstReads('max', '/', ['/api/me']);
  localStorage.setItem('selected-account:max', 'A');
  dropFirstReads();
  expect(firstReadsOf('max', '/')).toEqual([]);
  expect(localStorage.getItem('selected-account:max')).toBe('A');
});
