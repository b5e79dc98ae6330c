import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openVoting } from '../test/small-election.ts';
import { createBallot, printOpenedBallot } from '../src/index.ts';

type Report = {
  tracker: string;
  electionHash: string;
  questions: { question: string; numbers: { name: string; value: number; holds: boolean }[] }[];
};

/** The program of the page, which imports nothing. */
async function openVerifier(): Promise<(text: string) => Promise<Report>> {
  const page = await readFile(new URL('./check-ballot.html', import.meta.url), 'utf8');
  const program = /<script>([\s\S]*)<\/script>/.exec(page)![1]!;
  expect(program).not.toMatch(/\bimport\b|\bfetch\b|XMLHttpRequest|https?:/);
  const module = (await import(`data:text/javascript,${encodeURIComponent(`${program}\nexport { checkOpened };`)}`)) as {
    checkOpened: (text: string) => Promise<Report>;
  };
  return module.checkOpened;
}

const checkOpened = await openVerifier();
const { election, secrets } = await openVoting();
const choices = [
  [0, 1, 0, 1],
  [1, 0, 0],
];
const made = await createBallot(election, { secret: secrets[0]!, choices });
const file = printOpenedBallot(election, made);
const changed = (change: (opened: { election: string; ballot: string; choices: number[][]; randomness: string[][] }) => void): string => {
  const opened = JSON.parse(file) as Parameters<typeof change>[0];
  change(opened);
  return JSON.stringify(opened);
};

test('the page that checks opened ballots shows what is in one, and the tracker that its voter noted', async () => {
  const report = await checkOpened(file);
  expect(report.tracker).toBe(made.tracker);
  expect(report.electionHash).toBe(election.fingerprint);
  expect(report.questions.map(({ numbers }) => numbers.map(({ value }) => value))).toEqual(choices);
  expect(report.questions[0]!.numbers.map(({ name }) => name)).toEqual(['Blank', 'Ana', 'Bo', 'Chidi']);
  expect(report.questions.flatMap(({ numbers }) => numbers).every(({ holds }) => holds)).toBe(true);
});

test('a ballot that contains another choice than it is said to is shown as different', async () => {
  const swapped = changed(opened => (opened.choices[0] = [0, 0, 1, 1]));
  expect((await checkOpened(swapped)).questions[0]!.numbers.map(({ holds }) => holds)).toEqual([true, false, false, true]);
  const other = changed(opened => (opened.randomness[1]![0] = '17'));
  expect((await checkOpened(other)).questions[1]!.numbers.map(({ holds }) => holds)).toEqual([false, true, true]);
});

test.each([
  ['no opened ballot', '{}', 'isn’t an opened ballot'],
  ['another election', changed(opened => (opened.election = opened.election.replace('Council', 'Counsel'))), 'another election'],
  ['numbers that are missing', changed(opened => opened.choices[0]!.pop()), 'more or fewer numbers'],
  ['a number that is neither 0 nor 1', changed(opened => (opened.choices[0]![0] = 2)), 'isn’t 0 or 1'],
])('%s is refused in words', async (_, text, words) => {
  await expect(checkOpened(text)).rejects.toThrow(words);
});
