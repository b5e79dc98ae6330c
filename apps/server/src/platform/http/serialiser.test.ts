import type { Endpoint } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { serialiserOf } from './serialiser.ts';

const answered = allEndpoints.flatMap(({ id, answer }: Endpoint) => (answer && answer !== 'download' ? [{ id, answer }] : []));

test.each(answered)('the answer of $id has a serialiser, the same one every time', ({ answer }) => {
  const serialise = serialiserOf(answer);
  expect(serialise).toBeTypeOf('function');
  expect(serialiserOf(answer)).toBe(serialise);
});

test('a field that is not in the schema is not sent, and null is sent as null', () => {
  const schema = z.object({ name: z.string(), closedAt: z.nullable(z.string()), rows: z.array(z.object({ id: z.number() })) });
  const sent = { name: 'EXAMPLE-AU', closedAt: null, secret: 'x', rows: [{ id: 1, secret: 'y' }] };
  expect(JSON.parse(serialiserOf(schema)(sent))).toEqual({ name: 'EXAMPLE-AU', closedAt: null, rows: [{ id: 1 }] });
});
