import { ServiceFailure } from '@portal/app-kit';
import { expect, it } from 'vitest';
import { readAccountName, refusedWords } from './link-words.ts';

it.each([
  [' example-au ', 'EXAMPLE-AU'],
  ['Ｅxample-au', 'EXAMPLE-AU'],
  ['7net', '7NET'],
])('"%s" is the account %s', (typed, accountName) => {
  expect(readAccountName(typed)).toEqual({ accountName });
});

it.each([
  ['', 'Write the name of the account'],
  ['a', 'An account name has 2 to 40 letters, digits and hyphens, such as EXAMPLE-AU'],
  ['EXAMPLE AU', 'An account name has 2 to 40 letters, digits and hyphens, such as EXAMPLE-AU'],
  ['-AU', 'An account name has 2 to 40 letters, digits and hyphens, such as EXAMPLE-AU'],
])('"%s" is no account name', (typed, problem) => {
  expect(readAccountName(typed)).toEqual({ problem });
});

const refused = (status: number, message: string) => new ServiceFailure(status, [{ code: 'TOO_MANY_REQUESTS', message, traceId: 't' }]);
it.each([
  [30, '1 minute'],
  [3_000, '50 minutes'],
  [5_400, '2 hours'],
  [86_000, '24 hours'],
])('a limit that lasts %d seconds is said as %s', (seconds, words) => {
  expect(refusedWords(refused(429, `Too many requests. Try again in ${seconds} seconds`))).toBe(
    `Five requests within 24 hours are possible. The next one is in about ${words}.`,
  );
});

it('any other refusal keeps its own words', () => {
  expect(refusedWords(refused(503, 'The service is not available'))).toBe('The service is not available');
});
