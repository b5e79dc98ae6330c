import { expect, test } from 'vitest';
import { type AccountHealth, findingsOf } from './health-words.ts';

const contact = {
  corporate: true,
  passwordAlone: false,
  corporateSince: '2020-03-01T00:00:00.000Z',
  from: '2020-03-01T00:00:00.000Z',
  until: null,
};
const health: AccountHealth = {
  contacts: [contact, { ...contact, until: '2025-03-01T00:00:00.000Z' }],
  routes: { valid: 3, invalid: 1, notFound: 2, collectedAt: null, worst: [] },
  zones: { needed: 4, ok: 2, warning: 1, lame: 0, unchecked: 0, missing: 1 },
  mailboxes: { valid: 1, pending: 0, invalid: 0, restricted: 0 },
};
const unknown: AccountHealth = { contacts: null, routes: null, zones: null, mailboxes: null };

test('findings say what to look at, of the parts that can be seen', () => {
  expect(findingsOf(health)).toEqual([
    { subject: 'Routes', state: 'invalid', words: '1 route is invalid, 3 valid', brief: '1 of 6 invalid' },
    { subject: 'Reverse DNS', state: 'warning', words: '1 zone has no delegation, 3 answer', brief: '1 not delegated' },
    { subject: 'Abuse mailbox', state: 'valid', words: '1 mailbox answers', brief: '1 answers' },
    { subject: 'Contacts', state: 'warning', words: 'Only one corporate contact, who alone can appoint others', brief: '1, corporate' },
    { subject: 'Two-factor', state: 'valid', words: 'No contact signs in with a password alone', brief: 'Everyone' },
  ]);
  expect(findingsOf(unknown)).toEqual([]);
});

test.each([
  [{ valid: 2, pending: 0, invalid: 0, restricted: 0 }, 'valid', '2 mailboxes answer'],
  [{ valid: 1, pending: 1, invalid: 0, restricted: 0 }, 'valid', '1 mailbox was asked and can still answer'],
  [{ valid: 1, pending: 0, invalid: 1, restricted: 0 }, 'warning', '1 mailbox doesn’t answer'],
  [{ valid: 1, pending: 0, invalid: 1, restricted: 2 }, 'invalid', '2 mailboxes haven’t answered for 30 days: the account is restricted'],
  [{ valid: 0, pending: 0, invalid: 0, restricted: 0 }, 'warning', 'No irt object in whois has a mailbox yet'],
])('mailboxes that don’t answer are found: %o', (mailboxes, state, words) => {
  expect(findingsOf({ ...unknown, mailboxes })).toMatchObject([{ subject: 'Abuse mailbox', state, words }]);
});

test('every finding has a few words for a narrow column', () => {
  const briefs = (given: Partial<AccountHealth>): string[] => findingsOf({ ...unknown, ...given }).map(({ brief }) => brief);
  const routes = { valid: 4, invalid: 0, notFound: 0, collectedAt: null, worst: [] };
  const zones = { needed: 2, ok: 2, warning: 0, lame: 0, unchecked: 0, missing: 0 };
  expect(briefs({ routes, zones })).toEqual(['All 4 valid', '2 of 2 answer']);
  expect(briefs({ routes: { ...routes, notFound: 2 }, zones: { ...zones, lame: 1 } })).toEqual([
    '2 of 6 without a ROA',
    '1 lame, 2 answer',
  ]);
  expect(briefs({ routes: { ...routes, valid: 0 }, zones: { ...zones, ok: 0 } })).toEqual(['None announced', 'None']);
  expect(briefs({ mailboxes: { valid: 1, pending: 0, invalid: 1, restricted: 2 } })).toEqual(['3 silent']);
  expect(briefs({ contacts: [contact, { ...contact, passwordAlone: true }] })).toEqual(['2, 2 corporate', '1 of 2 without']);
  expect(briefs({ contacts: [] })).toEqual(['None corporate', 'No contacts']);
});
