import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Special-purpose addresses of IPv4 (IANA's registry, RFC 6890 and later): private, shared, loopback, link-local, documentation, benchmarks, multicast and reserved.
 * Nothing that the registry calls for members is there.
 */
const special4 = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special4.addSubnet(address, bits, 'ipv4');

/** Of IPv6, global unicast alone is public, and of that neither Teredo, 6to4 (both lead to IPv4 addresses) nor documentation. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const special6 = new BlockList();
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  special6.addSubnet(address, bits, 'ipv6');

/** Whether an address (`192.0.2.1`, `2001:db8::1`) is one of the public internet. IPv4 in IPv6 is none. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false;
  return isIPv4(address) ? !special4.check(address, 'ipv4') : global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
};
