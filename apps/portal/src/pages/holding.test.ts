import { expect, it } from 'vitest';
import { holdingOf } from './holding.ts';

const held = (kind: 'ipv4' | 'ipv6' | 'asn', size: bigint, used = 0n, delegations = 1) =>
  holdingOf({ kind, size: String(size), used: String(used), delegations });

it('IPv4 is counted in addresses, with whole /24 beside', () => {
  expect(held('ipv4', 9216n, 6620n, 3)).toEqual({ count: 9216n, unit: 'addresses', beside: '36 × /24', used: 0.7183 });
  expect(held('ipv4', 128n)).toMatchObject({ count: 128n, beside: '1 delegation' });
  expect(held('ipv4', 1n)).toMatchObject({ unit: 'address' });
});

it('IPv6 is counted in /32 when it comes to whole ones, in /48 otherwise', () => {
  expect(held('ipv6', 1n << 96n)).toMatchObject({ count: 1n, unit: '× /32' });
  expect(held('ipv6', (1n << 96n) + (1n << 80n), 0n, 2)).toMatchObject({ count: 65_537n, unit: '× /48', beside: '2 delegations' });
  expect(held('ipv6', 1n << 80n)).toMatchObject({ count: 1n, unit: '× /48' });
});

it('AS numbers are counted individually', () => {
  expect(held('asn', 4n, 0n, 2)).toMatchObject({ count: 4n, unit: 'AS numbers', beside: '2 delegations' });
});

it('an empty holding has nothing used', () => {
  expect(held('ipv4', 0n, 0n, 0)).toMatchObject({ count: 0n, used: 0, beside: '0 delegations' });
});
