import {
  addUp,
  type Ciphertext,
  ciphertextJson,
  encrypt,
  type Encryption,
  neutral,
  printCiphertexts,
  readCiphertext,
} from './ciphertext.ts';
import { proveOneOf, type Statement, verifyOneOf } from './disjunction.ts';
import { modOrder } from './group.ts';
import { type Json, readFields, readList } from './json.ts';
import type { FixedBase, Powers } from './powers.ts';
import { type Proof, proofJson, readProof } from './proof.ts';
import { areChoices, numbersOf, type Question } from './question.ts';
import type { RandomBytes } from './random.ts';

/** An encrypted answer to a homomorphic question, with the proofs that it is one that the question allows (section 4.11). */
export type Answer = {
  choices: readonly Ciphertext[];
  /** For each choice, that it is 0 or 1. */
  individualProofs: readonly (readonly Proof[])[];
  /** That their sum is from min to max, or the vote is blank. */
  overallProof: readonly Proof[];
  /** Where votes may be blank: that the vote is not blank, or nothing is chosen. */
  blankProof: readonly Proof[] | null;
};

/** Values that the sum of choices may have. */
const sumsOf = ({ min, max }: Question): number[] => Array.from({ length: max - min + 1 }, (_, place) => min + place);

/** The statements of the proofs about the whole of an answer, of ciphertexts or of what is known of them (sections 4.12 and 4.13). */
function overallStatements<Known>(question: Question, blank: Known, sum: Known): Statement<Known>[] {
  const sums = sumsOf(question).map(value => ({ of: sum, value }));
  return question.blank ? [{ of: blank, value: 1 }, ...sums] : sums;
}
const blankStatements = <Known>(blank: Known, sum: Known): Statement<Known>[] => [
  { of: blank, value: 0 },
  { of: sum, value: 0 },
];

/** Prefixes of the challenges: `context` is the election, the credential and, for the proofs about the whole, all choices. */
const intervalPrefix = (context: string, ciphertext: Ciphertext): string => `prove|${context}|${printCiphertexts([ciphertext])}|`;
const overallPrefix = (question: Question, context: string, sum: Ciphertext): string =>
  question.blank ? `bproof1|${context}|` : intervalPrefix(context, sum);
const blankPrefix = (context: string): string => `bproof0|${context}|`;

/**
 * Encrypts the numbers of a vote, and proves that they are allowed (section 4.11.1).
 * @param context the fingerprint of the election, a vertical bar and the credential
 * @param onProof called after each of the proofs of its numbers
 * @throws {RangeError} for numbers that the question does not allow
 */
export async function createAnswer(
  question: Question,
  choices: readonly number[],
  {
    key,
    context,
    randomness,
    random,
    onProof = () => undefined,
  }: { key: FixedBase; context: string; randomness: readonly bigint[]; random: RandomBytes; onProof?: (() => void) | undefined },
): Promise<Answer> {
  if (!areChoices(question, choices)) throw new RangeError('The question does not allow this vote');
  const encryptions = choices.map((choice, place) => encrypt(key, choice, randomness[place]!));
  const ciphertexts = encryptions.map(({ ciphertext }) => ciphertext);
  const individualProofs: Proof[][] = [];
  for (const of of encryptions) {
    const statements = [0, 1].map(value => ({ of, value }));
    individualProofs.push(await proveOneOf(key, statements, intervalPrefix(context, of.ciphertext), random));
    onProof();
  }
  const whole = `${context}|${printCiphertexts(ciphertexts)}`;
  const sum = sumOf(question.blank ? encryptions.slice(1) : encryptions);
  const [first] = encryptions as [Encryption];
  const overall = overallStatements(question, first, sum);
  return {
    choices: ciphertexts,
    individualProofs,
    overallProof: await proveOneOf(key, overall, overallPrefix(question, whole, sum.ciphertext), random),
    blankProof: question.blank ? await proveOneOf(key, blankStatements(first, sum), blankPrefix(whole), random) : null,
  };
}

/** The sum of encrypted numbers, with what is known of it. */
const sumOf = (encryptions: readonly Encryption[]): Encryption => ({
  ciphertext: encryptions.reduce((sum, { ciphertext }) => addUp(sum, ciphertext), neutral),
  message: encryptions.reduce((sum, { message }) => sum + message, 0),
  randomness: modOrder(encryptions.reduce((sum, { randomness }) => sum + randomness, 0n)),
});

/**
 * True if all proofs of an answer hold, and its numbers are of the group (sections 4.11.1, 4.12 and 4.13.3).
 * @param context the fingerprint of the election, a vertical bar and the credential
 */
export async function verifyAnswer(
  question: Question,
  answer: Answer,
  { key, context, powers }: { key: FixedBase; context: string; powers: Powers },
): Promise<boolean> {
  const { choices, individualProofs, overallProof, blankProof } = answer;
  if (choices.length !== numbersOf(question) || individualProofs.length !== choices.length) return false;
  for (const [place, of] of choices.entries()) {
    const statements = [0, 1].map(value => ({ of, value }));
    if (!(await verifyOneOf(key, statements, individualProofs[place]!, { prefix: intervalPrefix(context, of), powers }))) return false;
  }
  const whole = `${context}|${printCiphertexts(choices)}`;
  const sum = (question.blank ? choices.slice(1) : choices).reduce(addUp, neutral);
  const [first] = choices as [Ciphertext];
  const prefix = overallPrefix(question, whole, sum);
  if (!(await verifyOneOf(key, overallStatements(question, first, sum), overallProof, { prefix, powers, isChecked: true }))) return false;
  if (!question.blank) return blankProof === null;
  if (blankProof === null) return false;
  return verifyOneOf(key, blankStatements(first, sum), blankProof, { prefix: blankPrefix(whole), powers, isChecked: true });
}

export const answerJson = ({ choices, individualProofs, overallProof, blankProof }: Answer) => ({
  choices: choices.map(ciphertextJson),
  individual_proofs: individualProofs.map(proofs => proofs.map(proofJson)),
  overall_proof: overallProof.map(proofJson),
  ...(blankProof !== null && { blank_proof: blankProof.map(proofJson) }),
});

/** Reads an answer to a question, whose numbers and proofs have not been checked. @throws {Refusal} */
export function readAnswer(value: Json, question: Question, what: string): Answer {
  const fields = readFields(value, what, ['choices', 'individual_proofs', 'overall_proof'], ['blank_proof']);
  const numbers = numbersOf(question);
  const proofs = (field: Json, name: string, count: number): Proof[] =>
    readList(field, `${name} of ${what}`, { min: count, max: count }).map(proof => readProof(proof, `${name} of ${what}`));
  return {
    choices: readList(fields.choices, `The list of choices of ${what}`, { min: numbers, max: numbers }).map(choice =>
      readCiphertext(choice, `a choice of ${what}`),
    ),
    individualProofs: readList(fields.individual_proofs, `The list of proofs of ${what}`, { min: numbers, max: numbers }).map(field =>
      proofs(field, 'a proof', 2),
    ),
    overallProof: proofs(fields.overall_proof, 'the overall proof', question.max - question.min + (question.blank ? 2 : 1)),
    blankProof: fields.blank_proof === undefined ? null : proofs(fields.blank_proof, 'the proof of a blank vote', 2),
  };
}
