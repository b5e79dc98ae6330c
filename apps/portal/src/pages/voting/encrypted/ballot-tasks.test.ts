import {
  candidateQuestion,
  createTrusteeKey,
  newCredential,
  newElectionId,
  newPrivateKey,
  printElection,
  publicOf,
  readElection,
  secretOf,
  verifyBallot,
} from '@portal/ballots';
import { expect, test } from 'vitest';
import { openBallotTasks, readCode } from './ballot-tasks.ts';
import { TaskRefusal } from './worker-call.ts';

const uuid = newElectionId();
const code = newCredential();
const parameters = printElection({
  uuid,
  name: 'Council',
  description: '',
  questions: [candidateQuestion('Council', ['Ada', 'Bo', 'Cy'], 2)],
  publicKey: (await createTrusteeKey(newPrivateKey())).publicKey,
  administrator: null,
  credentialAuthority: null,
});

async function encrypted(chosen: readonly number[]) {
  const tasks = openBallotTasks();
  await tasks.prepare(parameters);
  const steps: string[] = [];
  const sealed = await tasks.encrypt({ code, chosen }, (done, all) => steps.push(`${done}/${all}`));
  return { tasks, sealed, steps };
}

test('a ballot is signed with the code of the account, and its progress counts the answers and the blank vote', async () => {
  const { tasks, sealed, steps } = await encrypted([0, 2]);
  const { ballot } = tasks.seal();
  const election = await readElection(parameters);
  const read = await verifyBallot(election, ballot);
  expect(read.credential).toBe(publicOf(await secretOf(code, uuid)));
  expect(steps).toEqual(['1/4', '2/4', '3/4', '4/4']);
  expect(sealed.trackerHex).toMatch(/^[0-9a-f]{64}$/);
});

test('a ballot that is opened contains what was chosen, and can’t be cast any more', async () => {
  const { tasks, sealed } = await encrypted([1]);
  const opened = tasks.open();
  expect(opened).toMatchObject({ tracker: sealed.tracker, holds: true });
  expect(opened.numbers.map(({ value }) => value)).toEqual([0, 0, 1, 0]);
  expect(() => tasks.seal()).toThrow('No ballot is encrypted');
});

test('a ballot that is handed over to be cast can’t be opened any more, and a blank one says so only inside', async () => {
  const { tasks } = await encrypted([]);
  expect(tasks.seal().ballot).not.toContain(code);
  expect(() => tasks.open()).toThrow('No ballot is encrypted');
});

test('a code is read without dashes, with spaces, and with the dashes of a word processor', () => {
  const bare = code.replaceAll('-', '');
  for (const typed of [code, bare, ` ${code} `, code.replaceAll('-', '\u2013'), bare.replaceAll(/.../g, '$& ')])
    expect(readCode(typed), typed).toBe(code);
});

test('a code with a typing error, or of another length, is refused in words', async () => {
  const { tasks } = await encrypted([]);
  const other = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`;
  for (const typed of ['', code.slice(1), `${code}A`, other])
    await expect(
      tasks.encrypt({ code: typed, chosen: [] }, () => undefined),
      typed,
    ).rejects.toThrow(TaskRefusal);
});
