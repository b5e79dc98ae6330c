import { parseResource } from '@portal/number-resources';
import { expect, test } from 'vitest';
import { holdUntil } from './hold.ts';

const policy = { lastSlash8: '103.0.0.0/8', holdYears: 5 };
const hold = (resource: string, on: string | null) => holdUntil(parseResource(resource), on, policy);

test('space of the last /8 can be transferred five years after its delegation', () => {
  expect(hold('103.0.0.0/22', '2019-02-28')).toBe('2024-02-28');
});
test('a delegation of 29 February is free on 28 February, unless that year has a 29th', () => {
  expect(hold('103.0.0.0/22', '2016-02-29')).toBe('2021-02-28');
  expect(holdUntil(parseResource('103.0.0.0/22'), '2016-02-29', { ...policy, holdYears: 4 })).toBe('2020-02-29');
});
test('other space, AS numbers and delegations without a date have no hold', () => {
  expect(hold('102.0.0.0/22', '2019-02-28')).toBeNull();
  expect(hold('2001:db8::/32', '2019-02-28')).toBeNull();
  expect(hold('AS64500', '2019-02-28')).toBeNull();
  expect(hold('103.0.0.0/22', null)).toBeNull();
});
