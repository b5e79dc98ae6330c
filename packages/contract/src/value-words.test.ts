import { isUpload } from '@portal/contract';
import { allEndpoints, api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { wordsOfValue } from './value-words.ts';

const problemsOf = (schema: z.core.$ZodType, given: unknown) =>
  (z.safeParse(schema, given, { error: wordsOfValue }).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);

test('a missing field or one of the wrong type is refused with what it accepts', () => {
  const { body } = api.rpki.changeRoas;
  expect(problemsOf(body as z.core.$ZodType, { add: 'none', remove: [1] })).toEqual([
    ['add', 'Takes a list'],
    ['remove.0', 'Takes text'],
    ['version', 'Is missing; it takes a number'],
  ]);
});

test('a schema’s own message is kept', () => {
  const named = z.object({ providers: z.array(z.string()).check(z.minLength(1, { error: 'Enter at least one provider' })) });
  expect(problemsOf(named, { providers: [] })).toEqual([['providers', 'Enter at least one provider']]);
  expect(problemsOf(z.object({ family: z.enum(['ipv4', 'ipv6']) }), { family: 'both' })).toEqual([['family', 'Takes one of ipv4, ipv6']]);
});

test('no call refuses an empty body with a library’s message', () => {
  const refusals = allEndpoints.flatMap(({ id, body, query }) =>
    [isUpload(body) ? undefined : body, query].flatMap(schema =>
      (schema ? problemsOf(schema, {}) : []).map(([field, message]) => ({ call: `${id} ${field}`, message: message! })),
    ),
  );
  expect(refusals.length).toBeGreaterThan(100);
  expect(refusals.filter(({ message }) => /^Invalid|expected|undefined/.test(message))).toEqual([]);
});

test('what is too long, too short, too large or too small is refused with its bound', () => {
  const bounded = z.object({
    name: z.string().check(z.maxLength(3)),
    code: z.string().check(z.minLength(2)),
    rows: z.array(z.string()).check(z.minLength(1)),
    days: z.number().check(z.gte(3), z.lte(5)),
  });
  expect(problemsOf(bounded, { name: 'long', code: 'x', rows: [], days: 9 })).toEqual([
    ['name', 'Takes at most 3 characters'],
    ['code', 'Takes at least 2 characters'],
    ['rows', 'Takes at least 1 entry'],
    ['days', 'Takes at most 5'],
  ]);
});
