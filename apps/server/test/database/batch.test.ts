import { expect, test } from 'vitest';
import { type Database, inBatches } from '../../src/platform/database/index.ts';

const db = {} as Database;
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const refused = (code: string): Error => Object.assign(new Error(`SQLSTATE ${code}`), { code });

/** A statement that ends when told to. */
function statement<Answer>() {
  const under: { asked: readonly number[]; end: (answers: readonly Answer[]) => void; fail: (error: Error) => void }[] = [];
  const call = inBatches<number, Answer>(
    (_db, asked) => new Promise((resolve, reject) => under.push({ asked: [...asked], end: resolve, fail: reject })),
  );
  return { under, ask: (asked: number) => call(db, asked) };
}

test('calls of one turn share a statement, those that come meanwhile the next, and each gets its own answer', async () => {
  const { under, ask } = statement<string>();
  const first = [ask(1), ask(2)];
  await turn();
  const second = [ask(3), ask(4), ask(5)];
  await turn();
  expect(under.map(({ asked }) => asked)).toEqual([[1, 2]]);
  under[0]!.end(['one', 'two']);
  expect(await Promise.all(first)).toEqual(['one', 'two']);
  expect(under[1]!.asked).toEqual([3, 4, 5]);
  under[1]!.end(['three', 'four', 'five']);
  expect(await Promise.all(second)).toEqual(['three', 'four', 'five']);
});

test('a statement that waits for a lock holds nobody else up for long', async () => {
  const { under, ask } = statement<string>();
  const stuck = ask(1);
  await turn();
  const next = ask(2);
  await expect.poll(() => under.length).toBe(2);
  under[1]!.end(['two']);
  expect(await next).toBe('two');
  under[0]!.end(['one']);
  expect(await stuck).toBe('one');
});

test('a call whose data the database refuses spoils none beside it', async () => {
  const ran: number[][] = [];
  const ask = inBatches<number, number>(async (_db, asked) => {
    ran.push([...asked]);
    if (asked.includes(2)) throw refused('22P05');
    return asked;
  });
  const settled = await Promise.allSettled([1, 2, 3].map(asked => ask(db, asked)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(ran).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test('a failure of the database is one of every call, and the next call is tried again', async () => {
  let away = true;
  let ran = 0;
  const ask = inBatches<number, number>(async (_db, asked) => {
    ran++;
    if (away) throw refused('57P01');
    return asked;
  });
  const settled = await Promise.allSettled([1, 2, 3].map(asked => ask(db, asked)));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(ran).toBe(1);
  away = false;
  expect(await ask(db, 4)).toBe(4);
});

test('each database has its own statements', async () => {
  const asked = new Map<Database, number[]>();
  const ask = inBatches<number, number>(async (database, numbers) => {
    asked.set(database, [...numbers]);
    return numbers;
  });
  const other = {} as Database;
  await Promise.all([ask(db, 1), ask(other, 2)]);
  expect([asked.get(db), asked.get(other)]).toEqual([[1], [2]]);
});
