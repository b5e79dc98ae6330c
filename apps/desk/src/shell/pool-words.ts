import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import { formatCount } from '@portal/ui';

/** Names of the pools. */
export const poolNames: Record<ResourceKind, string> = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' };

const decimals = (count: number): string => count.toLocaleString('en', { maximumFractionDigits: 2 }).replaceAll(',', '\u00a0');

/** The size of a part of a pool: addresses of IPv4 with their number of /24, IPv6 in /32, or in /48 where it is less than that, AS numbers as they are. */
export function amount(kind: ResourceKind, size: bigint): string {
  if (size === 0n) return '0';
  if (kind === 'asn') return formatCount(size);
  if (kind === 'ipv4')
    return size < 256n ? `${formatCount(size)} addresses` : `${formatCount(size)} addresses (${decimals(Number(size) / 256)} × /24)`;
  return size >> 96n > 0n ? `${decimals(Number(size >> 90n) / 64)} × /32` : `${formatCount(size >> 80n)} × /48`;
}
