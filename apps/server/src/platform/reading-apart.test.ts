import { expect, test } from 'vitest';
import type { read } from '../../test/readers.ts';
import { readApart } from './reading-apart.ts';

const reader = readApart<typeof read>(new URL('../../test/readers.ts', import.meta.url));

test('a text is read in the thread, and a refusal of its reader is the refusal of the call', async () => {
  expect(await reader('one', { kind: 'answer', text: 'a' }, 'text')).toBe('A');
  await expect(reader('one', { kind: 'refuse', text: 'b' }, 'text')).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    status: 400,
    problems: [{ field: 'text', message: 'b can’t be read' }],
  });
  await expect(reader('one', { kind: 'fail', text: '' }, 'text')).rejects.toThrow('A defect');
  expect(await reader('one', { kind: 'answer', text: 'after' }, 'text')).toBe('AFTER');
});

test('one that takes more than it may is refused at its field, and the next is read', async () => {
  const refused = reader('one', { kind: 'grow', text: '' }, 'csv');
  const next = reader('two', { kind: 'answer', text: 'next' }, 'csv');
  await expect(refused).rejects.toMatchObject({
    status: 400,
    problems: [{ field: 'csv', message: expect.stringContaining('smaller parts') }],
  });
  expect(await next).toBe('NEXT');
});

test('one who sends many waits alone, and hears when to try again', async () => {
  const order: string[] = [];
  const ask = (sender: string, text: string) =>
    reader(sender, { kind: 'answer', text }, 'text').then(
      answer => order.push(answer),
      (error: { code: string; headers: object }) => order.push(`${text} ${error.code} ${JSON.stringify(error.headers)}`),
    );
  await Promise.all([...Array.from({ length: 10 }, (_, number) => ask('many', `m${number}`)), ask('other', 'o')]);
  // One runs, eight wait.
  const waiting = Array.from({ length: 9 }, (_, number) => ask('many', `n${number}`));
  // No call waits for it: the program that asked hears of the limit itself.
  await expect(reader('many', { kind: 'answer', text: '' })).rejects.toMatchObject({ reason: 'busy' });
  await Promise.all(waiting);
  expect(order[0]).toBe('m9 TOO_MANY_REQUESTS {"retry-after":"10"}');
  expect(order.indexOf('O')).toBeLessThan(order.indexOf('M2'));
  expect(order).toHaveLength(20);
});
