import { ServiceFailure } from '@portal/app-kit';
import { expect, it } from 'vitest';
import { refusedWords } from './link-words.ts';

const refused = (status: number, message: string) => new ServiceFailure(status, [{ code: 'TOO_MANY_REQUESTS', message, traceId: 't' }]);
it.each([
  [30, '1 minute'],
  [3_000, '50 minutes'],
  [5_400, '2 hours'],
  [86_000, '24 hours'],
])('a limit that lasts %d seconds is shown as %s', (seconds, words) => {
  expect(refusedWords(refused(429, `Too many requests. Try again in ${seconds} seconds`))).toBe(
    `You can send five requests in 24 hours. Try again in about ${words}.`,
  );
});

it('any other refusal keeps its own message', () => {
  expect(refusedWords(refused(503, 'The service is not available'))).toBe('The service is not available');
});
