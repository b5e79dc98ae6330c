import fc from 'fast-check';
import { joinBytes } from '../src/bytes.ts';
import { generator, invert, multiply } from '../src/group.ts';
import { hexHash, jsonHash } from '../src/hash.ts';
import { createBallot, type Election, newCredential, publicOf, type RefusalCode, secretOf } from '../src/index.ts';
import { modulus } from '../src/modulus.ts';
import { proofJson, proveSecret } from '../src/proof.ts';
import type { EventType } from '../src/event.ts';
import { readEvent } from '../src/event.ts';
import { castVotes, closeVoting, openVoting, ArchiveFile, singleTrustee, thresholdTrustees } from './small-election.ts';
import { readWhole } from './recorded-archive.ts';

type Step = { type: EventType; data: string[] };

/** A finished election whose parts can be exchanged: events with their messages, and all secrets. */
export async function finishedElection() {
  const voting = await openVoting({ weights: [1, 4, 64], trustees: [await singleTrustee(), await thresholdTrustees(2, 2)] });
  const texts = await castVotes(voting, [
    [
      [0, 1, 0, 1],
      [0, 1, 0],
    ],
    [
      [0, 1, 0, 0],
      [0, 0, 1],
    ],
    [
      [1, 0, 0, 0],
      [1, 0, 0],
    ],
  ]);
  const { decryptions } = await closeVoting(voting, texts);
  const steps: Step[] = [];
  let data: string[] = [];
  const { records } = await readWhole(voting.file.bytes);
  for (const { kind, text } of records)
    if (kind === 'data') data.push(text);
    else {
      steps.push({ type: readEvent(text).type, data });
      data = [];
    }
  return { ...voting, texts, decryptions, steps, bytes: voting.file.bytes };
}
export type Finished = Awaited<ReturnType<typeof finishedElection>>;

/** An archive with one changed byte, or with a record that is dropped, doubled, or exchanged with another one. */
export function anyDamage(bytes: Uint8Array): fc.Arbitrary<{ what: string; bytes: () => Uint8Array }> {
  const records: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(new TextDecoder().decode(bytes.subarray(at + 124, at + 135)), 8);
    const end = at + 512 + Math.ceil(length / 512) * 512;
    records.push(bytes.subarray(at, end));
    at = end;
  }
  const place = fc.nat(records.length - 1);
  const damaged = (what: string, parts: readonly Uint8Array[]) => ({ what, bytes: () => joinBytes(...parts) });
  return fc.oneof(
    fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, change]) => ({
      what: `byte ${at} changed`,
      bytes: () => bytes.map((byte, index) => (index === at ? byte ^ change : byte)),
    })),
    // An archive without its last event and message is one that is not finished.
    fc.nat(records.length - 3).map(at => damaged(`record ${at} dropped`, records.toSpliced(at, 1))),
    place.map(at => damaged(`record ${at} doubled`, records.toSpliced(at, 0, records[at]!))),
    fc
      .tuple(place, place)
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => damaged(`records ${a} and ${b} exchanged`, records.with(a, records[b]!).with(b, records[a]!))),
  );
}

/** Writes steps as an archive with right hashes throughout: only what they say is wrong. */
export async function archiveOf(steps: readonly Step[]): Promise<Uint8Array<ArrayBuffer>> {
  const file = new ArchiveFile();
  for (const { type, data } of steps) {
    const referring = [...data];
    // The last message names the others by their hashes.
    if (type === 'Setup')
      referring[3] = JSON.stringify({
        election: await hexHash(data[0]!),
        trustees: await hexHash(data[1]!),
        credentials: await hexHash(data[2]!),
      });
    else if (data.length === 2) {
      const last = JSON.parse(data[1]!) as Record<string, unknown>;
      const field = type === 'EncryptedTally' ? 'encrypted_tally' : 'payload';
      referring[1] = JSON.stringify({ ...last, [field]: await hexHash(data[0]!) });
    }
    await file.append(type, ...referring);
  }
  return file.bytes;
}

/** The archive with another weight of a voter, and right hashes throughout: only the list of credentials is wrong. */
export function reweighted({ steps, secrets }: Finished, voter: number, weight: number): Promise<Uint8Array<ArrayBuffer>> {
  const [setup, ...rest] = steps;
  const own = `${publicOf(secrets[voter]!)},`;
  const list = (JSON.parse(setup!.data[2]!) as string[]).map(entry => (entry.startsWith(own) ? `${own}${weight}` : entry));
  return archiveOf([{ ...setup!, data: setup!.data.with(2, JSON.stringify(list)) }, ...rest]);
}

