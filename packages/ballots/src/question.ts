import { type Json, readCount, readFields, readList, readText } from './json.ts';
import { Refusal, refuseUnless } from './refusal.ts';

/** Answers of one question at most: proofs and sums are made for each. */
const MAX_ANSWERS = 200;
const MAX_TEXT = 2_000;

/** A homomorphic question (section 4.9.1). */
export type Question = {
  question: string;
  answers: readonly string[];
  /** How many answers are chosen: from min to max, or with `blank` none at all. */
  min: number;
  max: number;
  /** Whether a vote may say that it chooses nothing. Those are counted. */
  blank: boolean;
};

/** Choosing candidates, up to so many, or none: empty votes are counted. */
export const candidateQuestion = (question: string, candidates: readonly string[], seats: number): Question => ({
  question,
  answers: candidates,
  min: 1,
  max: Math.min(seats, candidates.length),
  blank: true,
});

/** A resolution: yes, no, or abstain, which is the blank vote. */
export const resolutionQuestion = (question: string): Question => ({ question, answers: ['Yes', 'No'], min: 1, max: 1, blank: true });

/** Numbers that one answer to the question has: one for each of its answers, after one for the blank vote (section 4.11.1). */
export const numbersOf = ({ answers, blank }: Question): number => answers.length + (blank ? 1 : 0);

/**
 * The numbers of a vote: 1 for what is chosen and 0 for the others, after one for the blank vote (section 4.11.1).
 * @param chosen places of answers, from 0; none is the blank vote where there is one
 * @throws {RangeError} for a vote that the question does not allow
 */
export function choicesOf(question: Question, chosen: readonly number[]): number[] {
  const isBlank = question.blank && chosen.length === 0;
  const choices = question.answers.map((_, place) => (chosen.includes(place) ? 1 : 0));
  if (new Set(chosen).size !== chosen.length || choices.filter(choice => choice === 1).length !== chosen.length)
    throw new RangeError('An answer is chosen twice, or is not one of the question');
  if (!isBlank && (chosen.length < question.min || chosen.length > question.max))
    throw new RangeError(`${chosen.length} answers are chosen where ${question.min} to ${question.max} may be`);
  return question.blank ? [isBlank ? 1 : 0, ...choices] : choices;
}

/** True for numbers that a vote may have (section 4.11.1). */
export function areChoices(question: Question, choices: readonly number[]): boolean {
  if (choices.length !== numbersOf(question) || !choices.every(choice => choice === 0 || choice === 1)) return false;
  const chosen = (question.blank ? choices.slice(1) : choices).filter(choice => choice === 1).length;
  return question.blank && choices[0] === 1 ? chosen === 0 : chosen >= question.min && chosen <= question.max;
}

export const questionJson = ({ question, answers, min, max, blank }: Question) => ({
  answers,
  ...(blank && { blank }),
  min,
  max,
  question,
});

/** @throws {Refusal} UNSUPPORTED for questions that are not homomorphic */
export function readQuestion(value: Json, what: string): Question {
  if (value instanceof Map && value.has('type'))
    throw new Refusal('UNSUPPORTED', `${what} is not homomorphic: its votes would be decrypted one by one`);
  const fields = readFields(value, what, ['answers', 'min', 'max', 'question'], ['blank']);
  const answers = readList(fields.answers, `The list of answers of ${what}`, { min: 1, max: MAX_ANSWERS }).map(answer =>
    readText(answer, `An answer of ${what}`),
  );
  const max = readCount(fields.max, `max of ${what}`, answers.length);
  const min = readCount(fields.min, `min of ${what}`, max);
  const blank = fields.blank ?? false;
  refuseUnless(typeof blank === 'boolean', 'FORM', `blank of ${what} is neither true nor false`);
  const question = readText(fields.question, `The text of ${what}`);
  refuseUnless(
    [question, ...answers].every(text => text.length <= MAX_TEXT),
    'TOO_LARGE',
    `${what} has a text of more than ${MAX_TEXT} characters`,
  );
  return { question, answers, min, max, blank };
}
