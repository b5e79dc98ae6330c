/** HD ratio at which IPv6 space counts as used: 0.94, as the fraction 47/50 (RFC 3194; RIR IPv6 policies). */
const threshold = { numerator: 47, denominator: 50 };

/** The unit HD ratios count in: one /56 per end site. */
const unitLength = 56;

/** The prefix length a first allocation is never smaller than. */
const longestAllocation = 32;

/** HD ratio log(used) / log(total) of assigned /56s (RFC 3194), 0 to 1. Nothing used is 0; a total of one is 1 once used. */
export function hdRatio(used: bigint, total: bigint): number {
  if (used <= 0n) return 0;
  return used >= total ? 1 : Math.log(Number(used)) / Math.log(Number(total));
}

/**
 * Returns how many /56s must be assigned from a prefix of this length (0 to 56) before it counts as used: the least integer not below total^0.94.
 * @throws {RangeError} for any other length.
 */
export function hdThreshold(prefixLength: number): bigint {
  if (!Number.isInteger(prefixLength) || prefixLength < 0 || prefixLength > unitLength)
    throw new RangeError(`The HD ratio counts /${unitLength}s, of which a /${prefixLength} has none`);
  const power = 2n ** BigInt((unitLength - prefixLength) * threshold.numerator);
  const reaches = (count: bigint) => count ** BigInt(threshold.denominator) >= power;
  let needed = BigInt(Math.ceil(2 ** (((unitLength - prefixLength) * threshold.numerator) / threshold.denominator)));
  // The double is right to about 15 digits; the exact comparison settles the last one.
  while (needed > 1n && reaches(needed - 1n)) needed--;
  while (!reaches(needed)) needed++;
  return needed;
}

/** The length of the smallest prefix whose HD threshold is at least the planned /56s; never longer than /32, undefined if not even /0 is enough. */
export function suggestHdLength(planned: bigint): number | undefined {
  for (let length = longestAllocation; length >= 0; length--) if (hdThreshold(length) >= planned) return length;
  return undefined;
}