type Numbers = { challenge: string; response: string };
type BallotJson = {
  election_uuid: string;
  election_hash: string;
  credential: string;
  answers: {
    choices: { alpha: string; beta: string }[];
    individual_proofs: Numbers[][];
    overall_proof: Numbers[];
    blank_proof?: Numbers[];
  }[];
  signature?: unknown;
};

/** Changes a ballot, and signs it anew with a secret: all but what was changed is right. */
async function changedBallot(text: string, secret: bigint, change: (ballot: BallotJson) => void): Promise<string> {
  const ballot = JSON.parse(text) as BallotJson;
  delete ballot.signature;
  change(ballot);
  const hash = await jsonHash(JSON.stringify(ballot));
  return JSON.stringify({ ...ballot, signature: { hash, proof: proofJson(await proveSecret(secret, `sig|${hash}|`)) } });
}
const more = (number: string): string => `${BigInt(number) + 1n}`;

/** One thing that is wrong with an election. */
export type Mutation = { name: string; code: RefusalCode; make: (kept: Finished) => Promise<Step[]> };

/** Replaces the ballot of the second voter by a changed one, signed by the same voter. */
const ballotChange = (name: string, code: RefusalCode, change: (ballot: BallotJson, kept: Finished) => void): Mutation => ({
  name,
  code,
  make: async kept => withBallot(kept, await changedBallot(kept.texts[1]!, kept.secrets[1]!, ballot => change(ballot, kept))),
});
const ballotText = (name: string, code: RefusalCode, make: (kept: Finished) => Promise<string> | string): Mutation => ({
  name,
  code,
  make: async kept => withBallot(kept, await make(kept)),
});
const withBallot = ({ steps }: Finished, text: string): Step[] => steps.with(2, { type: 'Ballot', data: [text] });

/** Changes one message of one step, as JSON. */
const messageChange = (
  name: string,
  code: RefusalCode,
  step: number,
  message: number,
  change: (json: never, kept: Finished) => void,
): Mutation => ({
  name,
  code,
  make: async kept => {
    const data = [...kept.steps[step]!.data];
    const json = JSON.parse(data[message]!) as never;
    change(json, kept);
    data[message] = JSON.stringify(json);
    return kept.steps.with(step, { ...kept.steps[step]!, data });
  },
});
const otherElection = async ({ credentials }: Finished): Promise<{ election: Election; secret: bigint }> => {
  const { election } = await openVoting();
  return { election, secret: await secretOf(credentials[1]!, election.uuid) };
};
const choices = [
  [0, 1, 0, 0],
  [0, 0, 1],
];

