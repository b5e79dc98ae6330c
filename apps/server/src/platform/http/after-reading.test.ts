import { expect, test } from 'vitest';
import type { Change } from '../database/index.ts';
import { afterReading } from './endpoints.ts';

/** A handler as the platform calls it, with no more than this test has. */
type Handler = ((call: object) => Promise<unknown>) & { readFirst?: (call: object) => Promise<unknown> };
type TestCall = { change: Change; body: { text: string } };
const read: unknown[] = [];
const handler = afterReading<TestCall, string, object>(
  ({ read: from, body }) => {
    read.push(from);
    return Promise.resolve(body.text.toUpperCase());
  },
  ({ change, body }, given) => Promise.resolve({ change, body, given }),
);

test('a handler that reads before its transaction is given what was read, and reads nothing again', async () => {
  const [outside, change] = [{ is: 'outside' }, { is: 'change' } as unknown as Change];
  const given = { is: await (handler as Handler).readFirst!({ read: outside, body: { text: 'a' } }) };
  expect(await (handler as Handler)({ change, body: { text: 'a' }, given })).toEqual({ change, body: { text: 'a' }, given: 'A' });
  expect(read).toEqual([outside]);
});

test('carried out after a second person approved, it reads in the transaction', async () => {
  read.length = 0;
  const change = { is: 'change' } as unknown as Change;
  expect(await handler({ change, body: { text: 'b' } })).toEqual({ change, body: { text: 'b' }, given: 'B' });
  expect(read).toEqual([change]);
});
