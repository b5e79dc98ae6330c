import { expect, test, vi } from 'vitest';
import { MemoryBound } from './memory-bound.ts';

/** A process of 1,000 MB that takes `taken.megabytes`, with what it said and how often it collected. */
function bounded(megabytes = 1000) {
  const taken = { megabytes: 100, at: 0, collections: 0, afterCollecting: null as number | null };
  const warn = vi.fn();
  const memory = new MemoryBound({
    megabytes,
    log: { warn },
    taken: () => taken.megabytes * 1024 * 1024,
    collect: () => {
      taken.collections++;
      taken.megabytes = taken.afterCollecting ?? taken.megabytes;
    },
    now: () => taken.at,
  });
  return { memory, taken, warn, [Symbol.dispose]: () => memory.close() };
}

test('what takes much is refused before all the rest, each with words and a time to try again', () => {
  using process = bounded();
  const { memory, taken } = process;
  for (const [megabytes, much, little] of [
    [679, null, null],
    [680, 'MEMORY_SHORT', null],
    [949, 'MEMORY_SHORT', null],
    [950, 'MEMORY_SHORT', 'MEMORY_SHORT'],
  ] as const) {
    taken.megabytes = megabytes;
    taken.at += 100;
    expect([memory.refusalOf(true)?.code ?? null, memory.refusalOf(false)?.code ?? null]).toEqual([much, little]);
  }
  expect(memory.refusalOf(true)).toMatchObject({ status: 503 });
  expect(() => memory.requireRoom()).toThrow('Try this again in a minute');
  expect(memory.lines()).toEqual(
    expect.arrayContaining([`process_memory_bound_bytes ${1000 * 1024 * 1024}`, 'requests_refused_for_memory_total 6']),
  );
});

test('without a bound nothing is refused and nothing counted', () => {
  using process = bounded(0);
  process.taken.megabytes = 1_000_000;
  expect([process.memory.refusalOf(true), process.memory.isFull, process.memory.isTight, process.memory.lines()]).toEqual([
    null,
    false,
    false,
    [],
  ]);
});

test('bodies that are about to arrive count for the next one that takes much, and for no other, until they are over', () => {
  using process = bounded();
  const { memory, taken } = process;
  taken.megabytes = 640;
  const ends = [memory.announce(10 * 1024 * 1024), memory.announce(10 * 1024 * 1024)];
  expect([memory.refusalOf(true)?.code, memory.refusalOf(false)]).toEqual(['MEMORY_SHORT', null]);
  ends[0]!();
  ends[0]!();
  expect(memory.refusalOf(true)).toBeNull();
  ends[1]!();
});

test('garbage is collected where memory is short, not again within seconds, and it is said once until there is room', () => {
  using process = bounded();
  const { memory, taken, warn } = process;
  memory.look();
  expect([taken.collections, warn.mock.calls.length]).toEqual([0, 0]);
  taken.megabytes = 900;
  for (const at of [100, 600, 1100, 5200]) {
    taken.at = at;
    memory.look();
  }
  expect([taken.collections, warn.mock.calls.length]).toEqual([2, 1]);
  taken.megabytes = 500;
  taken.at = 6000;
  memory.look();
  taken.megabytes = 900;
  taken.at = 20_000;
  memory.look();
  expect([taken.collections, warn.mock.calls.length]).toEqual([3, 2]);
});

test('a collection that gives memory back counts for the next request', () => {
  using process = bounded();
  const { memory, taken } = process;
  taken.megabytes = 990;
  taken.afterCollecting = 300;
  expect(memory.isFull).toBe(true);
  memory.look();
  expect(memory.refusalOf(true)).toBeNull();
});

test('work of the background waits until there is room, and for a minute at most', async () => {
  vi.useFakeTimers();
  try {
    using process = bounded();
    const { memory, taken } = process;
    const done: string[] = [];
    taken.megabytes = 900;
    void memory.untilRoom().then(() => done.push('roomy'));
    const passing = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 500) {
        taken.at += 500;
        await vi.advanceTimersByTimeAsync(500);
      }
    };
    await passing(3000);
    expect(done).toEqual([]);
    taken.megabytes = 500;
    await passing(1000);
    expect(done).toEqual(['roomy']);
    taken.megabytes = 900;
    taken.at += 100;
    void memory.untilRoom().then(() => done.push('late'));
    await passing(59_000);
    expect(done).toEqual(['roomy']);
    await passing(2000);
    expect(done).toEqual(['roomy', 'late']);
  } finally {
    vi.useRealTimers();
  }
});
