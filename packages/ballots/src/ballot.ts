import { type Answer, answerJson, createAnswer, readAnswer, verifyAnswer } from './answer.ts';
import { encrypt } from './ciphertext.ts';
import { publicOf } from './credential.ts';
import type { Election } from './election.ts';
import { isElement } from './group.ts';
import { jsonHash } from './hash.ts';
import { parseJson, readElement, readFields, readList, readText } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { type Proof, proofJson, proveSecret, readProof, verifySecret } from './proof.ts';
import { areChoices, numbersOf } from './question.ts';
import { type RandomBytes, randomExponent, systemRandom } from './random.ts';
import { refuseUnless } from './refusal.ts';

/** A ballot (section 4.15). */
export type Ballot = {
  electionUuid: string;
  electionHash: string;
  /** The public credential that signed it. */
  credential: bigint;
  answers: readonly Answer[];
  signature: { hash: string; proof: Proof };
};

/** Secrets of a ballot that its voter alone knows: the numbers of each answer, and the randomness with which each was encrypted. */
export type BallotOpening = { choices: readonly (readonly number[])[]; randomness: readonly (readonly bigint[])[] };

const unsignedJson = ({ electionUuid, electionHash, credential, answers }: Omit<Ballot, 'signature'>) => ({
  election_uuid: electionUuid,
  election_hash: electionHash,
  credential: `${credential}`,
  answers: answers.map(answerJson),
});

/** The one text that a ballot has: no space, fields in the order of the specification (section 4.15). */
const printBallot = (ballot: Ballot): string =>
  JSON.stringify({
    ...unsignedJson(ballot),
    signature: { hash: ballot.signature.hash, proof: proofJson(ballot.signature.proof) },
  });

const signaturePrefix = (hash: string): string => `sig|${hash}|`;
const contextOf = (election: Election, credential: bigint): string => `${election.fingerprint}|${credential}`;

/** The smart ballot tracker: the hash of the text of a ballot (section 4.15). It proves that the ballot is in the box, and says nothing of the vote. */
export const trackerOf = (text: string): Promise<string> => jsonHash(text);

/**
 * Encrypts and signs a vote (sections 4.11, 4.14 and 4.15).
 * @param choices the numbers of each answer: `choicesOf`
 * @param secret the secret exponent of the credential
 * @param onProgress called after each number that is encrypted and proved, with how many are done and how many there are
 * @returns the text that is cast, its tracker, and what opens it; the opening proves to others how was voted, so it is kept only to check a ballot that is then
 *   not cast
 * @throws {RangeError} for a vote that the questions do not allow
 */
export async function createBallot(
  election: Election,
  {
    secret,
    choices,
    random = systemRandom,
    onProgress,
  }: {
    secret: bigint;
    choices: readonly (readonly number[])[];
    random?: RandomBytes;
    onProgress?: (done: number, all: number) => void;
  },
): Promise<{ text: string; tracker: string; opening: BallotOpening }> {
  if (choices.length !== election.questions.length) throw new RangeError('A vote answers each question, in their order');
  const credential = publicOf(secret);
  const context = contextOf(election, credential);
  const randomness = choices.map(numbers => numbers.map(() => randomExponent(random)));
  const answers: Answer[] = [];
  const all = choices.reduce((sum, numbers) => sum + numbers.length, 0);
  let done = 0;
  const onProof = onProgress && (() => onProgress(++done, all));
  for (const [place, question] of election.questions.entries())
    answers.push(
      await createAnswer(question, choices[place]!, { key: election.key, context, randomness: randomness[place]!, random, onProof }),
    );
  const unsigned = { electionUuid: election.uuid, electionHash: election.fingerprint, credential, answers };
  const hash = await jsonHash(JSON.stringify(unsignedJson(unsigned)));
  const text = printBallot({ ...unsigned, signature: { hash, proof: await proveSecret(secret, signaturePrefix(hash), { random }) } });
  return { text, tracker: await trackerOf(text), opening: { choices, randomness } };
}

/** Characters of numbers in messages, quotation marks and names of fields included. */
const ELEMENT = 617 + 16;
const PROOF = 2 * 78 + 40;

