import { opensslPowers as powers } from '../node/openssl-powers.ts';
import { joinBytes } from '../src/bytes.ts';
import {
  appendEvent,
  assembleThresholdKey,
  candidateQuestion,
  combineResult,
  createBallot,
  createCertificate,
  createPolynomial,
  createShare,
  createTrusteeKey,
  decryptPartly,
  type Election,
  type EventType,
  newCredential,
  newElectionId,
  newPrivateKey,
  newSeed,
  openShare,
  printArchiveHeader,
  printCredentialList,
  printElection,
  printPartialDecryption,
  printResult,
  printSetup,
  printTally,
  printTrustees,
  publicOf,
  type Question,
  readBallot,
  readElection,
  resolutionQuestion,
  routePolynomials,
  secretOf,
  TallyCount,
  type Tip,
  type Trustees,
  verifyCertificates,
  verifyTrustees,
} from '../src/index.ts';

/** Records of an archive as they are appended. */
export class ArchiveFile {
  readonly timestamp: number;
  #parts: Uint8Array[];
  tip: Tip | null = null;

  constructor(timestamp = 1_795_742_930) {
    this.timestamp = timestamp;
    this.#parts = [printArchiveHeader(timestamp)];
  }

  async append(type: EventType, ...data: string[]): Promise<void> {
    const { bytes, tip } = await appendEvent(this.tip, type, data, this.timestamp);
    this.#parts.push(bytes);
    this.tip = tip;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return joinBytes(...this.#parts);
  }
}

/** Several trustees who make a key together, with their private keys; so many of them decrypt. */
export async function thresholdTrustees(count: number, threshold: number) {
  const seeds = Array.from({ length: count }, () => newSeed());
  const certificates = await Promise.all(seeds.map(seed => createCertificate(seed)));
  const keys = await verifyCertificates(certificates, { powers });
  const polynomials = await Promise.all(seeds.map(seed => createPolynomial(keys, { seed, threshold })));
  const inputs = await routePolynomials(keys, polynomials, { powers });
  const shares = await Promise.all(seeds.map((seed, place) => createShare(keys, inputs[place]!, { seed, powers })));
  return {
    part: { kind: 'Pedersen' as const, key: await assembleThresholdKey(certificates, polynomials, shares, { powers }) },
    privateKeys: await Promise.all(shares.map(({ privateKey }, place) => openShare(keys, privateKey, seeds[place]!))),
  };
}

/** One trustee whose presence is needed, with the private key. */
export async function singleTrustee() {
  const privateKey = newPrivateKey();
  return { part: { kind: 'Single' as const, key: await createTrusteeKey(privateKey) }, privateKeys: [privateKey] };
}

export const smallQuestions: readonly Question[] = [
  candidateQuestion('Two seats', ['Ana', 'Bo', 'Chidi'], 2),
  resolutionQuestion('Resolution 1'),
];

/** An election up to the beginning of voting, and all secrets. */
export async function openVoting({
  weights = [1, 4, 64],
  questions = smallQuestions,
  trustees,
}: {
  weights?: readonly number[];
  questions?: readonly Question[];
  trustees?: { part: Trustees[number]; privateKeys: readonly bigint[] }[];
} = {}) {
  const parts = trustees ?? [await singleTrustee()];
  const uuid = newElectionId();
  const credentials = weights.map(() => newCredential());
  const secrets = await Promise.all(credentials.map(credential => secretOf(credential, uuid)));
  const list = new Map(secrets.map((secret, place) => [publicOf(secret), weights[place]!]));
  const trusteeList = parts.map(({ part }) => part);
  const election = await readElection(
    printElection({
      uuid,
      name: 'Council',
      description: 'Made for a test',
      questions,
      publicKey: await verifyTrustees(trusteeList, { powers }),
      administrator: 'Registry',
      credentialAuthority: 'Auditor',
    }),
  );
  const file = new ArchiveFile();
  await file.append('Setup', ...(await printSetup(election.text, printTrustees(trusteeList), printCredentialList(list))));
  return {
    election,
    file,
    credentials,
    secrets,
    list,
    trustees: trusteeList,
    privateKeys: parts.flatMap(({ privateKeys }) => privateKeys),
  };
}

export type OpenVoting = Awaited<ReturnType<typeof openVoting>>;

/** Casts the votes of the first voters, in their order. */
export async function castVotes(
  { election, file, secrets }: OpenVoting,
  votes: readonly (readonly (readonly number[])[])[],
): Promise<string[]> {
  const texts: string[] = [];
  for (const [place, choices] of votes.entries()) {
    const { text } = await createBallot(election, { secret: secrets[place]!, choices });
    texts.push(text);
    await file.append('Ballot', text);
  }
  return texts;
}

/** Sums of ballots in the archive. */
export function countBallots(election: Election, list: ReadonlyMap<bigint, number>, texts: readonly string[]) {
  const count = new TallyCount(election);
  for (const text of texts) {
    const ballot = readBallot(election, text);
    count.add(ballot, list.get(ballot.credential)!);
  }
  return count.total();
}

/** Closes voting, and has these trustees decrypt: numbers from 1, all if none are named. */
export async function closeVoting(voting: OpenVoting, texts: readonly string[], owners?: readonly number[]) {
  const { election, file, list, trustees, privateKeys } = voting;
  await file.append('EndBallots');
  const tally = countBallots(election, list, texts);
  await file.append('EncryptedTally', ...(await printTally(tally)));
  const decryptions = new Map<number, Awaited<ReturnType<typeof decryptPartly>>>();
  for (const owner of owners ?? privateKeys.map((_, place) => place + 1)) {
    const decryption = await decryptPartly(election, tally.tally, { privateKey: privateKeys[owner - 1]! });
    decryptions.set(owner, decryption);
    await file.append('PartialDecryption', ...(await printPartialDecryption(decryption, owner)));
  }
  const result = combineResult(tally, trustees, { decryptions, powers });
  await file.append('Result', printResult(result));
  return { tally, decryptions, result };
}

/** Sums of votes by plain counting. */
export function plainCount(
  questions: readonly Question[],
  votes: readonly (readonly (readonly number[])[])[],
  weights: readonly number[],
): number[][] {
  return questions.map((question, place) =>
    Array.from({ length: question.answers.length + (question.blank ? 1 : 0) }, (_, number) =>
      votes.reduce((sum, choices, voter) => sum + choices[place]![number]! * weights[voter]!, 0),
    ),
  );
}
