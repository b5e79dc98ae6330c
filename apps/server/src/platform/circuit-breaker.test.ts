import { MINUTE_MS } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { circuitBreaker, isSilence, Paused } from './circuit-breaker.ts';

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

test.each<[string, Error, boolean]>([
  ['a call that took too long', new DOMException('The operation timed out', 'TimeoutError'), true],
  ['a connection that was refused', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), true],
  ['a fetch that reached no one', new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }), true],
  ['an answer in other words', new Error('It answered 500'), false],
  ['a call that its caller gave up', new DOMException('This operation was aborted', 'AbortError'), false],
  ['an error without a cause', Object.assign(new Error('x'), { cause: null }), false],
])('%s: silence or not', (_what, error, isSilent) => {
  expect(isSilence(error)).toBe(isSilent);
});
