/** Votes of an account by size of its holdings, smallest first. Both bounds belong to the tier. */
export const votingTiers = [
  { label: 'Associate', ipv4Addresses: 0n, ipv6Blocks: 0n, upTo: null, votes: 1 },
  { label: 'Very small', ipv4Addresses: 1n << 10n, ipv6Blocks: 1n << 21n, upTo: { ipv4: '/22', ipv6: '/35' }, votes: 2 },
  { label: 'Small', ipv4Addresses: 1n << 13n, ipv6Blocks: 1n << 24n, upTo: { ipv4: '/19', ipv6: '/32' }, votes: 4 },
  { label: 'Medium', ipv4Addresses: 1n << 16n, ipv6Blocks: 1n << 27n, upTo: { ipv4: '/16', ipv6: '/29' }, votes: 8 },
  { label: 'Large', ipv4Addresses: 1n << 19n, ipv6Blocks: 1n << 30n, upTo: { ipv4: '/13', ipv6: '/26' }, votes: 16 },
  { label: 'Very large', ipv4Addresses: 1n << 22n, ipv6Blocks: 1n << 33n, upTo: { ipv4: '/10', ipv6: '/23' }, votes: 32 },
  { label: 'Extra large', ipv4Addresses: null, ipv6Blocks: null, upTo: null, votes: 64 },
] as const;
export type VotingTier = (typeof votingTiers)[number];

/** A national registry votes for its members, who have no vote of their own, with as many votes as the largest tier. */
export const nirVotes = 64;

/** Addresses of IPv6 in blocks of /56: what does not fill a block counts as one. */
export const ipv6BlocksOf = (addresses: bigint): bigint => (addresses + (1n << 72n) - 1n) >> 72n;

/**
 * The tier of an account by the addresses it holds: found for each family, the larger counts.
 * @param ipv4Addresses single addresses.
 * @param ipv6Blocks blocks of /56.
 */
export function votingTierOf({ ipv4Addresses, ipv6Blocks }: { ipv4Addresses: bigint; ipv6Blocks: bigint }): VotingTier {
  return votingTiers.find(tier => tier.ipv4Addresses === null || (ipv4Addresses <= tier.ipv4Addresses && ipv6Blocks <= tier.ipv6Blocks))!;
}
