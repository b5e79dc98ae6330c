import { Readable } from 'node:stream';
import { isUpload, smallBody } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { longFieldOf } from '@portal/contract/long-text';
import { maxRoutesAtOnce } from '@portal/contract/routes/routes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HeldBody } from '../held-body.ts';
import { joined } from '../held-text.ts';
import { deepestBody, maxBodyValues, maxListedValues, maxObjectFields, maxParsedValues, readJson } from './json-body.ts';

const longField = { name: 'csv', limit: { most: 1_000_000, tooLong: 'It is too long' } };
/** Reads a body that arrives in pieces of a size: as text, or as bytes if it has many values. */
const readAny = (
  body: string,
  { piece = 1000, largest = 3_000_000, announced = null as number | null, withText = true, takesHeld = true } = {},
) => {
  const bytes = Buffer.from(body);
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, place) => bytes.subarray(place * piece, (place + 1) * piece));
  return readJson(Readable.from(pieces), { largest, announced, longField: withText ? longField : null, takesHeld });
};
const textOf = (body: Awaited<ReturnType<typeof readJson>>): string =>
  body instanceof HeldBody ? joined(body.pieces, body.bytes).toString() : body.text;
const read = async (...given: Parameters<typeof readAny>) => {
  const body = await readAny(...given);
  if (body instanceof HeldBody) throw new Error('It has many values');
  return body;
};
const long = (words: string): string => words.repeat(Math.ceil((smallBody + 1) / words.length));

describe('a body of JSON', () => {
  test('its long text is held apart, wherever its pieces end, and the rest is as it was sent', async () => {
    const csv = long('a "quoted" \\ line, ü表😀\n');
    for (const piece of [7, 1000, 65_536, 10_000_000]) {
      const { text, held } = await read(JSON.stringify({ before: { csv: 'inner' }, csv, after: ['csv', 1] }), { piece });
      expect(JSON.parse(text)).toEqual({ before: { csv: 'inner' }, csv: '', after: ['csv', 1] });
      expect(held).toMatchObject({ name: 'csv', text: { limit: longField.limit } });
      expect(held!.text.whole()).toBe(csv);
    }
  });

  test('one that is short, or of a call without one, stays where it is', async () => {
    const body = JSON.stringify({ csv: 'a,b\n"c"', dryRun: true });
    expect(await read(body)).toEqual({ text: body, held: null });
    const other = JSON.stringify({ csv: long('x') });
    expect(await read(other, { withText: false })).toEqual({ text: other, held: null });
  });

  test('each object may have as many fields as one may have', async () => {
    const object = Object.fromEntries(Array.from({ length: maxObjectFields }, (_, n) => [`f${n}:`, ':']));
    const body = JSON.stringify([object, { inner: object, other: object }]);
    expect(textOf(await readAny(body))).toBe(body);
  });

  test('one of many values stays bytes, with its long text and what it says of a dry run', async () => {
    const csv = long('a\n');
    const list = Array.from({ length: maxParsedValues }, () => 1);
    for (const dryRun of [true, false, 'true', [true], undefined]) {
      const whole = { list, dryRun, csv, inner: { dryRun: true } };
      const body = await readAny(JSON.stringify(whole), { piece: 999 });
      expect(body).toBeInstanceOf(HeldBody);
      expect(JSON.parse(textOf(body))).toEqual({ ...whole, csv: '' });
      expect(body).toMatchObject({ dryRun: typeof dryRun === 'boolean' ? dryRun : undefined, long: { name: 'csv' } });
      expect((body as HeldBody).long!.text.whole()).toBe(csv);
    }
    expect(await readAny(`{"dryRun":true,"a":${JSON.stringify(list)},"dryRun": false }`)).toMatchObject({ dryRun: false, long: null });
  });

  test('any JSON is the same afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 20 }), async (json, piece) => {
        expect((await read(json, { piece })).text).toBe(json);
        const around = `{"a":${json},"csv":"x","b":${json}}`;
        expect((await read(around, { piece })).text).toBe(around);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['is nested too deep', '['.repeat(deepestBody + 1), {}, `nested deeper than ${deepestBody}`],
    ['has too many values', `[${'1,'.repeat(maxBodyValues)}1]`, {}, `more than ${maxBodyValues} values`],
    ['has too many of a call without lists', `[${'1,'.repeat(maxBodyValues)}1]`, { largest: smallBody, withText: false }, 'values'],
    [
      'has more values than are parsed, of a page that no thread reads for',
      `[${'1,'.repeat(maxParsedValues)}1]`,
      { takesHeld: false },
      `more than ${maxParsedValues} values`,
    ],
    ['has too many listed values', `[${'1,'.repeat(maxListedValues)}1]`, { withText: false }, `more than ${maxListedValues} values`],
    [
      'has an object of too many fields',
      `[{"a":{"b":1}},{"c":{${Array.from({ length: maxObjectFields + 1 }, (_, n) => `"f${n}":{}`).join()}}}]`,
      {},
      `an object with more than ${maxObjectFields} fields`,
    ],
    ['is too large', `"${'x'.repeat(200)}"`, { largest: 100 }, 'larger than 100'],
    ['announces that it is too large', '1', { largest: 100, announced: 101 }, 'larger than 100'],
    ['is longer than it announced', '"x"', { announced: 2 }, 'not JSON'],
    ['is too large beside its long text', JSON.stringify({ a: long('x'), csv: 'y' }), {}, 'larger than 131 KB beside csv'],
    ['has its long text twice', `{"csv":"${long('x')}","csv":"y"}`, {}, 'csv twice'],
  ])('one that %s is refused with the limit', async (_, body, options, words) => {
    await expect(readAny(body, options)).rejects.toThrow(words);
  });
});

