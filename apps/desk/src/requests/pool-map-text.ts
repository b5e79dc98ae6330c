import { prefixAt, prefixOfRange, printAddress, printPrefix } from '@portal/number-resources';
import type { MapText } from '@portal/ui/map/AddressMap';
import { amount } from '../shell/pool-words.ts';

const bits = { ipv4: 32, ipv6: 128 } as const;

/** How a map of a pool writes its numbers and kinds of blocks. @param origin the first address of the map, @param accountName the account that asks, @param cell addresses of the requested size */
export function mapTextOf(kind: 'ipv4' | 'ipv6', origin: bigint, accountName: string, cell: bigint): MapText {
  const address = (offset: bigint): string => printAddress({ family: kind, value: origin + offset });
  return {
    address,
    prefix: (offset, sizeLog2) => printPrefix(prefixAt(kind, origin + offset, bits[kind] - sizeLog2)),
    short: ({ start, size }) => {
      const prefix = prefixOfRange({ family: kind, first: origin + start, last: origin + start + size - 1n });
      return prefix ? [`/${prefix.length}`] : [];
    },
    size: sizeLog2 => `/${bits[kind] - sizeLog2}`,
    amount: size => (kind === 'ipv4' ? String(size / 256n > 0n ? `${size / 256n} × /24` : size) : amount(kind, size)),
    kinds: {
      delegated: 'Delegated',
      customers: accountName,
      held: 'Held for a request',
      reserved: 'Quarantine or reserved',
      outside: 'Not in this pool',
    },
    tick: offset => `+${offset / cell}`,
    endTick: true,
  };
}
