import { describe, expect, test } from 'vitest';
import { testPortal } from '../../test/portal.ts';
import { eachAlone, eachAttempted, notedThough, RowsFailed, stepsAlone } from './each-alone.ts';
import type { PeriodicWork } from './module.ts';
import { enqueueDueWork, periodicHandler, statesOfWork } from './periodic-work.ts';

const named = (row: number): string => `row ${row}`;
const failing =
  (bad: readonly number[], done: number[]) =>
  async (row: number): Promise<void> => {
    if (bad.includes(row)) throw new Error('is wrong');
    done.push(row);
  };

describe('a row that fails', () => {
  test('is named at the end, and those after it are done', async () => {
    const done: number[] = [];
    const run = eachAlone([1, 2, 3, 4], named, failing([1, 3], done));
    await expect(run).rejects.toThrow('failed, while the others were done: row 1: is wrong; row 3: is wrong');
    expect(done).toEqual([2, 4]);
  });

  test('is counted where many fail, and all are there for the log', async () => {
    const rows = Array.from({ length: 9 }, (_, row) => row);
    const failure = await eachAlone(rows, named, failing(rows, [])).catch((error: unknown) => error as RowsFailed);
    expect((failure as RowsFailed).message).toContain('; and 4 more');
    expect((failure as RowsFailed).failures).toHaveLength(9);
  });

  test('in one step doesn’t stop the steps after it, and keeps its own name', async () => {
    const done: number[] = [];
    const run = stepsAlone({
      first: () => eachAlone([1, 2], named, failing([1], done)),
      second: async () => {
        throw new Error('has no table');
      },
      third: () => eachAlone([3], named, failing([], done)),
    });
    await expect(run).rejects.toThrow('row 1: is wrong; second: has no table');
    expect(done).toEqual([2, 3]);
  });

  test('is the last one where the database is gone, and not where it is only locked', async () => {
    const done: number[] = [];
    const act = (code: string) => async (row: number) => {
      done.push(row);
      throw Object.assign(new Error('no'), { code });
    };
    await expect(eachAlone([1, 2], named, act('ECONNREFUSED'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(eachAlone([3, 4], named, act('55P03'))).rejects.toThrow(RowsFailed);
    expect(done).toEqual([1, 3, 4]);
  });
});

test('within one change a row is tried twice, and passed over then', async () => {
  const tries: string[] = [];
  const act = async (name: string, isAgain: boolean): Promise<void> => {
    tries.push(isAgain ? `${name} again` : name);
    if (name === 'two' || (name === 'three' && !isAgain)) throw new Error('is wrong');
  };
  const passOver = async (name: string): Promise<void> => void tries.push(`${name} later`);
  const change = { attempt: <T>(part: () => Promise<T>) => part() };
  expect(await eachAttempted(change, ['one', 'two', 'three', 'four'], String, act, passOver)).toEqual([
    { row: 'two', error: expect.objectContaining({ message: 'is wrong' }) },
  ]);
  expect(tries).toEqual(['one', 'two', 'two again', 'two later', 'three', 'three again', 'four']);
});

test('a run with rows that failed has failed for operators, with their names, each in the log, and keeps its result', async () => {
  await using portal = await testPortal();
  const lines: string[] = [];
  const log = { ...portal.context.log, error: (message: string) => void lines.push(message) };
  const work: PeriodicWork = {
    name: 'test.rows',
    every: 10,
    run: (_context, noted) =>
      notedThough(
        () => ({ run: Number((noted as { run: number } | null)?.run ?? 0) + 1 }),
        () => eachAlone([1, 2, 3], named, failing([2], [])),
      ),
  };
  await enqueueDueWork(portal.db, [work], { now: portal.context.clock() });
  const run = periodicHandler({ ...portal.context, log }, work);
  await expect(run()).rejects.toThrow('row 2');
  expect(lines).toEqual(['test.rows failed', 'test.rows failed for row 2']);
  const [state] = await statesOfWork(portal.db.read, [work], portal.context.clock());
  expect(state).toMatchObject({ succeededAt: null, failure: 'failed, while the others were done: row 2: is wrong' });
  const { noted } = await portal.db.read
    .selectFrom('periodicWork')
    .select('noted')
    .where('name', '=', 'test.rows')
    .executeTakeFirstOrThrow();
  expect(noted).toEqual({ run: 1 });
});
