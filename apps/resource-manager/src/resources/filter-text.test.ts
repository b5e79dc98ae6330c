import { expect, test } from 'vitest';
import { readFilter } from './filter-text.ts';

test.each([
  ['198.18.0.0/19', '198.18.0.0/19'],
  ['198.18.0.0 – 198.18.31.255', '198.18.0.0/19'],
  ['１９８.18.4.7', '198.18.4.7/32'],
  ['198.18.', '198.18.'],
  ['CUST-NORTHWIND', 'CUST-NORTHWIND'],
  ['AU', 'AU'],
  ['  ', ''],
])('the IPv4 filter reads %j as %j', (typed, q) => {
  expect(readFilter(typed, 'ipv4')).toEqual({ q, problem: null });
});

test('a prefix with host bits set is refused with the prefix that holds it', () => {
  expect(readFilter('198.18.0.1/19', 'ipv4')).toEqual({
    q: null,
    problem: '198.18.0.1/19 has host bits set',
    suggestion: '198.18.0.0/19',
  });
});

test('an IPv6 prefix in the IPv4 filter is refused, naming what is needed', () => {
  const reading = readFilter('2001:db8::/32', 'ipv4');
  expect(reading.q).toBeNull();
  expect(reading.problem).toContain('IPv4');
});

test.each([
  ['2001:DB8::/32', '2001:db8::/32'],
  ['2001:db8', '2001:db8'],
])('the IPv6 filter reads %j as %j', (typed, q) => {
  expect(readFilter(typed, 'ipv6')).toEqual({ q, problem: null });
});

test.each([
  ['645', '645'],
  ['AS64496-AS64500', 'AS64496 - AS64500'],
  ['1.10', 'AS65546'],
])('the AS number filter reads %j as %j', (typed, q) => {
  expect(readFilter(typed, 'asn')).toEqual({ q, problem: null });
});
