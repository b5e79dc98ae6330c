/** Voters of one weight who have voted. */
export type WeightClass = { weight: number; ballots: number };

/** Votes of an election for which classes are compared. */
const MAX_VOTES = 10_000_000;

/**
 * The classes of weight whose votes every sum tells, whatever it is: no other votes could make up for one more or fewer of theirs. With one ballot the sum says how that voter
 * voted; with several it says how many of them chose an answer, and so what each did when they agree. Named before the sums are decrypted
 * (docs/decisions/0227-credentials-trustees-archive.md).
 *
 * Two sets of votes with the same sum differ by numbers of votes of each class that add up to nothing. A class is readable if it has no part in any such difference. Sums that are
 * readable by chance, as when all agree, are not foreseen. A class of many ballots is readable in every election in which all have one vote: that is the result.
 * @throws {RangeError} beyond 10,000,000 votes
 */
export function readableWeights(classes: readonly WeightClass[]): WeightClass[] {
  const voted = classes.filter(({ weight, ballots }) => weight > 0 && ballots > 0);
  const total = voted.reduce((sum, { weight, ballots }) => sum + weight * ballots, 0);
  if (total > MAX_VOTES) throw new RangeError(`Classes are compared up to ${MAX_VOTES} votes`);
  return voted.filter(each => {
    const others = voted.filter(other => other !== each);
    const differences = differencesOf(others);
    const zero = others.reduce((sum, { weight, ballots }) => sum + weight * ballots, 0);
    return Array.from({ length: each.ballots }, (_, place) => (place + 1) * each.weight).every(
      difference => ((differences >> BigInt(zero + difference)) & 1n) === 0n,
    );
  });
}

/** Differences between two sums of votes of these classes, as bits: the lowest is the most negative one, minus all votes. */
function differencesOf(classes: readonly WeightClass[]): bigint {
  let bits = 1n;
  // From minus to plus all ballots there are so many steps; each power of two of them is taken or not.
  for (const { weight, ballots } of classes)
    for (let left = 2 * ballots, step = 1; left > 0; left -= step, step *= 2) bits |= bits << BigInt(weight * Math.min(step, left));
  return bits;
}