/** The longest text that a ballot of this election can have, in characters, which are bytes. */
export function maxBallotLength({ questions }: Election): number {
  const lengths = questions.map(question => {
    const numbers = numbersOf(question);
    return numbers * (2 * ELEMENT + 2 * PROOF + 8) + (question.max - question.min + 4) * PROOF + 200;
  });
  return lengths.reduce((sum, length) => sum + length, ELEMENT + PROOF + 500);
}

/**
 * Reads the text of a ballot of this election, whose numbers and proofs have not been checked. One ballot has one text: any other spelling is refused, so that no ballot
 * can be copied into another one with the same votes and another tracker.
 * @throws {Refusal}
 */
export function readBallot(election: Election, text: string): Ballot {
  const what = 'The ballot';
  const fields = readFields(
    // Eight values for a proof or a ciphertext, names not counted, is more than they have.
    parseJson(text, what, { length: maxBallotLength(election), depth: 7, values: 100 + maxBallotLength(election) / 20 }),
    what,
    ['election_uuid', 'election_hash', 'credential', 'answers', 'signature'],
  );
  const electionUuid = readText(fields.election_uuid, 'The identifier of the election');
  const electionHash = readText(fields.election_hash, 'The hash of the election');
  refuseUnless(
    electionUuid === election.uuid && electionHash === election.fingerprint,
    'OTHER_ELECTION',
    'The ballot was made for another election, or for other questions',
  );
  const count = election.questions.length;
  const answers = readList(fields.answers, 'The list of answers', { min: count, max: count });
  const signature = readFields(fields.signature, 'The signature', ['hash', 'proof']);
  const ballot: Ballot = {
    electionUuid,
    electionHash,
    credential: readElement(fields.credential, 'The credential'),
    answers: answers.map((answer, place) => readAnswer(answer, election.questions[place]!, `answer ${place + 1}`)),
    signature: { hash: readText(signature.hash, 'The hash of the signature'), proof: readProof(signature.proof, 'the signature') },
  };
  refuseUnless(printBallot(ballot) === text, 'FORM', 'The ballot is not written in its one form: its fields in their order, and no spaces');
  return ballot;
}

/**
 * Checks everything about a ballot that can be checked without knowing other ballots: form, election, signature, elements and proofs (sections 4.11 to 4.15).
 * Whether its credential is on the list, and has not been used, the caller checks.
 * @throws {Refusal}
 */
export async function verifyBallot(election: Election, text: string, { powers = bigintPowers }: { powers?: Powers } = {}): Promise<Ballot> {
  const ballot = readBallot(election, text);
  await checkBallot(election, ballot, { powers });
  return ballot;
}

/** Checks the signature, the elements and the proofs of a ballot that has been read (sections 4.11 to 4.14). @throws {Refusal} */
export async function checkBallot(election: Election, ballot: Ballot, { powers = bigintPowers }: { powers?: Powers } = {}): Promise<void> {
  const { credential, signature, answers } = ballot;
  refuseUnless(isElement(credential, powers), 'NOT_AN_ELEMENT', 'The credential is not an element of the group');
  const hash = await jsonHash(JSON.stringify(unsignedJson(ballot)));
  refuseUnless(signature.hash === hash, 'PROOF', 'The signature is of another ballot');
  const isSigned = await verifySecret(signature.proof, signaturePrefix(hash), { image: credential, powers });
  refuseUnless(isSigned, 'PROOF', 'The ballot is not signed with its credential');
  const context = contextOf(election, credential);
  for (const [place, question] of election.questions.entries()) {
    const holds = await verifyAnswer(question, answers[place]!, { key: election.key, context, powers });
    refuseUnless(holds, 'PROOF', `A proof of answer ${place + 1} does not hold`);
  }
}

/**
 * True if a ballot contains these numbers, encrypted with this randomness: what a voter sees who checks a ballot instead of casting it (Benaloh's challenge).
 * Its proofs are checked by `verifyBallot`.
 */
export function opens(election: Election, ballot: Ballot, { choices, randomness }: BallotOpening): boolean {
  return election.questions.every((question, place) => {
    const [numbers, exponents, answer] = [choices[place] ?? [], randomness[place] ?? [], ballot.answers[place]!];
    if (!areChoices(question, numbers) || exponents.length !== numbers.length) return false;
    return answer.choices.every(({ alpha, beta }, number) => {
      const { ciphertext } = encrypt(election.key, numbers[number]!, exponents[number]!);
      return ciphertext.alpha === alpha && ciphertext.beta === beta;
    });
  });
}
