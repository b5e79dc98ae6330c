import { expect, test } from 'vitest';
import { Durations } from './durations.ts';

test('durations are counted below each bound, added up, and counted where the work failed', async () => {
  const durations = new Durations('x_duration_seconds');
  for (const milliseconds of [10, 10.1, 250, 3_000, 70_000]) durations.note('kind="a"', milliseconds);
  await expect(durations.of('kind="b"', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const lines = durations.lines();
  expect(lines.slice(0, 12)).toEqual([
    '# TYPE x_duration_seconds histogram',
    'x_duration_seconds_bucket{kind="a",le="0.01"} 1',
    'x_duration_seconds_bucket{kind="a",le="0.03"} 2',
    'x_duration_seconds_bucket{kind="a",le="0.1"} 2',
    'x_duration_seconds_bucket{kind="a",le="0.3"} 3',
    'x_duration_seconds_bucket{kind="a",le="1"} 3',
    'x_duration_seconds_bucket{kind="a",le="3"} 4',
    'x_duration_seconds_bucket{kind="a",le="10"} 4',
    'x_duration_seconds_bucket{kind="a",le="60"} 4',
    'x_duration_seconds_bucket{kind="a",le="+Inf"} 5',
    'x_duration_seconds_sum{kind="a"} 73.270100',
    'x_duration_seconds_count{kind="a"} 5',
  ]);
  expect(lines.at(-1)).toBe('x_duration_seconds_count{kind="b"} 1');
});
