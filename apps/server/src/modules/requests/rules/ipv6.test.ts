import { hdThreshold } from '@portal/number-resources';
import { expect, test } from 'vitest';
import { type Case, facts, formOf, type Given, policy, stateIn } from './example-facts.ts';
import { checkGrounds } from './grounds.ts';

const ipv6 = ({ form, facts: known }: Given) => checkGrounds('ipv6', formOf({ length: 32, ...form }), { ...facts, ...known }, policy);

const cases: readonly Case[] = [
  ['an event gets no /49', 'size', () => ipv6({ form: { path: 'temporary', length: 49 } }), 'unmet'],
  ['an event gets a /48', 'size', () => ipv6({ form: { path: 'temporary', length: 48 } }), 'met'],
  ['an event gets a /47', 'size', () => ipv6({ form: { path: 'temporary', length: 47 } }), 'met'],
  ['an event gets a /30', 'size', () => ipv6({ form: { path: 'temporary', length: 30 } }), 'met'],
  ['an event gets a /29', 'size', () => ipv6({ form: { path: 'temporary', length: 29 } }), 'met'],
  ['an event gets no /28', 'size', () => ipv6({ form: { path: 'temporary', length: 28 } }), 'unmet'],
  ['a /48 is the usual size for an event', 'usual', () => ipv6({ form: { path: 'temporary', length: 48 } }), 'met'],
  ['a /47 for an event is looked at', 'usual', () => ipv6({ form: { path: 'temporary', length: 47 } }), 'review'],
  [
    'IPv6 for an event of six months',
    'months',
    () => ipv6({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-31' } }),
    'met',
  ],
  [
    'IPv6 for an event of six months and a day',
    'months',
    () => ipv6({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-08-01' } }),
    'unmet',
  ],
  ['a provider gets no /33', 'size', () => ipv6({ form: { path: 'lir', length: 33 } }), 'unmet'],
  ['a provider gets a /32', 'size', () => ipv6({ form: { path: 'lir', length: 32 } }), 'met'],
  ['a provider gets a /31', 'size', () => ipv6({ form: { path: 'lir', length: 31 } }), 'met'],
  ['an end site gets no /49', 'size', () => ipv6({ form: { path: 'end-site', length: 49 } }), 'unmet'],
  ['an end site gets no /47', 'size', () => ipv6({ form: { path: 'end-site', length: 47 } }), 'unmet'],
  ['an end site gets a /48', 'size', () => ipv6({ form: { path: 'end-site', length: 48 } }), 'met'],
  ['199 assignments are looked at', 'assignments', () => ipv6({ form: { path: 'lir', sites: 199 } }), 'review'],
  ['200 assignments', 'assignments', () => ipv6({ form: { path: 'lir', sites: 200 } }), 'met'],
  ['201 assignments', 'assignments', () => ipv6({ form: { path: 'lir', sites: 201 } }), 'met'],
  ['IPv4 stands for the assignments', 'assignments', () => ipv6({ form: { path: 'lir', sites: 0 }, facts: { ipv4Current: 256n } }), 'met'],
  ['announced a day before two years are over', 'announce', () => ipv6({ form: { path: 'lir', startsOn: '2028-11-21' } }), 'met'],
  ['announced in two years', 'announce', () => ipv6({ form: { path: 'lir', startsOn: '2028-11-22' } }), 'met'],
  ['announced a day after two years', 'announce', () => ipv6({ form: { path: 'lir', startsOn: '2028-11-23' } }), 'unmet'],
  [
    'a /31 one assignment short of the HD ratio',
    'larger',
    () => ipv6({ form: { path: 'lir', length: 31, sites: Number(hdThreshold(31)) - 1 } }),
    'review',
  ],
  ['a /31 at the HD ratio', 'larger', () => ipv6({ form: { path: 'lir', length: 31, sites: Number(hdThreshold(31)) } }), 'met'],
  ['a /31 above the HD ratio', 'larger', () => ipv6({ form: { path: 'lir', length: 31, sites: Number(hdThreshold(31)) + 1 } }), 'met'],
  [
    'more space below the HD ratio',
    'ratio',
    () =>
      ipv6({
        form: { path: 'subsequent', length: 31 },
        facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: hdThreshold(32) - 1n }] },
      }),
    'review',
  ],
  [
    'more space at the HD ratio',
    'ratio',
    () =>
      ipv6({ form: { path: 'subsequent', length: 31 }, facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: hdThreshold(32) }] } }),
    'met',
  ],
  [
    'more space above the HD ratio',
    'ratio',
    () =>
      ipv6({
        form: { path: 'subsequent', length: 31 },
        facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: hdThreshold(32) + 1n }] },
      }),
    'met',
  ],
  [
    'more space that is no more',
    'size',
    () => ipv6({ form: { path: 'subsequent', length: 32 }, facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: 0n }] } }),
    'unmet',
  ],
];

test.each(cases)('%s: %s', (_, checkId, given, state) => {
  expect(stateIn(given(), checkId)).toBe(state);
});
