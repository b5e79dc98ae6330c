import type { Election } from './election.ts';
import { generator, invert, modOrder, multiply, order } from './group.ts';
import { parseJson, readCount, readFields, readList } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { MAX_TOTAL_WEIGHT } from './credential-list.ts';
import type { PartialDecryption } from './partial-decryption.ts';
import { numbersOf } from './question.ts';
import { Refusal, refuseUnless } from './refusal.ts';
import { type SizedTally, weightJson } from './tally.ts';
import type { Trustees } from './trustees.ts';

/** The votes that each number of each question has, in the order of ballots: blank votes first where there are any (section 4.19). */
export type ElectionResult = readonly (readonly number[])[];

/**
 * Numbers of trustees whose partial decryptions are missing for a result: each that is needed, and of several as many as are missing to their threshold (section
 * 4.19).
 * @param owners numbers of trustees, from 1, whose partial decryptions are there
 */
export function missingDecryptions(trustees: Trustees, owners: ReadonlySet<number>): { of: readonly number[]; count: number }[] {
  let next = 1;
  return trustees.flatMap(({ kind, key }) => {
    const numbers = Array.from({ length: kind === 'Single' ? 1 : key.shares.length }, () => next++);
    const missing = numbers.filter(number => !owners.has(number));
    const count = (kind === 'Single' ? 1 : key.threshold) - (numbers.length - missing.length);
    return count > 0 ? [{ of: missing, count }] : [];
  });
}

/** How much each trustee's factors count in the decryption: Lagrange's coefficients where several share a key, 1 for others (section 4.19). */
function coefficientsOf(trustees: Trustees, owners: ReadonlySet<number>): Map<number, bigint> {
  const coefficients = new Map<number, bigint>();
  let first = 1;
  for (const { kind, key } of trustees) {
    if (kind === 'Single') coefficients.set(first++, 1n);
    else {
      const places = key.shares.flatMap((_, place) => (owners.has(first + place) ? [place + 1] : [])).slice(0, key.threshold);
      for (const place of places) coefficients.set(first + place - 1, lagrange(places, place));
      first += key.shares.length;
    }
  }
  return coefficients;
}

/** Lagrange's coefficient of a place for the value at 0, modulo the order (section 4.19). */
const lagrange = (places: readonly number[], of: number): bigint =>
  places
    .filter(place => place !== of)
    .reduce((product, place) => modOrder(product * BigInt(place) * inverseModOrder(BigInt(place - of))), 1n);

/** The inverse modulo the order, which is a prime: Euclid's algorithm. */
function inverseModOrder(number: bigint): bigint {
  let [a, b, x, y] = [order, modOrder(number), 0n, 1n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return modOrder(x);
}

/** Elements to the power of the votes that they stand for: the sums, decrypted (section 4.19). @throws {Refusal} if decryptions are missing */
function decrypted(
  { tally }: SizedTally,
  trustees: Trustees,
  { decryptions, powers }: { decryptions: ReadonlyMap<number, PartialDecryption>; powers: Powers },
): bigint[][] {
  const owners = new Set(decryptions.keys());
  const missing = missingDecryptions(trustees, owners);
  if (missing.length > 0)
    throw new Refusal(
      'TRUSTEES',
      `Partial decryptions are missing: ${missing.map(({ of, count }) => `${count} of trustees ${of.join(', ')}`).join('; ')}`,
    );
  const coefficients = [...coefficientsOf(trustees, owners)];
  return tally.map((row, question) =>
    row.map(({ beta }, place) => {
      const factor = coefficients.reduce((product, [owner, coefficient]) => {
        const part = decryptions.get(owner)!.factors[question]![place]!;
        return multiply(product, coefficient === 1n ? part : powers(part, [coefficient])[0]!);
      }, 1n);
      return multiply(beta, invert(factor, powers));
    }),
  );
}

/** The exponent from 0 to `max` that leads from the generator to each element, or null (baby steps and giant steps). */
function logarithms(max: number): (element: bigint) => number | null {
  const width = Math.ceil(Math.sqrt(max + 1));
  const steps = new Map<bigint, number>();
  let power = 1n;
  for (let exponent = 0; exponent < width; exponent++) {
    steps.set(power, exponent);
    power = multiply(power, generator.base);
  }
  const giant = invert(power);
  return element => {
    let rest = element;
    for (let turn = 0; turn < width; turn++) {
      const found = steps.get(rest);
      if (found !== undefined) return turn * width + found <= max ? turn * width + found : null;
      rest = multiply(rest, giant);
    }
    return null;
  };
}

/**
 * Combines partial decryptions that have been verified into the result (section 4.19).
 * @param decryptions by the number of their trustee, from 1
 * @throws {Refusal} if decryptions are missing, or do not lead to numbers of votes
 */
export function combineResult(
  tally: SizedTally,
  trustees: Trustees,
  { decryptions, powers = bigintPowers }: { decryptions: ReadonlyMap<number, PartialDecryption>; powers?: Powers },
): ElectionResult {
  const logarithm = logarithms(tally.totalWeight);
  return decrypted(tally, trustees, { decryptions, powers }).map(row =>
    row.map(element => {
      const votes = logarithm(element);
      if (votes === null) throw new Refusal('RESULT', 'The partial decryptions do not lead to a number of votes');
      return votes;
    }),
  );
}

/** Checks that a result is that of the tally (section 4.19). @throws {Refusal} */
export function verifyResult(
  tally: SizedTally,
  result: ElectionResult,
  {
    trustees,
    decryptions,
    powers = bigintPowers,
  }: { trustees: Trustees; decryptions: ReadonlyMap<number, PartialDecryption>; powers?: Powers },
): void {
  const elements = decrypted(tally, trustees, { decryptions, powers });
  const holds = elements.every((row, question) =>
    row.every((element, place) => {
      const votes = result[question]![place]!;
      return votes <= tally.totalWeight && element === generator.power(BigInt(votes));
    }),
  );
  refuseUnless(holds, 'RESULT', 'The result is not the one that the trustees decrypted');
}

/** The text of a result (section 4.19). */
export const printResult = (result: ElectionResult): string => JSON.stringify({ result: result.map(row => row.map(weightJson)) });

/** Reads a result of this election (section 4.19). @throws {Refusal} */
export function readResult({ questions }: Election, text: string): ElectionResult {
  const what = 'The result';
  const { result } = readFields(parseJson(text, what, { length: 1_000_000, depth: 3, values: 50_000 }), what, ['result']);
  return readList(result, what, { min: questions.length, max: questions.length }).map((row, place) => {
    const numbers = numbersOf(questions[place]!);
    return readList(row, `Row ${place + 1} of the result`, { min: numbers, max: numbers }).map(votes =>
      readCount(
        typeof votes === 'string' && /^[1-9][0-9]{9,14}$/.test(votes) ? Number(votes) : votes,
        'A number of votes',
        MAX_TOTAL_WEIGHT,
      ),
    );
  });
}
