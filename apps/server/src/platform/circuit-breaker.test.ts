import { MINUTE_MS } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { circuitBreaker, Paused } from './circuit-breaker.ts';

test('a system that does not answer is left alone for a minute, then one call is let through', async () => {
  let now = 0;
  let asked = 0;
  let isUp = false;
  const ask = async (): Promise<string> => {
    asked++;
    if (!isUp) throw new Error('timed out');
    return 'fine';
  };
  const through = circuitBreaker(
    'The mail server',
    error => error.message === 'timed out',
    () => now,
  );
  await expect(through(ask)).rejects.toThrow('timed out');
  await expect(through(ask)).rejects.toThrow(Paused);
  now = MINUTE_MS - 1;
  await expect(through(ask)).rejects.toThrow('The mail server did not answer a moment ago');
  expect(asked).toBe(1);
  now = MINUTE_MS;
  const [first, second] = await Promise.allSettled([through(ask), through(ask)]);
  expect([first.status, second.status, asked]).toEqual(['rejected', 'rejected', 2]);
  isUp = true;
  now = 2 * MINUTE_MS;
  expect(await through(ask)).toBe('fine');
  expect(await Promise.all([through(ask), through(ask)])).toEqual(['fine', 'fine']);
});

test('a refusal of one call leaves the system open for others', async () => {
  const through = circuitBreaker('The mail server', error => error.message === 'timed out');
  await expect(through(() => Promise.reject(new Error('no such mailbox')))).rejects.toThrow('no such mailbox');
  expect(await through(() => Promise.resolve(1))).toBe(1);
});