/** Ballots that are refused. */
const wrongBallots: readonly Mutation[] = [
  ballotChange('a changed proof of one choice', 'PROOF', ({ answers }) => {
    const [proof] = answers[0]!.individual_proofs[1]! as [Numbers];
    proof.challenge = more(proof.challenge);
  }),
  ballotChange('a changed proof of the sum', 'PROOF', ({ answers }) => {
    const [proof] = answers[0]!.overall_proof as [Numbers];
    proof.response = more(proof.response);
  }),
  ballotChange('a changed proof of the blank vote', 'PROOF', ({ answers }) => {
    const [, proof] = answers[1]!.blank_proof as [Numbers, Numbers];
    proof.response = more(proof.response);
  }),
  ballotChange('zero for an element', 'NOT_AN_ELEMENT', ({ answers }) => {
    answers[0]!.choices[1]!.alpha = '0';
  }),
  ballotChange('an element times the number of order two', 'PROOF', ({ answers }) => {
    answers[0]!.choices[1]!.beta = `${modulus - BigInt(answers[0]!.choices[1]!.beta)}`;
  }),
  ballotChange('a number outside of the subgroup', 'PROOF', ({ answers }) => {
    answers[0]!.choices[1]!.alpha = `${(2n * BigInt(answers[0]!.choices[1]!.alpha)) % modulus}`;
  }),
  ballotChange('an element plus the modulus', 'NOT_AN_ELEMENT', ({ answers }) => {
    answers[0]!.choices[1]!.alpha = `${BigInt(answers[0]!.choices[1]!.alpha) + modulus}`;
  }),
  ballotChange('a vote moved to another candidate', 'PROOF', ({ answers }) => {
    const { choices: list, individual_proofs: proofs } = answers[0]!;
    [list[1], list[2]] = [list[2]!, list[1]!];
    [proofs[1], proofs[2]] = [proofs[2]!, proofs[1]!];
  }),
  ballotChange('the answers of another voter', 'PROOF', (ballot, { texts }) => {
    ballot.answers = (JSON.parse(texts[0]!) as BallotJson).answers;
  }),
  ballotChange('a choice encrypted anew by someone who does not know it', 'PROOF', ({ answers }, { election }) => {
    const choice = answers[0]!.choices[1]!;
    choice.alpha = `${multiply(BigInt(choice.alpha), generator.power(5n))}`;
    choice.beta = `${multiply(BigInt(choice.beta), election.key.power(5n))}`;
  }),
  ballotChange('two votes instead of one for a candidate', 'PROOF', ({ answers }) => {
    const choice = answers[0]!.choices[1]!;
    choice.beta = `${multiply(BigInt(choice.beta), generator.base)}`;
  }),
  ballotChange('a vote taken away', 'PROOF', ({ answers }) => {
    const choice = answers[0]!.choices[1]!;
    choice.beta = `${multiply(BigInt(choice.beta), invert(generator.base))}`;
  }),
  ballotChange('an answer too few', 'FORM', ballot => {
    ballot.answers.pop();
  }),
  ballotChange('a choice too few', 'FORM', ({ answers }) => {
    answers[0]!.choices.pop();
    answers[0]!.individual_proofs.pop();
  }),
  ballotChange('no proof of the blank vote', 'PROOF', ({ answers }) => {
    delete answers[0]!.blank_proof;
  }),
  ballotChange('a proof of the sum for one more', 'TOO_LARGE', ({ answers }) => {
    answers[0]!.overall_proof.push(answers[0]!.overall_proof[0]!);
  }),
  ballotChange('the hash of other questions', 'OTHER_ELECTION', ballot => {
    ballot.election_hash = `${ballot.election_hash.startsWith('A') ? 'B' : 'A'}${ballot.election_hash.slice(1)}`;
  }),
  ballotChange('the identifier of another election', 'OTHER_ELECTION', ballot => {
    ballot.election_uuid = `${ballot.election_uuid.slice(1)}1`;
  }),
  ballotText('the signature of a stranger', 'PROOF', async ({ texts, election }) =>
    changedBallot(texts[1]!, await secretOf(newCredential(), election.uuid), () => {}),
  ),
  ballotText('the signature of another ballot of the voter', 'PROOF', async ({ texts, secrets, election }) => {
    const { text } = await createBallot(election, { secret: secrets[1]!, choices });
    return JSON.stringify({ ...(JSON.parse(texts[1]!) as BallotJson), signature: (JSON.parse(text) as BallotJson).signature });
  }),
  ballotText('a credential that is not on the list', 'CREDENTIAL', async ({ election }) => {
    const { text } = await createBallot(election, { secret: await secretOf(newCredential(), election.uuid), choices });
    return text;
  }),
  ballotText('the same private credential in another election', 'OTHER_ELECTION', async kept => {
    const { election, secret } = await otherElection(kept);
    return (await createBallot(election, { secret, choices })).text;
  }),
  ballotText('a space', 'FORM', ({ texts }) => texts[1]!.replace(',', ', ')),
  ballotText('a field twice', 'FORM', ({ texts, election }) => texts[1]!.replace('{', `{"election_uuid":"${election.uuid}",`)),
  ballotText('nothing', 'FORM', () => ''),
  ballotText('no JSON', 'FORM', ({ texts }) => texts[1]!.slice(0, -1)),
  ballotText('a zero before a number', 'FORM', ({ texts }) => texts[1]!.replace('"credential":"', '"credential":"0')),
];

