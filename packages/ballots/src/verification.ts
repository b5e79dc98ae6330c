import { ArchiveReader, type ArchiveRecord } from './archive.ts';
import { type Ballot, checkBallot, maxBallotLength, readBallot, trackerOf } from './ballot.ts';
import { decodeText } from './bytes.ts';
import { MAX_CREDENTIAL_LIST } from './credential-list.ts';
import type { Election } from './election.ts';
import { type Event, type EventType, eventTypes, readEvent, type Tip } from './event.ts';
import { type PartialDecryption, readOwner, readPartialDecryption, verifyPartialDecryption } from './partial-decryption.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { Refusal, refuseUnless } from './refusal.ts';
import { type ElectionResult, readResult, verifyResult } from './result.ts';
import { type Setup, verifySetup } from './setup.ts';
import { printTally, type SizedTally, TallyCount } from './tally.ts';
import { decryptionKeysOf } from './trustees.ts';

/** How an archive is verified. */
export type Checks = {
  powers?: Powers;
  /** Checks a ballot that has been read; here, or in a thread by its text. Refuses by throwing. */
  checkOne?: (election: Election, ballot: Ballot, text: string) => Promise<void>;
  /** How many ballots are checked at the same time. */
  atOnce?: number;
  /** Whether a credential has one ballot, as in elections of the registry. Otherwise its last one counts (section 4.15). */
  votesAreFinal?: boolean;
  /** Hashes of events that were published before, all of which are in the archive if nothing has been removed (section 3.5.1). */
  seen?: readonly string[];
  /** Called after each event. */
  onEvent?: (event: Event) => void;
};

/** An archive in which everything holds. */
export type VerifiedArchive = Setup & {
  /** The beginning of the election, in seconds since 1970. */
  timestamp: number;
  /** The last event, and its type: how far the election is. */
  tip: Tip;
  stage: EventType;
  /** In the order of the archive. */
  ballots: readonly { tracker: string; credential: bigint; weight: number }[];
  /** Sums of the ballots that count, once voting has ended. */
  tally: SizedTally | null;
  /** Numbers of the trustees whose partial decryptions are there, from 1. */
  decryptedBy: readonly number[];
  result: ElectionResult | null;
};

const MAX_OTHER_RECORD = 30_000_000;

/**
 * Verifies the archive of an election from beginning to end, whole or as far as it is (section 3.5): form, hashes and order of its events; keys of the trustees;
 * each ballot, its credential and its weight; sums, partial decryptions and result.
 * @param chunks its bytes, in parts of any length
 * @throws {Refusal} for the first thing that does not hold
 */
export async function verifyArchive(chunks: AsyncIterable<Uint8Array>, checks: Checks = {}): Promise<VerifiedArchive> {
  const reader = new ArchiveReader(chunks);
  const verification = new Verification(await reader.header(), checks);
  try {
    for (let record = await reader.next(verification.maxLength()); record; record = await reader.next(verification.maxLength()))
      await verification.take(record);
    return await verification.finish();
  } catch (error) {
    await verification.settle();
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, `${error.message} (${verification.place()})`);
  }
}

class Verification {
  readonly #timestamp: number;
  readonly #checks: Checks;
  readonly #powers: Powers;
  #data: string[] = [];
  #dataHashes: string[] = [];
  #tip: Tip | null = null;
  #stage: EventType | null = null;
  readonly #seen: Set<string>;
  #setup: Setup | null = null;
  readonly #ballots: { tracker: string; credential: bigint; weight: number }[] = [];
  /** Ballots by credential: each itself while it can be replaced, only its place where votes are final. */
  readonly #cast = new Map<bigint, Ballot | null>();
  #count: TallyCount | null = null;
  readonly #running = new Set<Promise<void>>();
  #failed: unknown = null;
  #tally: SizedTally | null = null;
  readonly #decryptions = new Map<number, PartialDecryption>();
  #result: ElectionResult | null = null;

  constructor(timestamp: number, checks: Checks) {
    this.#timestamp = timestamp;
    this.#checks = checks;
    this.#powers = checks.powers ?? bigintPowers;
    this.#seen = new Set(checks.seen);
  }

