import { containsRange, type NumberResource, parsePrefix } from '@portal/number-resources';

/** Space from the last pool of IPv4 may not be transferred for some years after it was delegated (domain/resources.md 2.13). */
export type HoldPolicy = { lastSlash8: string; holdYears: number };

/** The day from which the resource may be transferred, or null when it always may. A delegation of 29 February is free on 28 February (19.1). */
export function holdUntil(resource: NumberResource, delegatedOn: string | null, { lastSlash8, holdYears }: HoldPolicy): string | null {
  if (resource.family !== 'ipv4' || delegatedOn === null || !containsRange(parsePrefix(lastSlash8), resource)) return null;
  const [year = '', month = '', day = ''] = delegatedOn.split('-');
  const then = String(Number(year) + holdYears).padStart(4, '0');
  const leap = month === '02' && day === '29' && new Date(`${then}-02-29T00:00:00Z`).getUTCMonth() !== 1;
  return `${then}-${month}-${leap ? '28' : day}`;
}
