import { expect, test } from 'vitest';
import { BusyLane } from './busy-lane.ts';

/** A lane whose time stands still until it is moved. */
function laneAt() {
  let now = 0;
  return { lane: new BusyLane(() => now), pass: (ms: number) => void (now += ms) };
}

test('who has something asked for all the time is busy after eight seconds, and half a second after the last answer no more', () => {
  const { lane, pass } = laneAt();
  let answered = lane.asks('program');
  for (let second = 0; second < 6; second++) {
    pass(1_000);
    answered();
    answered = lane.asks('program');
  }
  expect(lane.isBusy('program')).toBe(false);
  pass(2_000);
  expect(lane.isBusy('program')).toBe(true);
  answered();
  pass(1_200);
  expect(lane.isBusy('program')).toBe(false);
});

test('who looks at what is answered is never busy, however long each answer takes', () => {
  const { lane, pass } = laneAt();
  for (let page = 0; page < 20; page++) {
    const answers = Array.from({ length: 8 }, () => lane.asks('person'));
    pass(4_000);
    for (const answered of answers) answered();
    expect(lane.isBusy('person')).toBe(false);
    pass(4_000);
  }
  expect(lane.isBusy('stranger')).toBe(false);
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

test('who asks least is next, before those who waited longer', async () => {
  const { lane, pass } = laneAt();
  for (const name of ['program', 'other']) lane.asks(name);
  pass(60_000);
  lane.asks('person');
  pass(1_000);
  const [first] = await Promise.all(['a', 'b'].map(name => lane.take(name)));
  const order: string[] = [];
  for (const name of ['program', 'other', 'person'])
    void lane.take(name).then(end => {
      order.push(name);
      setImmediate(end);
    });
  first!();
  await expect.poll(() => order).toEqual(['person', 'program', 'other']);
});

test('of thousands of names those that count are remembered', () => {
  const { lane, pass } = laneAt();
  for (let number = 0; number < 1_000; number++) lane.asks(`early ${number}`)();
  lane.asks('late');
  pass(60_000);
  for (let number = 0; number < 10; number++) lane.asks(`later ${number}`)();
  expect(lane.isBusy('late')).toBe(true);
});
