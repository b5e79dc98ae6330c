import { expect, test } from 'vitest';
import { recordedElection } from '../test/recorded-archive.ts';
import { printElection, readElection, isElectionId, newElectionId } from './election.ts';
import { modulus } from './modulus.ts';
import { generator } from './group.ts';
import { bigintPowers as powers } from './powers.ts';
import { candidateQuestion, resolutionQuestion } from './question.ts';
import { createTrusteeKey } from './trustee-key.ts';
import { verifyTrustees } from './trustees.ts';

const { electionText } = await recordedElection();

test('an election of belenios-tool is read, and written as it was', async () => {
  const election = await readElection(electionText);
  expect(printElection(election)).toBe(electionText);
  expect(election).toMatchObject({ name: 'Council', administrator: 'Registry', credentialAuthority: 'Auditor' });
  expect(election.questions).toEqual([
    { question: 'Two seats', answers: ['Ana', 'Bo', 'Chidi'], min: 0, max: 2, blank: false },
    { question: 'Resolution 1', answers: ['Yes', 'No'], min: 1, max: 1, blank: true },
  ]);
});

test('our questions are read as they were written', async () => {
  const parameters = {
    uuid: newElectionId(),
    name: 'Council “2026”',
    description: 'Über\n\u0007\u007f',
    questions: [candidateQuestion('Seats', ['Ana', 'Bo'], 3), resolutionQuestion('Resolution')],
    publicKey: generator.power(5n),
    administrator: null,
    credentialAuthority: null,
  };
  expect(await readElection(printElection(parameters))).toMatchObject(parameters);
  expect(isElectionId(parameters.uuid)).toBe(true);
  for (const text of ['', 'abc', '0123456789abcdef', `${parameters.uuid}/`, '1'.repeat(101)]) expect(isElectionId(text)).toBe(false);
});

type Fields = { version: number; group: string; public_key: string; uuid: string; questions: Record<string, unknown>[] };
test.each<[string, string, (election: Fields) => void]>([
  ['of another version', 'UNSUPPORTED', election => void (election.version = 2)],
  ['in another group', 'UNSUPPORTED', election => void (election.group = 'RFC-3526-2048')],
  ['whose key is outside of the group', 'NOT_AN_ELEMENT', election => void (election.public_key = '2')],
  ['whose key is of order two', 'NOT_AN_ELEMENT', election => void (election.public_key = `${modulus - 1n}`)],
  ['whose key is 1', 'TRUSTEES', election => void (election.public_key = '1')],
  ['with a name of a file for its identifier', 'FORM', election => void (election.uuid = '../../etc/passwd')],
  ['without questions', 'FORM', election => void (election.questions = [])],
  [
    'with ranked answers',
    'UNSUPPORTED',
    election => void (election.questions[0] = { type: 'NonHomomorphic', value: { answers: ['A'], question: 'Q' } }),
  ],
  ['with more choices than answers', 'TOO_LARGE', election => void (election.questions[0]!.max = 4)],
  ['with fewer choices at most than at least', 'TOO_LARGE', election => void (election.questions[1]!.min = 2)],
  ['with a question without answers', 'FORM', election => void (election.questions[0]!.answers = [])],
  ['with a blank vote of another kind', 'FORM', election => void (election.questions[1]!.blank = 1)],
  ['with an unknown field', 'FORM', election => void (election.questions[1]!.weight = 1)],
  ['with too long an answer', 'TOO_LARGE', election => void (election.questions[0]!.answers = ['a'.repeat(2_001)])],
])('an election %s is refused', async (_, code, change) => {
  const election = JSON.parse(electionText) as Fields;
  change(election);
  await expect(readElection(JSON.stringify(election))).rejects.toThrow(expect.objectContaining({ code }));
});

test('a trustee whose private key is 0 is refused', async () => {
  const key = await createTrusteeKey(0n);
  await expect(verifyTrustees([{ kind: 'Single', key }], { powers })).rejects.toThrow(/its private key is 0/);
});
