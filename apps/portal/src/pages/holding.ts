import type { KindTotals } from '@portal/contract/resources/resource-kinds';
import { formatCount } from '@portal/ui';

export type Holding = {
  /** The one number, and what it counts. */
  count: bigint;
  unit: string;
  /** A second measure beside it; empty if it would add nothing. */
  beside: string;
  /** Share of the addresses that is registered below the delegations, 0 to 1. */
  used: number;
};

const many = (count: bigint, one: string, more: string): string => (count === 1n ? one : more);

/**
 * Returns an account's holding of one kind, in the usual unit: IPv4 in addresses (and /24), IPv6 in /32 for whole ones
 * and in /48 otherwise, AS numbers individually. Sizes are exact whole numbers; the share is for a picture.
 */
export function holdingOf({ kind, size, used, delegations }: Pick<KindTotals, 'kind' | 'size' | 'used' | 'delegations'>): Holding {
  const total = BigInt(size);
  const share = total === 0n ? 0 : Number((BigInt(used) * 10_000n) / total) / 10_000;
  const inBlocks = `${formatCount(delegations)} ${many(BigInt(delegations), 'delegation', 'delegations')}`;
  if (kind === 'asn') return { count: total, unit: many(total, 'AS number', 'AS numbers'), beside: inBlocks, used: share };
  if (kind === 'ipv4') {
    const blocks = total / 256n;
    return {
      count: total,
      unit: many(total, 'address', 'addresses'),
      beside: total > 0n && total % 256n === 0n ? `${formatCount(blocks)} × /24` : inBlocks,
      used: share,
    };
  }
  const wide = 1n << 96n;
  const site = 1n << 80n;
  if (total >= wide && total % wide === 0n) return { count: total / wide, unit: '× /32', beside: inBlocks, used: share };
  return { count: total / site, unit: '× /48', beside: inBlocks, used: share };
}
