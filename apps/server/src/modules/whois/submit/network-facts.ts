import type { AddressRange } from '@portal/number-resources';
import { type RpslObject, valueOf } from '@portal/rpsl';
import type { Assignment, Network } from '../../resources/index.ts';

/** Characters of a description in the register. */
export const longestDescription = 500;
export const typeOf = (object: RpslObject): Assignment['type'] =>
  /^allocated\b/i.test(valueOf(object, 'status') ?? '') ? 'allocated' : 'assigned';
export const economyOf = (object: RpslObject): string | null => {
  const country = valueOf(object, 'country')?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(country) ? country : null;
};

/** Returns a network as the register records it when it first appears; null for one that a registry delegates. */
export function networkOf(range: AddressRange, object: RpslObject): Network | null {
  const netname = valueOf(object, 'netname')?.slice(0, 80);
  if (!netname || !/ non-portable$/i.test(valueOf(object, 'status') ?? '')) return null;
  const description = valueOf(object, 'descr')?.slice(0, longestDescription) ?? null;
  return { range, type: typeOf(object), netname, description, economy: economyOf(object) };
}
