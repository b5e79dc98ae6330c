import { expect, test } from 'vitest';
import { type Case, facts, formOf, type Given, neighbours, policy, stateIn } from './example-facts.ts';
import { checkGrounds } from './grounds.ts';

const asn = ({ form, facts: known }: Given) => checkGrounds('asn', formOf(form), { ...facts, ...known }, policy);

const cases: readonly Case[] = [
  [
    'an AS number for an event of six months',
    'months',
    () => asn({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-31' } }),
    'met',
  ],
  [
    'an AS number for an event of six months and a day',
    'months',
    () => asn({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-08-01' } }),
    'unmet',
  ],
  ['an event that ends today', 'months', () => asn({ form: { path: 'temporary', startsOn: '2026-11-01', endsOn: '2026-11-22' } }), 'met'],
  [
    'an event that ended yesterday',
    'months',
    () => asn({ form: { path: 'temporary', startsOn: '2026-11-01', endsOn: '2026-11-21' } }),
    'unmet',
  ],
  ['no network to connect to', 'neighbours', () => asn({ form: { neighbours: [] } }), 'open'],
  ['one network to connect to', 'neighbours', () => asn({ form: { neighbours: neighbours(1) } }), 'met'],
  ['two networks to connect to', 'neighbours', () => asn({ form: { neighbours: neighbours(2) } }), 'met'],
  ['two bytes where none is left', 'two-byte', () => asn({ form: { twoByte: true }, facts: { twoByteLeft: false } }), 'unmet'],
];

test.each(cases)('%s: %s', (_, checkId, given, state) => {
  expect(stateIn(given(), checkId)).toBe(state);
});

test('two AS numbers have no fee, and each further one has', () => {
  expect([0, 1, 2, 3].map(held => asn({ facts: { asns: held } }).find(({ checkId }) => checkId === 'asns')!.known)).toEqual([
    '0: this one has no fee',
    '1: this one has no fee',
    '2: each further one has a yearly fee',
    '3: each further one has a yearly fee',
  ]);
});
