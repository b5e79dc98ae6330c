import type { KeptRoa } from './roa-changes.ts';

/**
 * Up to so many ROAs of an account have an object each, so that a prefix that is lost takes nothing else along (RFC 9455). With more, those of one AS share
 * an object, until there are clearly fewer: an account at the border must not have all of them made anew time and again.
 */
export const singleUpTo = 100;
const SINGLE_AGAIN_BELOW = 90;
/** Prefixes in one object: beyond it grows past what relying parties like to read. */
const MAX_PREFIXES = 500;

/** The ROAs that share an object, group by group. @param isShared whether they share objects now */
export function groupRoas(roas: readonly KeptRoa[], isShared: boolean): KeptRoa[][] {
  if (roas.length < (isShared ? SINGLE_AGAIN_BELOW : singleUpTo + 1)) return roas.map(roa => [roa]);
  return [...Map.groupBy(roas, ({ asn }) => asn).values()].flatMap(same =>
    Array.from({ length: Math.ceil(same.length / MAX_PREFIXES) }, (_, part) => same.slice(part * MAX_PREFIXES, (part + 1) * MAX_PREFIXES)),
  );
}
