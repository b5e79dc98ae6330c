import type { AddressOverview } from '@portal/contract/resources/resources';
import { containsRange, enclosingPrefix, parsePrefix, parseRange, printPrefix } from '@portal/number-resources';

type Strip = AddressOverview['strips'][number];

/** The strip in which a prefix or range begins; null if the account holds nothing in it, or the text can't be parsed. */
export function stripOf(overview: AddressOverview, resource: string | null): Strip | null {
  if (!resource) return null;
  try {
    const { family, first } = parseRange(resource);
    if (family !== overview.kind) return null;
    const place = { family, first, last: first };
    return overview.strips.find(strip => containsRange(parsePrefix(strip.within), place)) ?? null;
  } catch {
    return null; // an address typed by hand
  }
}

/** The initial strip: the one with the most addresses. */
export const fullestStrip = (overview: AddressOverview): Strip | null =>
  overview.strips.reduce<Strip | null>((most, strip) => (most && BigInt(most.size) >= BigInt(strip.size) ? most : strip), null);

/** The smallest prefix around a delegation, or around several drawn as one mark: what the map below shows of them. */
export const prefixAround = (resource: string): string => printPrefix(enclosingPrefix(parseRange(resource)));

/** Returns the label in front of a strip: 113 for 113.0.0.0/8, else the prefix without zeros. */
export function stripName(within: string): string {
  const { family, length } = parsePrefix(within);
  const [address = ''] = within.split('/');
  if (family === 'ipv6') return within;
  const octets = address
    .split('.')
    .slice(0, Math.ceil(length / 8))
    .join('.');
  return length === 8 ? octets : `${octets}/${length}`;
}

/** The /8 blocks of IPv4 in which something is held, with the held share. */
export function slash8s(overview: AddressOverview): { index: number; share: number }[] {
  const sizes = new Map<number, bigint>();
  for (const { within, size } of overview.strips) {
    const index = Number(parsePrefix(within).first >> 24n);
    sizes.set(index, (sizes.get(index) ?? 0n) + BigInt(size));
  }
  return [...sizes].map(([index, size]) => ({ index, share: Number(size) / 2 ** 24 }));
}
