import type { Ballot } from './ballot.ts';
import { addUp, type Ciphertext, ciphertextJson, neutral, readCiphertext, timesWeight } from './ciphertext.ts';
import type { Election } from './election.ts';
import { readHash } from './event.ts';
import { hexHash } from './hash.ts';
import { parseJson, readCount, readFields, readList } from './json.ts';
import { numbersOf } from './question.ts';
import { MAX_TOTAL_WEIGHT } from './credential-list.ts';

/** Encrypted sums: one for each number of each question (section 4.16). */
export type EncryptedTally = readonly (readonly Ciphertext[])[];
/** Encrypted sums, with how many ballots and votes they are of (section 4.16). */
export type SizedTally = { ballots: number; totalWeight: number; tally: EncryptedTally };

/**
 * Adds ballots up while they are encrypted (section 4.16). Ballots of one weight are added first, and their sum is multiplied by the weight once: a ballot costs
 * one product for each number, whatever its weight.
 */
export class TallyCount {
  readonly #empty: EncryptedTally;
  readonly #byWeight = new Map<number, EncryptedTally>();
  #ballots = 0;
  #totalWeight = 0;

  constructor({ questions }: Election) {
    this.#empty = questions.map(question => Array.from({ length: numbersOf(question) }, () => neutral));
  }

  /** Counts a ballot that has been verified. */
  add({ answers }: Ballot, weight: number): void {
    this.#ballots++;
    this.#totalWeight += weight;
    const choices = answers.map(answer => answer.choices);
    this.#byWeight.set(weight, addTallies(this.#byWeight.get(weight) ?? this.#empty, choices));
  }

  /** The sums of what has been counted. */
  total(): SizedTally {
    let tally = this.#empty;
    for (const [weight, sums] of this.#byWeight)
      tally = addTallies(
        tally,
        sums.map(row => row.map(ciphertext => timesWeight(ciphertext, weight))),
      );
    return { ballots: this.#ballots, totalWeight: this.#totalWeight, tally };
  }
}

const addTallies = (a: EncryptedTally, b: EncryptedTally): EncryptedTally =>
  a.map((row, question) => row.map((ciphertext, place) => addUp(ciphertext, b[question]![place]!)));

/** The two messages of an encrypted tally: the sums, and what refers to them by their hash (section 4.16). */
export async function printTally({ ballots, totalWeight, tally }: SizedTally): Promise<[tally: string, sized: string]> {
  const text = JSON.stringify(tally.map(row => row.map(ciphertextJson)));
  return [text, JSON.stringify({ num_tallied: ballots, total_weight: weightJson(totalWeight), encrypted_tally: await hexHash(text) })];
}

/** Numbers of votes are written as texts beyond 2^30 - 1, as `belenios-tool` does. */
export const weightJson = (weight: number): number | string => (weight < 2 ** 30 ? weight : `${weight}`);

/**
 * Reads the sums of a tally whose numbers have not been checked for their order (section 4.16): a trustee compares them with the sums of the ballots.
 * @throws {Refusal}
 */
export function readTally({ questions }: Election, text: string): EncryptedTally {
  const what = 'The tally';
  const value = parseJson(text, what, { length: 20_000_000, depth: 3, values: 200_000 });
  return readList(value, what, { min: questions.length, max: questions.length }).map((row, place) => {
    const numbers = numbersOf(questions[place]!);
    return readList(row, `Row ${place + 1} of the tally`, { min: numbers, max: numbers }).map(each => readCiphertext(each, 'a sum'));
  });
}

/** Reads the message that refers to a tally (section 4.16). @throws {Refusal} */
export function readSizedTally(text: string): { ballots: number; totalWeight: number; hash: string } {
  const what = 'The size of the tally';
  const value = parseJson(text, what, { length: 1_000, depth: 1, values: 10 });
  const fields = readFields(value, what, ['num_tallied', 'total_weight', 'encrypted_tally']);
  const weight = fields.total_weight;
  return {
    ballots: readCount(fields.num_tallied, 'The number of ballots', MAX_TOTAL_WEIGHT),
    totalWeight: readCount(
      typeof weight === 'string' && /^[1-9][0-9]{9,14}$/.test(weight) ? Number(weight) : weight,
      'The number of votes',
      MAX_TOTAL_WEIGHT,
    ),
    hash: readHash(fields.encrypted_tally, 'The hash of the tally'),
  };
}
