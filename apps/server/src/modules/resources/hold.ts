import { yearsAfter } from '@portal/contract/days';
import { containsRange, type NumberResource, parsePrefix } from '@portal/number-resources';

/** Space from the last pool of IPv4 may not be transferred for some years after it was delegated. */
export type HoldPolicy = { lastSlash8: string; holdYears: number };

/** The day from which the resource may be transferred, or null when it always may. A delegation of 29 February is free on 28 February. */
export function holdUntil(resource: NumberResource, delegatedOn: string | null, { lastSlash8, holdYears }: HoldPolicy): string | null {
  if (resource.family !== 'ipv4' || delegatedOn === null || !containsRange(parsePrefix(lastSlash8), resource)) return null;
  return yearsAfter(delegatedOn, holdYears);
}
