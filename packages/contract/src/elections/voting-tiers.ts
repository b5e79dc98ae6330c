/**
 * A tier of votes by size of holdings. `ipv4` and `ipv6` are the most that it holds of each family: a prefix such as `/22`, which belongs to it, `none` or `any`.
 */
export type VotingTier = { name: string; ipv4: string; ipv6: string; votes: number };

/** Prefix length in which a family is counted: single addresses of IPv4, blocks of /56 of IPv6. */
const counted = { ipv4: 32, ipv6: 56 } as const;

/** Returns how many addresses of IPv4, or blocks of /56 of IPv6, are in a size: `none`, a prefix such as `/22`, or null for `any`. */
export const countUpTo = (family: keyof typeof counted, size: string): bigint | null =>
  size === 'any' ? null : size === 'none' ? 0n : 1n << BigInt(Math.max(0, counted[family] - Number(size.slice(1))));

/** Addresses of IPv6 in blocks of /56: what does not fill a block counts as one. */
export const ipv6BlocksOf = (addresses: bigint): bigint => (addresses + (1n << 72n) - 1n) >> 72n;

/**
 * The tier of an account by the addresses it holds: the larger of the tiers of the two families.
 * @param tiers those of the registry's profile, the smallest first and the last without limits.
 * @param ipv4Addresses single addresses.
 * @param ipv6Blocks blocks of /56.
 */
export function votingTierOf(
  tiers: readonly VotingTier[],
  { ipv4Addresses, ipv6Blocks }: { ipv4Addresses: bigint; ipv6Blocks: bigint },
): VotingTier {
  const holds = (count: bigint, most: bigint | null): boolean => most === null || count <= most;
  return tiers.find(({ ipv4, ipv6 }) => holds(ipv4Addresses, countUpTo('ipv4', ipv4)) && holds(ipv6Blocks, countUpTo('ipv6', ipv6)))!;
}
