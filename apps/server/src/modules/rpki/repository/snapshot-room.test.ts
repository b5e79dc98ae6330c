import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiredSnapshots, SnapshotPace } from './snapshot-room.ts';

const MB = 1_000_000;

/** Publishes for so long whenever it may, with messages that never end. Returns the most bytes of snapshots that stood there. */
function busy({ bytes, forMs }: { bytes: number; forMs: number }): number {
  const pace = new SnapshotPace();
  let there: { file: string; bytes: number; at: number }[] = [];
  let most = 0;
  for (let now = 0; now < forMs; now += 200) {
    if (pace.wait(now) > 0) continue;
    pace.wrote(bytes, now);
    there.push({ file: `${now}`, bytes, at: now });
    const gone = new Set(
      expiredSnapshots(
        there.slice(0, -1).map(({ at, ...each }) => ({ ...each, ageMs: now - at })),
        bytes,
      ),
    );
    there = there.filter(({ file }) => !gone.has(file));
    most = Math.max(
      most,
      there.reduce((sum, each) => sum + each.bytes, 0),
    );
  }
  return most;
}

test.each([1, 10, 133, 600])('an authority that sends message after message fills no disk: a snapshot of %i MB', size => {
  const written = 60 * 10 * MB;
  expect(busy({ bytes: size * MB, forMs: 20 * MINUTE_MS })).toBeLessThanOrEqual(written + 200 * MB + 5 * size * MB);
});

test('a snapshot stays for the minute in which a notification that names it is cached, and ten where there is room', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 900 }).map(size => size * MB), ageMs: fc.nat(15 * MINUTE_MS) }), {
        maxLength: 20,
      }),
      fc.integer({ min: 1, max: 900 }).map(size => size * MB),
      (given, present) => {
        const files = given.map((each, n) => ({ ...each, file: String(n) }));
        const gone = new Set(expiredSnapshots(files, present));
        const kept = files.filter(({ file }) => !gone.has(file));
        expect(files.filter(({ ageMs }) => ageMs <= MINUTE_MS).every(({ file }) => !gone.has(file))).toBe(true);
        expect(kept.every(({ ageMs }) => ageMs <= 10 * MINUTE_MS)).toBe(true);
        const older = kept.filter(({ ageMs }) => ageMs > MINUTE_MS).reduce((sum, { bytes }) => sum + bytes, 0);
        expect(older).toBeLessThanOrEqual(Math.max(200 * MB, 3 * present));
        if (files.reduce((sum, { bytes }) => sum + bytes, 0) <= Math.max(200 * MB, 3 * present))
          expect(kept).toEqual(files.filter(({ ageMs }) => ageMs <= 10 * MINUTE_MS));
      },
    ),
  );
});

test('what is due only to members’ own authorities waits as long as their snapshot is large', () => {
  const pace = new SnapshotPace();
  expect(pace.wait(0)).toBe(0);
  pace.wrote(133 * MB, 1_000);
  expect(pace.wait(1_000)).toBe(13.3 * SECOND_MS);
  expect(pace.wait(15_000)).toBe(0);
  pace.wrote(MB / 10, 20_000);
  expect(pace.wait(20_200)).toBe(0);
});
