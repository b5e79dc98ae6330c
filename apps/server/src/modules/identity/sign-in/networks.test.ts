import { expect, test } from 'vitest';
import { networkOf } from './networks.ts';

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:12:3456::1', '2001:db8:12::/48'],
  ['2001:DB8:0012::', '2001:db8:12::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['no address', null],
  [null, null],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
