import { GROUP, isElement } from './group.ts';
import { jsonHash } from './hash.ts';
import { type Json, parseJson, readCount, readElement, readFields, readList, readText } from './json.ts';
import { type FixedBase, fixedBase } from './powers.ts';
import { type Question, questionJson, readQuestion } from './question.ts';
import { type RandomBytes, randomDigits } from './random.ts';
import { refuseUnless } from './refusal.ts';

const MAX_QUESTIONS = 100;
/** The longest text of an election, in characters. */
const MAX_LENGTH = 1_000_000;

/** Subject and rules of an election, as its text has them (section 4.10). */
export type ElectionParameters = {
  /** The identifier: base 58 digits, at least 14 (section 4.2). */
  uuid: string;
  name: string;
  description: string;
  questions: readonly Question[];
  /** The product of the keys of the trustees (section 3.1.1). */
  publicKey: bigint;
  administrator: string | null;
  credentialAuthority: string | null;
};

/** The parameters of an election, with its one text, the hash of that (section 4.15), and a table of powers of its key. */
export type Election = ElectionParameters & { text: string; fingerprint: string; key: FixedBase };

/** Returns a new identifier of an election (section 4.2). */
export const newElectionId = (random?: RandomBytes): string => randomDigits(14, random);
/** True for base 58 digits, at least 14 (section 4.2). */
export const isElectionId = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{14,100}$/.test(text);

/** The text of an election, from which all that follows has its hash: it never changes (section 4.10). */
export const printElection = (parameters: ElectionParameters): string =>
  JSON.stringify({
    version: 1,
    description: parameters.description,
    name: parameters.name,
    group: GROUP,
    public_key: `${parameters.publicKey}`,
    questions: parameters.questions.map(questionJson),
    uuid: parameters.uuid,
    ...(parameters.administrator !== null && { administrator: parameters.administrator }),
    ...(parameters.credentialAuthority !== null && { credential_authority: parameters.credentialAuthority }),
  });

/**
 * Reads the text of an election (section 4.10).
 * @throws {Refusal} UNSUPPORTED for another group, another version, and questions that are not homomorphic
 */
export async function readElection(text: string): Promise<Election> {
  const what = 'The election';
  const value = parseJson(text, what, { length: MAX_LENGTH, depth: 5, values: 50_000 });
  const fields = readFields(
    value,
    what,
    ['version', 'description', 'name', 'group', 'public_key', 'questions', 'uuid'],
    ['administrator', 'credential_authority'],
  );
  refuseUnless(readCount(fields.version, 'The version', 1_000) === 1, 'UNSUPPORTED', 'The election is not of version 1 of the protocol');
  refuseUnless(fields.group === GROUP, 'UNSUPPORTED', `The election is in another group than ${GROUP}`);
  const publicKey = readElement(fields.public_key, 'The public key of the election');
  refuseUnless(isElement(publicKey), 'NOT_AN_ELEMENT', 'The public key of the election is not an element of the group');
  refuseUnless(publicKey !== 1n, 'TRUSTEES', 'The public key of the election is 1: everyone could read its ballots');
  const uuid = readText(fields.uuid, 'The identifier of the election');
  refuseUnless(isElectionId(uuid), 'FORM', 'The identifier of the election is not made of 14 base 58 digits or more');
  const optionalText = (field: Json | undefined): string | null => (field === undefined ? null : readText(field, 'A name'));
  return {
    uuid,
    name: readText(fields.name, 'The name of the election'),
    description: readText(fields.description, 'The description of the election'),
    questions: readList(fields.questions, 'The list of questions', { min: 1, max: MAX_QUESTIONS }).map((question, place) =>
      readQuestion(question, `question ${place + 1}`),
    ),
    publicKey,
    administrator: optionalText(fields.administrator),
    credentialAuthority: optionalText(fields.credential_authority),
    text,
    fingerprint: await jsonHash(text),
    key: fixedBase(publicKey),
  };
}
