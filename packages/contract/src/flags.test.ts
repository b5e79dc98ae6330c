import { expect, test } from 'vitest';
import { allEndpoints } from './api.ts';
import { isOfAccount } from './endpoint.ts';
import { flagKeys, flags } from './flags.ts';
import { sitePages } from './pages.ts';

const flagged = allEndpoints.filter(({ flag }) => flag !== undefined);

test('each feature is named by calls, and says what members do with it', () => {
  for (const flag of flagKeys) {
    expect(flagged.filter(each => each.flag === flag).length, flag).toBeGreaterThan(0);
    expect(flags[flag].does, flag).toMatch(/^[A-Z].+\.$/);
  }
});

test('signing in, personal data, erasure, legal texts and the list of one’s accounts are never switched', () => {
  const always = /^(identity|privacy|legal|accounts|shell|proposals|roles|staff|features|activityLog|documents)\b/;
  expect(allEndpoints.some(({ id }) => id.startsWith('identity.')) && allEndpoints.some(({ id }) => id.startsWith('privacy.'))).toBe(true);
  expect(flagged.map(({ id }) => id).filter(id => always.test(id))).toEqual([]);
});

test('a feature is of an account, and what an account has is read without it', () => {
  expect(flagged.filter(({ access }) => !isOfAccount(access)).map(({ id }) => id)).toEqual([]);
  // Quotes and the price of the next renewal are the feature.
  expect(flagged.filter(({ method }) => method === 'GET').map(({ id }) => id)).toEqual([
    'billing.renewals.getRenewal',
    'billing.renewals.downloadQuote',
  ]);
});

test('what protects an account is never switched: freezing, revoking, withdrawing and locking', () => {
  const protects = flagged.filter(({ effect }) => [effect].flat().includes('protection'));
  expect(protects.map(({ id }) => id)).toEqual([]);
});

test('pages of a feature are of an account', () => {
  const pages = sitePages.filter(({ flag }) => flag !== undefined);
  expect(pages.length).toBeGreaterThan(0);
  for (const { name, access, flag } of pages) {
    expect(isOfAccount(access), name).toBe(true);
    expect(flagKeys, name).toContain(flag);
  }
});
