import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Database, inBatches } from '../../src/platform/database/index.ts';

const db = {} as Database;
/** Time passes when a test says so; turns of the event loop continue. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Waits as many turns of the event loop as sending the queue takes. */
async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve));
}
const refused = (code: string): Error => Object.assign(new Error(`SQLSTATE ${code}`), { code });

/** Returns a statement that completes on command. */
function statement<Answer>(on: Database = db) {
  const under: { asked: readonly number[]; end: (answers: readonly Answer[]) => void; fail: (error: Error) => void }[] = [];
  const call = inBatches<number, Answer>(
    (_db, asked) => new Promise((resolve, reject) => under.push({ asked: [...asked], end: resolve, fail: reject })),
  );
  return { under, ask: (asked: number) => call(on, asked) };
}

test('calls of one turn share a statement, those that arrive meanwhile the next, and each gets its own answer', async () => {
  const { under, ask } = statement<string>();
  const first = [ask(1), ask(2)];
  await turns();
  const second = [ask(3), ask(4), ask(5)];
  await turns();
  expect(under.map(({ asked }) => asked)).toEqual([[1, 2]]);
  under[0]!.end(['one', 'two']);
  expect(await Promise.all(first)).toEqual(['one', 'two']);
  await turns();
  expect(under[1]!.asked).toEqual([3, 4, 5]);
  under[1]!.end(['three', 'four', 'five']);
  expect(await Promise.all(second)).toEqual(['three', 'four', 'five']);
});

test('on the embedded database calls of consecutive turns share a statement', async () => {
  const { under, ask } = statement<string>({ kind: 'embedded' } as Database);
  const next = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  const asked = [ask(1)];
  for (const each of [2, 3]) {
    await next();
    asked.push(ask(each));
  }
  await turns();
  expect(under.map(each => each.asked)).toEqual([[1, 2, 3]]);
  under[0]!.end(['one', 'two', 'three']);
  expect(await Promise.all(asked)).toEqual(['one', 'two', 'three']);
});

test('the embedded database runs one statement at a time, and the next has all calls that arrived meanwhile', async () => {
  const embedded = { kind: 'embedded' } as Database;
  const finds = statement<string>(embedded);
  const saves = statement<string>(embedded);
  const found = finds.ask(1);
  await turns();
  const saved = [saves.ask(2)];
  await turns();
  saved.push(saves.ask(3));
  await turns();
  expect(saves.under).toEqual([]);
  finds.under[0]!.end(['one']);
  expect(await found).toBe('one');
  await turns();
  expect(saves.under.map(({ asked }) => asked)).toEqual([[2, 3]]);
  saves.under[0]!.end(['two', 'three']);
  expect(await Promise.all(saved)).toEqual(['two', 'three']);
});

test('a server gets concurrent statements', async () => {
  const server = { kind: 'postgres' } as Database;
  const finds = statement<string>(server);
  const saves = statement<string>(server);
  const found = finds.ask(1);
  const saved = saves.ask(2);
  await turns();
  expect([finds.under.length, saves.under.length]).toEqual([1, 1]);
  saves.under[0]!.end(['two']);
  expect(await saved).toBe('two');
  finds.under[0]!.end(['one']);
  expect(await found).toBe('one');
});

test('a statement that waits for a lock does not hold up others for long', async () => {
  const { under, ask } = statement<string>();
  const stuck = ask(1);
  await turns();
  const next = ask(2);
  await turns();
  expect(under.length).toBe(1);
  vi.advanceTimersByTime(20);
  await turns();
  expect(under.length).toBe(2);
  under[1]!.end(['two']);
  expect(await next).toBe('two');
  under[0]!.end(['one']);
  expect(await stuck).toBe('one');
});

test('a call whose data the database refuses does not affect the others', async () => {
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

test('a failure of the database fails every call of the batch, and the next call is attempted again', async () => {
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
