import fc from 'fast-check';
import { expect, test } from 'vitest';
import { opensslPowers } from '../node/openssl-powers.ts';
import { anyDamage, archiveOf, finishedElection, strictlyWrongElections, wrongElections } from '../test/mutations.ts';
import { inChunks, readWhole, recordedElection } from '../test/recorded-archive.ts';
import { castVotes, openVoting, plainCount, smallQuestions } from '../test/small-election.ts';
import { checkBallot, createBallot } from './ballot.ts';
import { joinBytes } from './bytes.ts';
import { Refusal } from './refusal.ts';
import { type Checks, verifyArchive } from './verification.ts';

const powers = opensslPowers;
const kept = await finishedElection();
/** Checks each ballot but those of the finished election, which one test has checked. */
const newBallots: Checks = {
  powers,
  checkOne: async (election, ballot, text) => (kept.texts.includes(text) ? undefined : checkBallot(election, ballot, { powers })),
};

test('an election made by belenios-tool alone is verified, with its result', async () => {
  const { bytes } = await recordedElection();
  const verified = await verifyArchive(inChunks(bytes), { powers, atOnce: 3 });
  expect(verified).toMatchObject({ stage: 'Result', tally: { ballots: 4, totalWeight: 71 }, decryptedBy: [2, 3, 1] });
  expect(verified.ballots.map(({ weight }) => weight)).toEqual([1, 4, 64, 2]);
  expect(verified.result).toEqual([
    [3, 66, 1],
    [4, 3, 64],
  ]);
});

test('our election is verified, and its result is that of plain counting', async () => {
  const verified = await verifyArchive(inChunks(kept.bytes), { powers });
  expect(verified).toMatchObject({ stage: 'Result', tally: { ballots: 3, totalWeight: 69 }, decryptedBy: [1, 2, 3], tip: kept.file.tip });
  const votes = [
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
  ];
  expect(verified.result).toEqual(plainCount(smallQuestions, votes, [1, 4, 64]));
});

test('an election is verified as far as it is, by chunks of any length, in any number of turns', async () => {
  const heads: string[] = [];
  const whole = await archiveOf(kept.steps);
  for (let steps = 1; steps <= kept.steps.length; steps++) {
    const bytes = await archiveOf(kept.steps.slice(0, steps));
    expect(whole.subarray(0, bytes.length)).toEqual(bytes);
    const verified = await verifyArchive(inChunks(bytes, 100 + 700 * steps), { ...newBallots, atOnce: steps, seen: heads });
    expect(verified.stage).toBe(kept.steps[steps - 1]!.type);
    heads.push(verified.tip.hash);
  }
});

test.each([...wrongElections, ...strictlyWrongElections])('an election with $name is refused: $code', async ({ code, make }) => {
  const bytes = await archiveOf(await make(kept));
  await expect(verifyArchive(inChunks(bytes), newBallots)).rejects.toThrow(expect.objectContaining({ name: 'Refusal', code }));
});

test('a ballot that a thread refuses ends the verification', async () => {
  const checkOne = async (_: unknown, __: unknown, text: string): Promise<void> => {
    if (text === kept.texts[1]) throw new Refusal('PROOF', 'A proof of answer 1 does not hold');
  };
  await expect(verifyArchive(inChunks(kept.bytes), { powers, checkOne, atOnce: 8 })).rejects.toThrow(
    /answer 1 does not hold \(after event/,
  );
});

test('where votes are not final, the last ballot of each voter counts', async () => {
  const voting = await openVoting({ weights: [1, 4] });
  const first = [
    [1, 0, 0, 0],
    [1, 0, 0],
  ];
  await castVotes(voting, [first, first]);
  const again = [
    [0, 1, 0, 0],
    [0, 1, 0],
  ];
  const { text } = await createBallot(voting.election, { secret: voting.secrets[1]!, choices: again });
  await voting.file.append('Ballot', text);
  await voting.file.append('EndBallots');
  const { tally, ballots } = await verifyArchive(inChunks(voting.file.bytes), { powers, votesAreFinal: false });
  expect(ballots).toHaveLength(3);
  expect(tally).toMatchObject({ ballots: 2, totalWeight: 5 });
});

test('an archive in which an event that was published is missing or another one is refused', async () => {
  const seen = [(await readWhole(await archiveOf(kept.steps.slice(0, 3)))).records.at(-1)!.hash];
  await verifyArchive(inChunks(kept.bytes), { ...newBallots, seen });
  const changed = await archiveOf([kept.steps[0]!, kept.steps[2]!, kept.steps[1]!]);
  await verifyArchive(inChunks(changed), newBallots);
  await expect(verifyArchive(inChunks(changed), { ...newBallots, seen })).rejects.toThrow(/published before is not in the archive/);
});

test('an archive with a changed byte, or with records that are missing, doubled or in another order, is refused', async () => {
  await fc.assert(
    fc.asyncProperty(anyDamage(kept.bytes), async ({ bytes }) => {
      await expect(verifyArchive(inChunks(bytes()), newBallots)).rejects.toThrow(Refusal);
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['nothing', () => new Uint8Array(0)],
  ['a header only', () => kept.bytes.subarray(0, 1024)],
  ['half a record', () => kept.bytes.subarray(0, 3000)],
  ['no last block', () => kept.bytes.subarray(0, kept.bytes.length - 512)],
  ['blocks of zeros behind its end, as tar writes them', () => joinBytes(kept.bytes, new Uint8Array(1024))],
  ['a message without event behind its end', () => joinBytes(kept.bytes, kept.bytes.subarray(1024, 1024 + 2048))],
])('an archive with %s is refused', async (_, make) => {
  await expect(verifyArchive(inChunks(make()), newBallots)).rejects.toThrow(expect.objectContaining({ code: 'CHAIN' }));
});