  /** Bytes that the next record may have. */
  maxLength(): number {
    if (this.#setup === null) return MAX_CREDENTIAL_LIST;
    // Events have fewer than a ballot of one question.
    return this.#stage === 'Setup' || this.#stage === 'Ballot' ? maxBallotLength(this.#setup.election) : MAX_OTHER_RECORD;
  }

  place(): string {
    return this.#tip === null ? 'before the first event' : `after event ${this.#tip.height}`;
  }

  async take({ kind, hash, bytes }: ArchiveRecord): Promise<void> {
    const text = decodeText(bytes);
    if (text === null) throw new Refusal('FORM', 'A record is not text in UTF-8');
    if (kind === 'data') {
      refuseUnless(this.#data.length < 4, 'CHAIN', 'More messages follow each other than an event has');
      this.#data.push(text);
      this.#dataHashes.push(hash);
      return;
    }
    const event = readEvent(text);
    this.#checkOrder(event);
    refuseUnless((this.#dataHashes.at(-1) ?? null) === event.payload, 'CHAIN', 'An event refers to another message than the one before it');
    await this.#follow(event.type);
    this.#data = [];
    this.#dataHashes = [];
    this.#tip = { hash, height: event.height };
    this.#stage = event.type;
    this.#seen.delete(hash);
    this.#checks.onEvent?.(event);
  }

  async finish(): Promise<VerifiedArchive> {
    await this.settle();
    if (this.#failed !== null) throw this.#failed;
    refuseUnless(this.#data.length === 0, 'CHAIN', 'The archive ends with a message to which no event refers');
    if (this.#setup === null || this.#tip === null || this.#stage === null) throw new Refusal('CHAIN', 'The archive has no event');
    const [gone] = this.#seen;
    refuseUnless(gone === undefined, 'CHAIN', `An event that was published before is not in the archive: ${gone}`);
    return {
      ...this.#setup,
      timestamp: this.#timestamp,
      tip: this.#tip,
      stage: this.#stage,
      ballots: this.#ballots,
      tally: this.#tally,
      decryptedBy: [...this.#decryptions.keys()],
      result: this.#result,
    };
  }

  /** Waits for the ballots that are being checked. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #checkOrder({ parent, height, type }: Event): void {
    const isNext = parent === (this.#tip?.hash ?? null) && height === (this.#tip?.height ?? -1) + 1;
    refuseUnless(isNext, 'CHAIN', 'An event does not refer to the one before it');
    const [before, now] = [this.#stage === null ? -1 : eventTypes.indexOf(this.#stage), eventTypes.indexOf(type)];
    // Ballots may be missing, or be several; decryptions are several.
    const follows = now === before + 1 || (now === before && ['Ballot', 'PartialDecryption'].includes(type));
    const endsEmpty = this.#stage === 'Setup' && type === 'EndBallots';
    refuseUnless(follows || endsEmpty, 'CHAIN', `An event ${type} does not follow ${this.#stage ?? 'the beginning'}`);
  }

  async #follow(type: EventType): Promise<void> {
    const messages = { Setup: 4, Ballot: 1, EndBallots: 0, EncryptedTally: 2, PartialDecryption: 2, Result: 1 }[type];
    refuseUnless(this.#data.length === messages, 'CHAIN', `An event ${type} has ${this.#data.length} messages, not ${messages}`);
    if (type === 'Setup') this.#setup = await verifySetup(this.#data, { powers: this.#powers });
    else if (type === 'Ballot') await this.#ballot(this.#setup!, this.#data[0]!);
    else if (type === 'EndBallots') await this.#endBallots(this.#setup!);
    else if (type === 'EncryptedTally') await this.#encryptedTally();
    else if (type === 'PartialDecryption') await this.#partialDecryption(this.#setup!);
    else this.#electionResult(this.#setup!);
  }

  async #ballot({ election, credentials }: Setup, text: string): Promise<void> {
    const ballot = readBallot(election, text);
    const { credential } = ballot;
    const weight = credentials.get(credential);
    if (weight === undefined) throw new Refusal('CREDENTIAL', 'The credential of a ballot is not on the list');
    const isFinal = this.#checks.votesAreFinal ?? true;
    refuseUnless(!isFinal || !this.#cast.has(credential), 'SECOND_BALLOT', 'A credential has a second ballot, where a vote is final');
    this.#cast.set(credential, isFinal ? null : ballot);
    this.#count ??= new TallyCount(election);
    if (isFinal) this.#count.add(ballot, weight);
    this.#ballots.push({ tracker: await trackerOf(text), credential, weight });
    await this.#check(election, ballot, text);
  }

  /** Begins to check a ballot, once fewer than so many are being checked. */
  async #check(election: Election, ballot: Ballot, text: string): Promise<void> {
    const { checkOne = (): Promise<void> => checkBallot(election, ballot, { powers: this.#powers }), atOnce = 1 } = this.#checks;
    const running = checkOne(election, ballot, text).then(
      () => void this.#running.delete(running),
      error => {
        this.#running.delete(running);
        this.#failed ??= error;
      },
    );
    this.#running.add(running);
    while (this.#running.size >= atOnce) await Promise.race(this.#running);
    if (this.#failed !== null) throw this.#failed;
  }

  async #endBallots({ election, credentials }: Setup): Promise<void> {
    await this.settle();
    if (this.#failed !== null) throw this.#failed;
    this.#count ??= new TallyCount(election);
    for (const [credential, ballot] of this.#cast) if (ballot !== null) this.#count.add(ballot, credentials.get(credential)!);
    this.#tally = this.#count.total();
  }

  async #encryptedTally(): Promise<void> {
    const [tally, size] = await printTally(this.#tally!);
    refuseUnless(this.#data[0] === tally && this.#data[1] === size, 'RESULT', 'The encrypted tally is not the sum of the ballots');
  }

  async #partialDecryption({ election, trustees }: Setup): Promise<void> {
    const [text, owned] = this.#data as [string, string];
    const keys = decryptionKeysOf(trustees);
    const { owner, hash } = readOwner(owned, keys.length);
    refuseUnless(hash === this.#dataHashes[0], 'CHAIN', 'A trustee’s message refers to another partial decryption');
    refuseUnless(!this.#decryptions.has(owner), 'TRUSTEES', `There are two partial decryptions of trustee ${owner}`);
    const { tally } = this.#tally!;
    const decryption = readPartialDecryption(tally, text);
    const what = `the partial decryption of trustee ${owner}`;
    await verifyPartialDecryption(election, tally, decryption, { publicKey: keys[owner - 1]!, what, powers: this.#powers });
    this.#decryptions.set(owner, decryption);
  }

  #electionResult({ election, trustees }: Setup): void {
    const result = readResult(election, this.#data[0]!);
    verifyResult(this.#tally!, result, { trustees, decryptions: this.#decryptions, powers: this.#powers });
    this.#result = result;
  }
}
