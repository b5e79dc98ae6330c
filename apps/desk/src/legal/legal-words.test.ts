import { expect, test } from 'vitest';
import { askedInWords, progressInWords } from './legal-words.ts';

test('a text says who is asked, and what waits', () => {
  const of = { graceDays: 30, blocks: true };
  expect(askedInWords({ ...of, asks: [] })).toBe('No one is asked to accept it.');
  expect(askedInWords({ ...of, asks: ['applicants'] })).toBe('Applicants for membership, in their application.');
  expect(askedInWords({ ...of, asks: ['logins', 'corporate'] })).toBe(
    'Everyone with a login and corporate contacts, for their accounts. 30 days to accept it; then changes wait until it is accepted.',
  );
  expect(askedInWords({ graceDays: 1, blocks: false, asks: ['logins'] })).toBe('Everyone with a login. 1 day to accept it.');
});

test('progress names people and accounts where they are asked', () => {
  const none = { accepted: 0, missing: 0 };
  expect(progressInWords({ people: none, accounts: none })).toBe('');
  expect(progressInWords({ people: { accepted: 3, missing: 1 }, accounts: { accepted: 0, missing: 1 } })).toBe(
    '3 of 4 people, 0 of 1 account',
  );
});
