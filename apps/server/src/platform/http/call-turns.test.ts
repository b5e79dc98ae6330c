import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callTurns } from './call-turns.ts';
import type { Admitted } from './caller.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const of = (loginId: string): Admitted => ({ caller: { loginId, amr: [], sid: loginId } }) as unknown as Admitted;
const read = { isRead: true, isLong: false };
const long = { isRead: true, isLong: true };
/** Whether something has happened once all that waits for nothing is done. */
async function happened(what: Promise<unknown>): Promise<boolean> {
  let is = false;
  void what.then(() => (is = true));
  await vi.advanceTimersByTimeAsync(0);
  return is;
}

test('what takes long waits for what takes long, and a short call of someone else for none of it', async () => {
  const turns = callTurns();
  const ends = await Promise.all(['a', 'b'].map(name => turns.take(of(name), long)));
  const third = turns.take(of('d'), long);
  expect(await happened(third)).toBe(false);
  const short = turns.take(of('e'), read);
  expect(await happened(short)).toBe(true);
  (await short)();
  ends[0]!();
  expect(await happened(third)).toBe(true);
});

test('who asked for something all the time waits with those, and after a rest for no one', async () => {
  const turns = callTurns();
  const call = await turns.take(of('a'), read);
  await vi.advanceTimersByTimeAsync(10_000);
  call();
  const ends = await Promise.all(['b', 'c'].map(name => turns.take(of(name), long)));
  const again = turns.take(of('a'), read);
  expect(await happened(again)).toBe(false);
  for (const end of ends) end();
  expect(await happened(again)).toBe(true);
  (await again)();
  await vi.advanceTimersByTimeAsync(60_000);
  for (const name of ['b', 'c']) await turns.take(of(name), long);
  expect(await happened(turns.take(of('a'), read))).toBe(true);
});

test('what takes long begins when no short call is worked on, and after a quarter of a second in any case', async () => {
  const turns = callTurns();
  const short = await turns.take(of('a'), read);
  const first = turns.take(of('b'), long);
  expect(await happened(first)).toBe(false);
  short();
  expect(await happened(first)).toBe(true);
  await turns.take(of('a'), read);
  const second = turns.take(of('c'), long);
  await vi.advanceTimersByTimeAsync(240);
  expect(await happened(second)).toBe(false);
  await vi.advanceTimersByTimeAsync(10);
  expect(await happened(second)).toBe(true);
});

test('a call that waits for another system gives its place away after two seconds, once', async () => {
  const turns = callTurns();
  const ends = await Promise.all(['a', 'b'].map(name => turns.take(of(name), long)));
  const next = ['d', 'e', 'f'].map(name => turns.take(of(name), long));
  await vi.advanceTimersByTimeAsync(1_900);
  expect(await happened(next[0]!)).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(await happened(next[1]!)).toBe(true);
  for (const end of ends) end();
  expect(await happened(next[2]!)).toBe(false);
});

test('files that are made keep their places until they are whole, and no call waits for them', async () => {
  const turns = callTurns();
  const ends = await Promise.all(['a', 'b'].map(name => turns.takeMade(of(name))));
  const third = turns.takeMade(of('d'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await happened(third)).toBe(false);
  expect(await happened(turns.take(of('a'), long))).toBe(true);
  ends[0]!();
  expect(await happened(third)).toBe(true);
});