/** Elections with right hashes throughout that are refused all the same, by `belenios-tool` too. */
export const wrongElections: readonly Mutation[] = [
  ...wrongBallots,
  { name: 'a ballot dropped', code: 'RESULT', make: async ({ steps }) => steps.toSpliced(2, 1) },
  messageChange('another weight', 'RESULT', 0, 2, (list: string[]) => {
    const place = list.findIndex(entry => entry.endsWith(',64'));
    list[place] = list[place]!.replace(',64', ',63');
  }),
  messageChange('a credential of a voter replaced', 'CREDENTIAL', 0, 2, (list: string[]) => {
    const place = list.findIndex(entry => entry.endsWith(',64'));
    list[place] = `${publicOf(5n)},64`;
  }),
  messageChange('a credential twice', 'CREDENTIAL', 0, 2, (list: string[]) => void list.push(list[0]!)),
  messageChange('a credential of order two', 'NOT_AN_ELEMENT', 0, 2, (list: string[]) => void list.push(`${modulus - 1n},1`)),
  messageChange('another public key of the election', 'TRUSTEES', 0, 0, (election: { public_key: string }) => {
    election.public_key = `${generator.power(7n)}`;
  }),
  messageChange('other questions', 'OTHER_ELECTION', 0, 0, (election: { questions: { question: string }[] }) => {
    election.questions[0]!.question = 'Three seats';
  }),
  messageChange('a trustee without proof of the key', 'PROOF', 0, 1, (list: [string, { pok: Numbers }][]) => {
    list[0]![1].pok.response = more(list[0]![1].pok.response);
  }),
  messageChange('another key of a trustee', 'PROOF', 0, 1, (list: [string, { public_key: string }][]) => {
    list[0]![1].public_key = `${generator.power(7n)}`;
  }),
  messageChange('another threshold', 'TRUSTEES', 0, 1, (list: [string, { threshold: number }][]) => {
    list[1]![1].threshold = 1;
  }),
  messageChange('coefficients of another trustee', 'TRUSTEES', 0, 1, (list: [string, { coefexps: unknown[] }][]) => {
    list[1]![1].coefexps.reverse();
  }),
  messageChange('shares of two trustees exchanged', 'TRUSTEES', 0, 1, (list: [string, { verification_keys: unknown[] }][]) => {
    list[1]![1].verification_keys.reverse();
  }),
  messageChange('another factor of a decryption', 'PROOF', 6, 0, ({ decryption_factors: factors }: { decryption_factors: string[][] }) => {
    factors[0]![0] = `${multiply(BigInt(factors[0]![0]!), generator.base)}`;
  }),
  messageChange(
    'a factor of a decryption of order two',
    'NOT_AN_ELEMENT',
    6,
    0,
    ({ decryption_factors: factors }: { decryption_factors: string[][] }) => {
      factors[0]![0] = `${modulus - BigInt(factors[0]![0]!)}`;
    },
  ),
  messageChange('another proof of a decryption', 'PROOF', 7, 0, ({ decryption_proofs: proofs }: { decryption_proofs: Numbers[][] }) => {
    proofs[1]![0]!.response = more(proofs[1]![0]!.response);
  }),
  messageChange('a decryption in the name of another trustee', 'PROOF', 6, 1, (owned: { owner: number }) => {
    owned.owner = 2;
  }),
  { name: 'a decryption too few', code: 'TRUSTEES', make: async ({ steps }) => steps.toSpliced(8, 1) },
  messageChange('another result', 'RESULT', 9, 0, ({ result }: { result: number[][] }) => {
    result[0]![1]!--;
    result[0]![2]!++;
  }),
  messageChange('a result of fewer questions', 'FORM', 9, 0, ({ result }: { result: number[][] }) => void result.pop()),
];

/** Elections that `belenios-tool` 2.0 accepts and we refuse. */
export const strictlyWrongElections: readonly Mutation[] = [
  {
    name: 'a ballot twice',
    code: 'SECOND_BALLOT',
    make: async ({ steps }) => steps.toSpliced(2, 0, steps[2]!),
  },
  {
    name: 'another ballot of a voter who has voted',
    code: 'SECOND_BALLOT',
    make: async ({ steps, election, secrets }) => {
      const { text } = await createBallot(election, { secret: secrets[1]!, choices });
      return steps.toSpliced(2, 0, { type: 'Ballot', data: [text] });
    },
  },
  messageChange('an encrypted tally that is not the sum of the ballots', 'RESULT', 5, 0, (tally: { alpha: string }[][]) => {
    tally[0]![0]!.alpha = '1';
  }),
  messageChange('an encrypted tally of more voters', 'RESULT', 5, 1, (sized: { num_tallied: number }) => void sized.num_tallied++),
  { name: 'two decryptions of a trustee', code: 'TRUSTEES', make: async ({ steps }) => steps.toSpliced(7, 0, steps[6]!) },
  { name: 'no end of voting', code: 'CHAIN', make: async ({ steps }) => steps.toSpliced(4, 1) },
  { name: 'a second result', code: 'CHAIN', make: async ({ steps }) => [...steps, steps.at(-1)!] },
  messageChange('a credential with which everyone could sign', 'CREDENTIAL', 0, 2, (list: string[]) => void list.push('1,1')),
];
