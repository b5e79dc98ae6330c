import { expect, test } from 'vitest';
import { openCheck, accountChecks } from './account.ts';
import { type Case, facts, type Given, stateIn } from './example-facts.ts';

const account = ({ facts: known }: Pick<Given, 'facts'>) => [accountChecks, openCheck].flatMap(rule => rule({ ...facts, ...known }));

const cases: readonly Case[] = [
  ['a suspended account', 'open', () => account({ facts: { accountStatus: 'suspended' } }), 'unmet'],
  ['an overdue invoice', 'invoices', () => account({ facts: { overdueInvoice: true } }), 'unmet'],
  ['a silent abuse mailbox', 'abuse-contact', () => account({ facts: { silentIrt: 'IRT-A' } }), 'unmet'],
  ['a second request of a kind', 'single', () => account({ facts: { open: 'REQ-1' } }), 'unmet'],
];

test.each(cases)('%s: %s', (_, checkId, given, state) => {
  expect(stateIn(given(), checkId)).toBe(state);
});
