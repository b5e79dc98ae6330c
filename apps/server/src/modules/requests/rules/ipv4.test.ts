import { expect, test } from 'vitest';
import { type Case, facts, formOf, type Given, neighbours, plan, policy, stateIn } from './example-facts.ts';
import { checkGrounds } from './grounds.ts';

const ipv4 = ({ form, facts: known }: Given) => checkGrounds('ipv4', formOf({ length: 24, ...form }), { ...facts, ...known }, policy);

const cases: readonly Case[] = [
  ['a /25 is too small', 'size', () => ipv4({ form: { path: 'lir', length: 25 } }), 'unmet'],
  ['a /24 is the smallest block', 'size', () => ipv4({ form: { path: 'lir', length: 24 } }), 'met'],
  ['a /23 is allowed', 'size', () => ipv4({ form: { path: 'lir', length: 23 } }), 'met'],
  ['a /23 fits under the limit', 'limit', () => ipv4({ form: { path: 'lir', length: 23 } }), 'met'],
  ['a /24 fits beside a /24', 'limit', () => ipv4({ form: { path: 'lir', length: 24 }, facts: { lastPool: 256n } }), 'met'],
  [
    'a /24 does not fit beside more than a /24',
    'limit',
    () => ipv4({ form: { path: 'lir', length: 24 }, facts: { lastPool: 257n } }),
    'unmet',
  ],
  ['a /22 does not fit', 'limit', () => ipv4({ form: { path: 'lir', length: 22 } }), 'unmet'],
  ['255 addresses needed now are looked at', 'need-now', () => ipv4({ form: { path: 'lir', plan: plan(255, 0, 512) } }), 'review'],
  ['256 addresses needed now', 'need-now', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 512) } }), 'met'],
  ['257 addresses needed now', 'need-now', () => ipv4({ form: { path: 'lir', plan: plan(257, 0, 512) } }), 'met'],
  ['511 addresses within a year are looked at', 'need-year', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 511) } }), 'review'],
  ['512 addresses within a year', 'need-year', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 512) } }), 'met'],
  ['513 addresses within a year', 'need-year', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 513) } }), 'met'],
  ['63 of 256 immediately are less than 25 %', 'use-now', () => ipv4({ form: { path: 'multihoming', plan: plan(63, 0, 128) } }), 'review'],
  ['64 of 256 immediately are 25 %', 'use-now', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 128) } }), 'met'],
  ['65 of 256 immediately are more', 'use-now', () => ipv4({ form: { path: 'multihoming', plan: plan(65, 0, 128) } }), 'met'],
  ['127 of 256 in a year are less than 50 %', 'use-year', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 127) } }), 'review'],
  ['128 of 256 in a year are 50 %', 'use-year', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 128) } }), 'met'],
  ['129 of 256 in a year are more', 'use-year', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 129) } }), 'met'],
  [
    'multihomed a day before six months are over',
    'multihomed',
    () => ipv4({ form: { path: 'multihoming', multihomed: 'planned', startsOn: '2027-05-21' } }),
    'met',
  ],
  [
    'multihomed in six months',
    'multihomed',
    () => ipv4({ form: { path: 'multihoming', multihomed: 'planned', startsOn: '2027-05-22' } }),
    'met',
  ],
  [
    'multihomed a day after six months',
    'multihomed',
    () => ipv4({ form: { path: 'multihoming', multihomed: 'planned', startsOn: '2027-05-23' } }),
    'unmet',
  ],
  ['an exchange gets no /27', 'size', () => ipv4({ form: { path: 'ixp', length: 27 } }), 'unmet'],
  ['an exchange gets a /26', 'size', () => ipv4({ form: { path: 'ixp', length: 26 } }), 'met'],
  ['an exchange gets a /25', 'size', () => ipv4({ form: { path: 'ixp', length: 25 } }), 'met'],
  ['an exchange gets a /22', 'size', () => ipv4({ form: { path: 'ixp', length: 22 } }), 'met'],
  ['an exchange gets no /21', 'size', () => ipv4({ form: { path: 'ixp', length: 21 } }), 'unmet'],
  [
    'an exchange of two networks is looked at',
    'participants',
    () => ipv4({ form: { path: 'ixp', length: 26, neighbours: neighbours(2) } }),
    'review',
  ],
  ['an exchange of three networks', 'participants', () => ipv4({ form: { path: 'ixp', length: 26, neighbours: neighbours(3) } }), 'met'],
  ['an exchange of four networks', 'participants', () => ipv4({ form: { path: 'ixp', length: 26, neighbours: neighbours(4) } }), 'met'],
  ['an event gets no /25', 'size', () => ipv4({ form: { path: 'temporary', length: 25 } }), 'unmet'],
  ['an event gets a /24', 'size', () => ipv4({ form: { path: 'temporary', length: 24 } }), 'met'],
  ['an event gets a /22', 'size', () => ipv4({ form: { path: 'temporary', length: 22 } }), 'met'],
  ['an event gets a /21', 'size', () => ipv4({ form: { path: 'temporary', length: 21 } }), 'met'],
  ['an event gets no /20', 'size', () => ipv4({ form: { path: 'temporary', length: 20 } }), 'unmet'],
  [
    'an event of a day less than six months',
    'months',
    () => ipv4({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-30' } }),
    'met',
  ],
  ['an event of six months', 'months', () => ipv4({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-31' } }), 'met'],
  [
    'an event of six months and a day',
    'months',
    () => ipv4({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-08-01' } }),
    'unmet',
  ],
];

test.each(cases)('%s: %s', (_, checkId, given, state) => {
  expect(stateIn(given(), checkId)).toBe(state);
});
