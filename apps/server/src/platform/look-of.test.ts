import { expect, test } from 'vitest';
import { lookOf } from './look-of.ts';

test.each([
  ['Hostmaster', 'HOSTMASTER'],
  ['Hostmaster', 'Host master'],
  ['Hostmaster', 'Hоstmaster'],
  ['Hostmaster', 'H0stmaster'],
  ['Finance', 'Flnance'],
  ['Finance', 'Finance.'],
  ['Auditor', 'Áuditor'],
  ['Support', 'Ѕuррort'],
])('%s looks like %s', (one, other) => {
  expect(lookOf(other)).toBe(lookOf(one));
});

test.each([
  ['Finance', 'Finances'],
  ['Support', 'Suport'],
  ['Роли', 'Роль'],
])('%s does not look like %s', (one, other) => {
  expect(lookOf(other)).not.toBe(lookOf(one));
});