/** The parts of a JSON Schema that a value is made from. */
type Json = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Json;
  properties?: Record<string, Json>;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
};
/** A value with all fields, texts as long as a prefix or less, and a share of each list; where a list has no limit, what is common. */
function valueOf(schema: Json, share: number): unknown {
  const one = schema.anyOf ?? schema.oneOf;
  if (one) return one.map(each => valueOf(each, share)).toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(each => valueOf(each, share)));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'string')
    return 'x'.repeat(Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? 300, '192.0.2.0/24'.length)));
  if (schema.type === 'array') {
    const item = valueOf(schema.items ?? {}, share);
    return Array.from({ length: Math.ceil((schema.maxItems ?? 100) * share) }, () => item);
  }
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, valueOf(each, share)]));
  return schema.type === 'boolean' ? true : schema.type === 'null' ? null : 24;
}

const declared = allEndpoints.flatMap(({ id, body, largestBody = smallBody }) =>
  body && !isUpload(body)
    ? [{ id, body, largest: largestBody, schema: z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json }]
    : [],
);

test.each(declared)('the largest body that $id declares is taken', async ({ body, largest, schema }) => {
  // Of a body that would be larger than the call takes, as much of its lists as it does.
  let text: string;
  let share = 1;
  do {
    text = JSON.stringify(valueOf(schema, share));
    share *= 0.8;
  } while (text.length > largest && share > 0.0001);
  const read = await readJson(Readable.from([Buffer.from(text)]), {
    largest,
    announced: text.length,
    longField: longFieldOf(body),
    takesHeld: true,
  });
  expect(textOf(read)).toBe(text);
});

test('as many routes are removed in one call as the contract allows', async () => {
  const remove = Array.from({ length: maxRoutesAtOnce }, (_, n) => ({ routeId: String(n), keepRoa: false, keepObjects: true }));
  const removed = JSON.stringify({ version: '1', add: [], change: [], remove, adopt: [], text: '', removing: maxRoutesAtOnce });
  const { body, largest } = declared.find(({ id }) => id === 'routes.saveRoutes')!;
  const read = await readJson(Readable.from([Buffer.from(removed)]), {
    largest,
    announced: null,
    longField: longFieldOf(body),
    takesHeld: true,
  });
  expect(textOf(read)).toBe(removed);
});
