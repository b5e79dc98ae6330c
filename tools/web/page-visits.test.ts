import { expect, test } from 'vitest';
import { type PageVisit, pageVisitsPage, staleVisits, tooManyRequests } from './page-visits.ts';

const visits: PageVisit[] = [
  { page: 'home', path: '/', framed: false, requests: 9, bytes: 163_000 },
  { page: 'ipv4', path: '/resources/ipv4', framed: true, requests: 15, bytes: 245_000 },
];

test('a page that requests too many files is reported with its limit', () => {
  expect(tooManyRequests(visits)).toEqual([]);
  expect(tooManyRequests([{ ...visits[0]!, requests: 40 }])).toEqual([expect.stringMatching(/"home" asks for 40 files .* limit is 12/)]);
});

test('the table is stale if requests differ by one, bytes by more than the tolerance, or a page was added or removed', () => {
  const table = pageVisitsPage(visits);
  expect(staleVisits(table, visits)).toEqual([]);
  expect(staleVisits(table, [{ ...visits[0]!, bytes: 165_000 }, visits[1]!])).toEqual([]);
  expect(staleVisits(table, [{ ...visits[0]!, bytes: 175_000 }, visits[1]!])).toEqual(['home']);
  expect(staleVisits(table, [visits[0]!, { ...visits[1]!, requests: 16 }])).toEqual(['ipv4']);
  expect(staleVisits(table, [visits[0]!])).toEqual(['ipv4']);
  expect(staleVisits(table, [...visits, { ...visits[0]!, page: 'asn' }])).toEqual(['asn']);
});
