import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BeleniosFolder, beleniosIsInstalled } from '../../dev/independent/belenios.ts';
import { BallotThreads } from '../../packages/ballots/node/ballot-threads.ts';
import { opensslPowers } from '../../packages/ballots/node/openssl-powers.ts';
import {
  bigintPowers,
  candidateQuestion,
  choicesOf,
  createBallot,
  type Powers,
  printResult,
  readElection,
  verifyArchive,
  verifyBallot,
} from '../../packages/ballots/src/index.ts';
import {
  castVotes,
  closeVoting,
  openVoting,
  plainCount,
  singleTrustee,
  thresholdTrustees,
} from '../../packages/ballots/test/small-election.ts';
import { type Bench, type Figure, megabytes, milliseconds, percentile } from './figures/bench.ts';

/** Voters of the whole election; 4,000 take half an hour. */
const voters = Number(process.env.BENCH_VOTERS ?? 40);
const candidates = 12;
const perSecondBudget = 15;
/** 3 s on a telephone, which is taken to be four times slower. */
const castBudget = 3000 / 4;

const questions = [1, 2, 3].map(number =>
  candidateQuestion(
    `Question ${number}`,
    Array.from({ length: candidates }, (_, place) => `Candidate ${place + 1}`),
    3,
  ),
);

export const bench: Bench = {
  about: `verifiable elections: a ballot of ${candidates} candidates and a blank vote; and an election of ${voters.toLocaleString('en')} voters (BENCH_VOTERS) with ${questions.length} such questions and weights 1 to 64`,
  run: async () => [...(await oneBallot()), ...(await wholeElection())],
};

async function timed<Result>(work: () => Promise<Result>): Promise<{ took: number; result: Result }> {
  const started = performance.now();
  const result = await work();
  return { took: performance.now() - started, result };
}

/** The time of a processor that some work takes, in ms, whatever else the machine does. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Makes a ballot as a browser does, and verifies it as browsers and servers do. */
async function oneBallot(): Promise<Figure[]> {
  const { election, secrets } = await openVoting({ weights: [1], questions: questions.slice(0, 1) });
  const choices = [choicesOf(questions[0]!, [1, 5, 7])];
  const cast = async () => {
    // Read anew: the table of powers of its key is made as well.
    const opened = await readElection(election.text);
    return createBallot(opened, { secret: secrets[0]!, choices });
  };
  const ballot = await cast();
  const casts: number[] = [];
  for (let turn = 0; turn < 10; turn++) casts.push(await processorTime(cast));
  const perSecond = async (powers: Powers): Promise<number> => {
    const took: number[] = [];
    for (let turn = 0; turn < 20; turn++) took.push(await processorTime(() => verifyBallot(election, ballot.text, { powers })));
    return 1000 / percentile(took, 0.5);
  };
  const [openssl, bigint] = [await perSecond(opensslPowers), await perSecond(bigintPowers)];
  const median = percentile(casts, 0.5);
  return [
    {
      what: 'encrypt and sign',
      value: `${milliseconds(median)} of processor time`,
      budget: milliseconds(castBudget),
      held: median <= castBudget,
    },
    {
      what: 'verified in a second of processor time, OpenSSL',
      value: openssl.toFixed(1),
      budget: `${perSecondBudget}`,
      held: openssl >= perSecondBudget,
    },
    { what: 'verified in a second of processor time, BigInt', value: bigint.toFixed(1) },
    { what: 'length of the ballot', value: `${(ballot.text.length / 1000).toFixed(1)} KB` },
  ];
}

/** Votes that differ from voter to voter, some of them blank. */
const votesOf = (voter: number): number[][] =>
  questions.map((question, place) =>
    choicesOf(
      question,
      Array.from({ length: (voter + place) % 4 }, (_, turn) => (voter * (place + 1) + turn * 5) % candidates),
    ),
  );

/** Makes an election of so many voters, and has it verified here and by belenios-tool. */
async function wholeElection(): Promise<Figure[]> {
  using folder = new BeleniosFolder();
  const weights = Array.from({ length: voters }, (_, voter) => 2 ** (voter % 7));
  const trustees = [await singleTrustee(), await thresholdTrustees(5, 3)];
  const { took: opening, result: voting } = await timed(() => openVoting({ weights, questions, trustees }));
  const votes = weights.map((_, voter) => votesOf(voter));
  const { took: casting, result: texts } = await timed(() => castVotes(voting, votes));
  const { took: closing, result: closed } = await timed(() => closeVoting(voting, texts, [1, 2, 4, 6]));
  const file = path.join(folder.folder, `${voting.election.uuid}.bel`);
  await writeFile(file, voting.file.bytes);
  const { size } = await stat(file);
  await using threads = new BallotThreads();
  const { took: verifying, result: verified } = await timed(() =>
    verifyArchive(createReadStream(file), {
      powers: opensslPowers,
      checkOne: (election, _, text) => threads.check(election, text),
      atOnce: threads.capacity,
    }),
  );
  const expected = JSON.stringify(plainCount(questions, votes, weights));
  const isEqual = [closed.result, verified.result].every(result => JSON.stringify(result) === expected);
  const each = (took: number) => `${(took / 1000).toFixed(1)} s, ${(took / voters).toFixed(0)} ms a voter`;
  const figures: Figure[] = [
    { what: 'credentials', value: each(opening) },
    { what: 'ballots, on one processor', value: each(casting) },
    { what: 'sums, four decryptions, result', value: `${(closing / 1000).toFixed(1)} s` },
    { what: 'archive', value: megabytes(size) },
    { what: 'verified in threads', value: each(verifying) },
    { what: 'results by plain counting', value: isEqual ? 'equal' : 'different', budget: 'equal', held: isEqual },
  ];
  if (!beleniosIsInstalled)
    return [...figures, { what: 'belenios-tool', value: 'not measured: it is not installed (Debian package belenios-tool)' }];
  const { took: theirs } = await timed(() => folder.tool(['election', 'verify']));
  const [counted] = await folder.tool(['election', 'compute-result']);
  const isSame = counted === printResult(closed.result);
  return [
    ...figures,
    { what: 'belenios-tool election verify', value: each(theirs) },
    { what: 'result of belenios-tool', value: isSame ? 'equal' : 'different', budget: 'equal', held: isSame },
  ];
}
