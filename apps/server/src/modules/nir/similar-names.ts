import { breathing } from '../../platform/breathing.ts';

/** Letters by which a name may differ from the one that is proposed. */
const MAX_LETTERS = 2;

/**
 * Letters to add, leave out or change to get from one name to the other; more than two are counted as three. Only what two letters can reach is compared, so that it takes time
 * that grows with the length of the names.
 */
export function differingLetters(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_LETTERS) return MAX_LETTERS + 1;
  let [start, aEnd, bEnd] = [0, a.length, b.length];
  while (start < aEnd && start < bEnd && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (aEnd > start && bEnd > start && a.charCodeAt(aEnd - 1) === b.charCodeAt(bEnd - 1)) {
    aEnd--;
    bEnd--;
  }
  return fewestLetters(a, { at: start, end: aEnd }, b, { at: start, end: bEnd }, MAX_LETTERS);
}

type Part = { at: number; end: number };

/** Letters between two parts of which the first letters differ, by trying each way on; `most + 1` where it takes more. */
function fewestLetters(a: string, { at: aAt, end: aEnd }: Part, b: string, { at: bAt, end: bEnd }: Part, most: number): number {
  const rest = Math.max(aEnd - aAt, bEnd - bAt);
  if (aAt === aEnd || bAt === bEnd) return Math.min(rest, most + 1);
  if (most === 0) return 1;
  let least = most;
  for (const [left, right] of [
    [1, 1],
    [1, 0],
    [0, 1],
  ] as const) {
    let [one, other] = [aAt + left, bAt + right];
    while (one < aEnd && other < bEnd && a.charCodeAt(one) === b.charCodeAt(other)) {
      one++;
      other++;
    }
    least = Math.min(least, fewestLetters(a, { at: one, end: aEnd }, b, { at: other, end: bEnd }, most - 1));
  }
  return least + 1;
}

/**
 * Returns for each name that isn't among those there the only one of them that differs from it in the fewest letters, at most two; a name with two such is left out. Others have
 * their turn meanwhile: a hundred wrong names are compared with thousands.
 */
export async function nearestNames(wanted: readonly string[], names: readonly string[]): Promise<Map<string, string>> {
  const there = new Set(names);
  const nearest = new Map<string, string>();
  const breathe = breathing();
  for (const name of wanted) {
    if (there.has(name)) continue;
    let [least, only]: [number, string | null] = [MAX_LETTERS + 1, null];
    for (const [place, other] of names.entries()) {
      const letters = differingLetters(name, other);
      if (letters < least) [least, only] = [letters, other];
      else if (letters === least) only = null;
      if (place % STRETCH === 0) await breathe();
    }
    if (only !== null) nearest.set(name, only);
  }
  return nearest;
}

/** Names compared before others may have their turn: less than a millisecond's. */
const STRETCH = 64;
