import { Readable } from 'node:stream';
import { smallBody } from '@portal/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepestBody, maxBodyValues, maxObjectFields, readJson } from './json-body.ts';

const longField = { name: 'csv', limit: { most: 1_000_000, tooLong: 'It is too long' } };
/** Reads a body that arrives in pieces of a size. */
const read = (body: string, { piece = 1000, largest = 3_000_000, announced = null as number | null, withText = true } = {}) => {
  const bytes = Buffer.from(body);
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, place) => bytes.subarray(place * piece, (place + 1) * piece));
  return readJson(Readable.from(pieces), { largest, announced, longField: withText ? longField : null });
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
    expect((await read(body)).text).toBe(body);
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
    await expect(read(body, options)).rejects.toThrow(words);
  });
});
