import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { BallotThreads } from '../node/ballot-threads.ts';
import { opensslPowers } from '../node/openssl-powers.ts';
import { type ElectionResult, type Question, Refusal, type VerifiedArchive, verifyArchive } from '../src/index.ts';

const help = `Verifies the archive of an election: every key, ballot, weight, sum, decryption and the result.

  node packages/ballots/bin/verify.ts FILE.bel [options]

  --seen HASH      an event that was published before; refused if it is missing (may be given several times)
  --tracker TEXT   shows whether this ballot is in the box, with how many votes (may be given several times)
  --trackers       lists all trackers, also in hexadecimal as belenios-tool lists them, with their votes
  --revotes        lets a voter vote again: the last ballot counts (otherwise a vote is final)
  --threads N      how many ballots are verified at the same time

Needs Node.js 22.18 or newer and this folder, and nothing else: no server, no packages, no network.
Ends with 0 if everything holds, with 1 if something does not, with 2 if it was called in another way.
`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

class UsageError extends Error {}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seen: { type: 'string', multiple: true, default: [] },
        tracker: { type: 'string', multiple: true, default: [] },
        trackers: { type: 'boolean', default: false },
        revotes: { type: 'boolean', default: false },
        threads: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const [file, ...more] = positionals;
    const threads = values.threads === undefined ? undefined : Number(values.threads);
    if (!values.help && (file === undefined || more.length > 0)) throw new UsageError('Name one archive, such as KwbnzWmQdYsdP9.bel.');
    if (threads !== undefined && !(Number.isInteger(threads) && threads > 0)) throw new UsageError('--threads is a number from 1 up.');
    return { ...values, file: file ?? '', threads };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Texts of strangers, without what would move the cursor or turn the writing around. */
const shown = (text: string): string => text.replaceAll(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '\ufffd');
const count = (number: number, noun: string): string => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/** The votes of each answer of a question. */
function resultLines({ question, answers, blank }: Question, votes: ElectionResult[number]): string[] {
  const names = blank ? ['(blank)', ...answers] : answers;
  return ['', shown(question), ...names.map((name, place) => `  ${votes[place]!.toLocaleString('en').padStart(9)}  ${shown(name)}`)];
}

const stages = {
  Setup: 'Voting has not begun.',
  Ballot: 'Voting has begun.',
  EndBallots: 'Voting has ended; the ballots have not been added up.',
  EncryptedTally: 'The ballots are added up, and not decrypted.',
  PartialDecryption: 'Trustees have begun to decrypt the sums.',
  Result: 'The result is published.',
};

function reportLines({ election, credentials, ballots, stage, tip, trustees, decryptedBy, result }: VerifiedArchive): string[] {
  const roll = [...credentials.values()].reduce((sum, weight) => sum + weight, 0);
  const cast = ballots.reduce((sum, { weight }) => sum + weight, 0);
  const keys = trustees.map(({ kind, key }) =>
    kind === 'Single' ? 'one trustee' : `${key.threshold} of ${count(key.shares.length, 'trustee')}`,
  );
  return [
    `${shown(election.name)} (${election.uuid})`,
    stages[stage],
    `${count(ballots.length, 'ballot')} with ${count(cast, 'vote')}; ${count(credentials.size, 'credential')} with ${count(roll, 'vote')} may vote.`,
    `Decrypted by ${keys.join(' and ')}${decryptedBy.length > 0 ? `; done by ${decryptedBy.join(', ')}` : ''}.`,
    `Fingerprint of the election: ${election.fingerprint}`,
    `Last event: ${tip.height}, ${tip.hash}`,
    ...(result?.flatMap((votes, place) => resultLines(election.questions[place]!, votes)) ?? []),
  ];
}

const hexOf = (tracker: string): string => Buffer.from(tracker, 'base64').toString('hex');

/** True if all that was asked for is in the box. */
function printTrackers({ ballots }: VerifiedArchive, asked: readonly string[], all: boolean): boolean {
  let found = true;
  for (const tracker of asked) {
    const ballot = ballots.find(each => each.tracker === tracker || hexOf(each.tracker) === tracker);
    found &&= ballot !== undefined;
    print(ballot ? `In the box with ${count(ballot.weight, 'vote')}: ${ballot.tracker}` : `Not in the box: ${tracker}`);
  }
  if (all) for (const { tracker, weight } of ballots) print(`${tracker}  ${hexOf(tracker)}  ${weight}`);
  return found;
}

async function main(): Promise<number> {
  const { file, seen, tracker, trackers, revotes, threads: threadCount, help: isAsked } = readArguments();
  if (isAsked) {
    print(help);
    return 0;
  }
  if (!(await stat(file).catch(() => null))?.isFile()) throw new UsageError(`There is no file ${file}.`);
  await using threads = new BallotThreads(threadCount);
  const showsProgress = process.stderr.isTTY;
  try {
    const archive = await verifyArchive(createReadStream(file), {
      powers: opensslPowers,
      checkOne: (election, _, text) => threads.check(election, text),
      atOnce: threads.capacity,
      votesAreFinal: !revotes,
      seen,
      onEvent: ({ height, type }) =>
        showsProgress && height % 50 === 0 && process.stderr.write(`\r${type} ${height.toLocaleString('en')} `),
    });
    if (showsProgress) process.stderr.write('\r\u001b[K');
    for (const line of reportLines(archive)) print(line);
    print('\nEverything holds.');
    return printTrackers(archive, tracker, trackers) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    complain(`${showsProgress ? '\r\u001b[K' : ''}Refused: ${shown(error.message)} [${error.code}]`);
    return 1;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  complain(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
