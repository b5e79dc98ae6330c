import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordedVoters } from '../test/recorded.ts';
import { recordedElection } from '../test/recorded-archive.ts';
import { opensslPowers } from '../node/openssl-powers.ts';
import { createBallot, maxBallotLength, opens, readBallot, trackerOf, verifyBallot } from './ballot.ts';
import { secretOf } from './credential.ts';
import { readCredentialList } from './credential-list.ts';
import { readElection } from './election.ts';
import { choicesOf } from './question.ts';
import { Refusal } from './refusal.ts';
import { printTally, TallyCount } from './tally.ts';

const powers = opensslPowers;
const kept = await recordedElection();
const election = await readElection(kept.electionText);
const secret = await secretOf(recordedVoters[0]!.credential, election.uuid);

test('ballots of belenios-tool are verified, and their sum is the one that it publishes', async () => {
  const list = readCredentialList(kept.credentialsText, { powers });
  const count = new TallyCount(election);
  for (const text of kept.ballots) {
    const ballot = await verifyBallot(election, text, { powers });
    count.add(ballot, list.get(ballot.credential)!);
  }
  expect(await printTally(count.total())).toEqual(kept.tally);
});

test('every vote that the questions allow makes a ballot that is verified, and that its opening opens', async () => {
  const anyVote = fc.tuple(fc.subarray([0, 1, 2], { maxLength: 2 }), fc.subarray([0, 1], { maxLength: 1 }));
  await fc.assert(
    fc.asyncProperty(anyVote, async chosen => {
      const choices = election.questions.map((question, place) => choicesOf(question, chosen[place]!));
      const { text, tracker, opening } = await createBallot(election, { secret, choices });
      expect(text.length).toBeLessThan(maxBallotLength(election));
      expect(tracker).toBe(await trackerOf(text));
      const ballot = await verifyBallot(election, text, { powers });
      expect(opens(election, ballot, opening)).toBe(true);
    }),
    { numRuns: 5 },
  );
});

test('an opening opens no other ballot, and no other vote', async () => {
  const choices = [
    [1, 0, 1],
    [0, 1, 0],
  ];
  const { text, opening } = await createBallot(election, { secret, choices });
  const ballot = readBallot(election, text);
  const other = readBallot(election, (await createBallot(election, { secret, choices })).text);
  expect(opens(election, other, opening)).toBe(false);
  for (const changed of [
    {
      ...opening,
      choices: [
        [1, 1, 0],
        [0, 1, 0],
      ],
    },
    { ...opening, choices: [[1, 0, 1]] },
    { ...opening, choices: [] },
    { ...opening, randomness: [] },
    { ...opening, randomness: [opening.randomness[0]!.toReversed(), opening.randomness[1]!] },
  ])
    expect(opens(election, ballot, changed)).toBe(false);
});

test('the same vote makes another ballot each time', async () => {
  const choices = [
    [0, 0, 0],
    [1, 0, 0],
  ];
  const texts = [(await createBallot(election, { secret, choices })).text, (await createBallot(election, { secret, choices })).text];
  const [a, b] = texts.map(text => readBallot(election, text)) as [ReturnType<typeof readBallot>, ReturnType<typeof readBallot>];
  expect(a.credential).toBe(b.credential);
  const numbers = [a, b].flatMap(({ answers }) => answers.flatMap(answer => answer.choices.flatMap(({ alpha, beta }) => [alpha, beta])));
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each([
  [
    'more than are chosen',
    [
      [1, 1, 1],
      [0, 1, 0],
    ],
  ],
  [
    'none where one is chosen',
    [
      [1, 0, 0],
      [0, 0, 0],
    ],
  ],
  [
    'blank and an answer',
    [
      [1, 0, 0],
      [1, 1, 0],
    ],
  ],
  [
    'two for one answer',
    [
      [2, 0, 0],
      [0, 1, 0],
    ],
  ],
  [
    'less than none',
    [
      [-1, 1, 1],
      [0, 1, 0],
    ],
  ],
  [
    'a number too few',
    [
      [1, 0],
      [0, 1, 0],
    ],
  ],
  ['an answer too few', [[1, 0, 0]]],
])('a vote with %s makes no ballot', async (_, choices) => {
  await expect(createBallot(election, { secret, choices })).rejects.toThrow(RangeError);
});

test('choices become numbers, with one for the blank vote where there is one', () => {
  const [seats, resolution] = election.questions as [(typeof election.questions)[0], (typeof election.questions)[0]];
  expect(choicesOf(seats, [2, 0])).toEqual([1, 0, 1]);
  expect(choicesOf(seats, [])).toEqual([0, 0, 0]);
  expect(choicesOf(resolution, [])).toEqual([1, 0, 0]);
  expect(choicesOf(resolution, [1])).toEqual([0, 0, 1]);
  for (const chosen of [[0, 1, 2], [0, 0], [3], [-1], [0.5]]) expect(() => choicesOf(seats, chosen)).toThrow(RangeError);
  expect(() => choicesOf({ ...resolution, blank: false }, [])).toThrow(RangeError);
});

test('no bytes in the place of a ballot end in anything but a refusal', async () => {
  const { text } = await createBallot(election, {
    secret,
    choices: [
      [1, 0, 1],
      [0, 1, 0],
    ],
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc
          .tuple(fc.nat(text.length), fc.nat(text.length), fc.string({ maxLength: 3 }))
          .map(([a, b, between]) => text.slice(0, a) + between + text.slice(b)),
        fc.string(),
      ),
      async changed => {
        fc.pre(changed !== text);
        await expect(verifyBallot(election, changed, { powers })).rejects.toThrow(Refusal);
      },
    ),
    { numRuns: 100 },
  );
});

test('a ballot of any length beyond the longest is refused before it is read', async () => {
  const long = `{"election_uuid":"${'1'.repeat(maxBallotLength(election))}"}`;
  await expect(verifyBallot(election, long)).rejects.toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
});
