import type { KeptRoa } from './roa-changes.ts';

/**
 * Up to this many ROAs of an account have an object each, so that losing one prefix affects no other (RFC 9455). With more, those of one AS share an
 * object, until there are clearly fewer, so that an account at the limit doesn't switch back and forth.
 */
export const singleUpTo = 100;
const SINGLE_AGAIN_BELOW = 90;
/** Maximum number of prefixes in one object, to limit its size for relying parties. */
const MAX_PREFIXES = 500;

/** The ROAs that share an object, group by group. @param isShared whether they share objects now */
export function groupRoas(roas: readonly KeptRoa[], isShared: boolean): KeptRoa[][] {
  if (roas.length < (isShared ? SINGLE_AGAIN_BELOW : singleUpTo + 1)) return roas.map(roa => [roa]);
  return [...Map.groupBy(roas, ({ asn }) => asn).values()].flatMap(same =>
    Array.from({ length: Math.ceil(same.length / MAX_PREFIXES) }, (_, part) => same.slice(part * MAX_PREFIXES, (part + 1) * MAX_PREFIXES)),
  );
}
