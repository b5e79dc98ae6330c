import { countBlocks, printAddress, printPrefix, prefixAt, prefixOfRange, type AddressFamily } from '@portal/number-resources';
import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import { shortCount } from '@portal/contract/short-count';
import { formatCount } from '@portal/ui';
import type { MapText } from '@portal/ui/map/AddressMap';

const bitsOf = { ipv4: 32, ipv6: 128 } as const;
/** IPv6 is counted in the largest of these that gives a whole number. */
const ipv6Units = [32, 48, 56, 64] as const;

/** A share of a /24 or the like, with at most two decimals: 35, 0.25. */
const decimal = (value: number): string => {
  const text = value.toFixed(2).replace(/\.?0+$/, '');
  const [whole = '0', fraction] = text.split('.');
  return fraction ? `${formatCount(BigInt(whole))}.${fraction}` : formatCount(BigInt(whole));
};

/** An amount of space in /24 equivalents: 8 960 addresses are 35, a /26 is 0.25. */
export const slash24s = (addresses: bigint): string =>
  addresses % 64n === 0n || addresses > 1_000_000n ? decimal(Number(addresses) / 256) : `${(Number(addresses) / 256).toPrecision(2)}`;

/** An amount of IPv6 space in the largest usual unit it fills exactly: `1 × /32`, `4 096 × /48`; single addresses below a /64. */
export function ipv6Amount(addresses: bigint): string {
  for (const length of ipv6Units) {
    const unit = 1n << BigInt(128 - length);
    if (addresses >= unit && addresses % unit === 0n) return blocksOf(addresses / unit, length);
  }
  return addresses >= 1n << 64n ? blocksOf(addresses >> 64n, 64) : counted(addresses);
}

/** An amount of IPv6 space in blocks of one length, whole ones only: 65 536 × /48. */
export const ipv6Blocks = (addresses: bigint, length: number): string => blocksOf(countBlocks(addresses, 'ipv6', length), length);

const blocksOf = (count: bigint, length: number): string => `${counted(count)} × /${length}`;

/** In full while it can be read at a glance, above that shortened with K, M or B. */
const counted = (count: bigint): string => (count >= 10_000_000n ? shortCount(count) : formatCount(count));

/** Returns the amount of a delegation in the unit of its kind: `8 192`, `1 × /32`, `6`. */
export const amountOf = (kind: ResourceKind, size: bigint): string => (kind === 'ipv6' ? ipv6Amount(size) : formatCount(size));

/** The same with its unit: `8 192 addresses`, `1 × /32`, `1 AS number`. */
export const amountWords = (kind: ResourceKind, size: bigint): string =>
  kind === 'ipv6'
    ? ipv6Amount(size)
    : `${formatCount(size)} ${kind === 'asn' ? plural(size, 'AS number', 'AS numbers') : plural(size, 'address', 'addresses')}`;

/** Singular or plural. */
export const plural = (count: number | bigint, one: string, several: string): string => (BigInt(count) === 1n ? one : several);

/** "four delegations": small numbers as words, as in running text. */
export const numberWord = (count: number): string =>
  ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][count] ?? formatCount(count);

/** Share of `part` in `whole`, 0 to 1, exact enough for a picture at any size. */
export const shareOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000);

/**
 * Abbreviates an IPv4 prefix: first without zero octets after its significant ones, then without the octets before the last significant one.
 * `113.24.0.0/14` is `113.24/14`, then `.24/14`; `198.18.14.0/25` is `.14.0/25`.
 */
function shortened(kind: AddressFamily, address: string, length: number): string[] {
  if (kind === 'ipv6') return [];
  const octets = address.split('.');
  const significant = octets.slice(0, Math.max(1, Math.ceil(length / 8)));
  const whole = significant.length < 4 ? [`${significant.join('.')}/${length}`] : [];
  const tail = significant.slice(length > 16 ? 2 : 1).join('.');
  return [...whole, ...(tail ? [`.${tail}/${length}`] : [])];
}

/** Returns how the address map of a block that starts at `first` writes addresses, lengths and amounts. */
export function mapText(kind: AddressFamily, first: bigint): MapText {
  const bits = bitsOf[kind];
  const address = (offset: bigint) => printAddress({ family: kind, value: first + offset });
  return {
    address,
    prefix: (offset, sizeLog2) => printPrefix(prefixAt(kind, first + offset, bits - sizeLog2)),
    short: ({ start, size }) => {
      const prefix = prefixOfRange({ family: kind, first: first + start, last: first + start + size - 1n });
      if (!prefix) return [amountWords(kind, size)];
      return [...shortened(kind, address(start), prefix.length), `/${prefix.length}`];
    },
    size: sizeLog2 => `/${bits - sizeLog2}, ${amountWords(kind, 1n << BigInt(sizeLog2))}`,
    amount: size => amountOf(kind, size),
    ...(kind === 'ipv6' && { tick: (offset: bigint) => `+${offset === 0n ? '0' : ipv6Amount(offset)}` }),
  };
}

/** The same for the pool of a national registry: what is given on in it is held by sub-accounts. */
export const poolText = (kind: AddressFamily, first: bigint): MapText => ({
  ...mapText(kind, first),
  kinds: { assigned: 'Delegated to sub-accounts', customers: 'Delegated, assigned further' },
});
