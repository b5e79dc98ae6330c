import { expect, test } from 'vitest';
import { openCheck, accountChecks } from './account.ts';
import { type Case, facts, type Given, stateIn } from './example-facts.ts';

const account = ({ facts: known, asked = '' }: Pick<Given, 'facts'> & { asked?: string | null }) =>
  [accountChecks({ ...facts, ...known }, asked), openCheck({ ...facts, ...known })].flat();

const cases: readonly Case[] = [
  ['a suspended account', 'open', () => account({ facts: { accountStatus: 'suspended' } }), 'unmet'],
  ['an overdue invoice', 'invoices', () => account({ facts: { overdueInvoice: true } }), 'unmet'],
  ['a silent abuse mailbox', 'abuse-contact', () => account({ facts: { silentIrt: 'IRT-A' } }), 'unmet'],
  ['no abuse mailbox at all', 'abuse-contact', () => account({ facts: { abuseMailbox: '' } }), 'unmet'],
  [
    'no abuse mailbox but the one of the form',
    'abuse-contact',
    () => account({ facts: { abuseMailbox: '' }, asked: 'noc@a.example' }),
    'met',
  ],
  ['no abuse mailbox of who gives away', 'abuse-contact', () => account({ facts: { abuseMailbox: '' }, asked: null }), 'met'],
  ['an abuse mailbox that waits for its code', 'abuse-contact', () => account({ facts: { unvalidatedMailbox: 'a@a.example' } }), 'met'],
  [
    'an abuse mailbox that waits for its code, where the registry asks for it',
    'abuse-contact',
    () => account({ facts: { unvalidatedMailbox: 'a@a.example', asksValidation: true } }),
    'unmet',
  ],
  ['a second request of a kind', 'single', () => account({ facts: { open: 'REQ-1' } }), 'unmet'],
];

test.each(cases)('%s: %s', (_, checkId, given, state) => {
  expect(stateIn(given(), checkId)).toBe(state);
});

test('an abuse contact is called valid only once its mailbox was validated', () => {
  const factOf = (known: Given['facts'], asked = '') => {
    const { fact, known: words } = accountChecks({ ...facts, ...known }, asked).find(({ checkId }) => checkId === 'abuse-contact')!;
    return `${fact}. ${words}`;
  };
  const mailbox = 'Abuse@northnet.example';
  expect(factOf({ abuseMailbox: mailbox, validMailboxes: [mailbox.toLowerCase()] })).toBe(
    `Abuse contact is valid. ${mailbox} is validated`,
  );
  expect(factOf({ abuseMailbox: mailbox })).toBe(`Abuse contact is named. ${mailbox}: not validated yet`);
  expect(factOf({ abuseMailbox: mailbox, unvalidatedMailbox: mailbox })).toBe(
    `Abuse contact is named. ${mailbox}: its validation isn’t overdue`,
  );
});

test('an invalid abuse contact says where it is set or validated', () => {
  const fixOf = (known: Given['facts']) =>
    accountChecks({ ...facts, ...known }, '').find(({ checkId }) => checkId === 'abuse-contact')!.fix;
  expect(fixOf({ abuseMailbox: '' })?.path).toBe('/member-account-settings/organization-details');
  expect(fixOf({ silentIrt: 'IRT-A' })?.path).toBe('/admin/irt-validation');
  expect(fixOf({})).toBeUndefined();
});
