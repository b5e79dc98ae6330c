import { type AddressFamily, addressBits } from './family.ts';
import type { AddressRange } from './range.ts';

/** Returns the number of addresses in the range. */
export function countAddresses(range: AddressRange): bigint {
  return range.last - range.first + 1n;
}

/** Returns how many whole blocks of a prefix length that many addresses fill; a remainder is not counted. Exact. */
export function countBlocks(addresses: bigint, family: AddressFamily, length: number): bigint {
  return addresses >> BigInt(addressBits(family) - length);
}

/** An amount of IPv4 space in the units of policy and fees; a /26 is 0.25 of a /24, and that fraction is exact. */
export interface Ipv4Size {
  readonly addresses: bigint;
  readonly slash24s: number;
}

/** An amount of IPv6 space in the units of policy and fees: whole blocks, exact. A /48 is no /32 but 65,536 /64s. */
export interface Ipv6Size {
  readonly addresses: bigint;
  readonly slash32s: bigint;
  readonly slash48s: bigint;
  readonly slash56s: bigint;
  readonly slash64s: bigint;
}

/** IPv4 addresses in /24 equivalents. */
export function ipv4Size(addresses: bigint): Ipv4Size {
  return { addresses, slash24s: Number(addresses) / 256 };
}

/** IPv6 addresses in /32s, /48s, /56s and /64s. */
export function ipv6Size(addresses: bigint): Ipv6Size {
  const blocks = (length: number) => countBlocks(addresses, 'ipv6', length);
  return { addresses, slash32s: blocks(32), slash48s: blocks(48), slash56s: blocks(56), slash64s: blocks(64) };
}
