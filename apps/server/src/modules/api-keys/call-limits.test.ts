import { expect, test } from 'vitest';
import { openCallLimits } from './call-limits.ts';

test('an idle key can make the calls of ten seconds in one, then as many as are refilled, and another key is not affected', () => {
  let now = 0;
  const limitOf = openCallLimits(10, () => now);
  const made = Array.from({ length: 150 }, () => limitOf('a').allowed);
  expect(made.filter(Boolean).length).toBe(100);
  expect(limitOf('a')).toMatchObject({
    allowed: false,
    retrySeconds: 1,
    headers: { 'retry-after': '1', 'ratelimit-policy': '"key";q=100;w=10' },
  });
  expect(limitOf('b')).toMatchObject({ allowed: true, headers: { ratelimit: '"key";r=99;t=1' } });
  now += 1000;
  expect(Array.from({ length: 20 }, () => limitOf('a').allowed).filter(Boolean).length).toBe(10);
});
