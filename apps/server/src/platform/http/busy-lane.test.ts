import { expect, test } from 'vitest';
import { BusyLane } from './busy-lane.ts';

/** A lane whose time stands still until it is moved. */
function laneAt() {
  let now = 0;
  return { lane: new BusyLane(() => now), pass: (ms: number) => void (now += ms) };
}

test('who had calls worked on for two seconds is busy, and after a rest no more; others never were', () => {
  const { lane, pass } = laneAt();
  for (let call = 0; call < 19; call++) lane.note('much', 100);
  expect(lane.isBusy('much')).toBe(false);
  lane.note('much', 150);
  expect(lane.isBusy('much')).toBe(true);
  expect(lane.isBusy('little')).toBe(false);
  pass(5_000);
  expect(lane.isBusy('much')).toBe(false);
});

test('two are worked on at a time, and those of one name wait behind the next of every other', async () => {
  const { lane } = laneAt();
  const [first, second] = await Promise.all(['a', 'a'].map(name => lane.take(name)));
  const order: string[] = [];
  const waiting = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (name, number) => {
    const end = await lane.take(name);
    order.push(`${name}${number}`);
    return end;
  });
  const settled = () => new Promise(resolve => setImmediate(resolve));
  await settled();
  expect(order).toEqual([]);
  first!();
  // A place is given away once.
  first!();
  await settled();
  expect(order).toEqual(['a0']);
  second!();
  await settled();
  expect(order).toEqual(['a0', 'b3']);
  for (const number of [0, 3, 4, 1, 5, 2]) {
    (await waiting[number]!)();
    await settled();
  }
  expect(order).toEqual(['a0', 'b3', 'c4', 'a1', 'b5', 'a2']);
  await expect(Promise.race([lane.take('d').then(() => 'runs'), settled().then(() => 'waits')])).resolves.toBe('runs');
});

test('of thousands of names those that count are remembered', () => {
  const { lane, pass } = laneAt();
  for (let number = 0; number < 1_000; number++) lane.note(`early ${number}`, 10);
  pass(60_000);
  lane.note('late', 3_000);
  for (let number = 0; number < 10; number++) lane.note(`later ${number}`, 10);
  expect(lane.isBusy('late')).toBe(true);
});
