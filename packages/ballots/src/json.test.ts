import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, readCount, readElement, readExponent, readFields, readList, readNumber } from './json.ts';
import { modulus } from './modulus.ts';
import { order } from './group.ts';
import { Refusal } from './refusal.ts';

const limits = { length: 10_000, depth: 4, values: 100 };
const parse = (text: string) => parseJson(text, 'The message', limits);

/** A message as JavaScript's own reader would return it. */
const plain = (value: unknown): unknown =>
  value instanceof Map
    ? Object.fromEntries([...(value as Map<string, unknown>)].map(([name, each]) => [name, plain(each)]))
    : Array.isArray(value)
      ? value.map(plain)
      : value;

const anyText = fc.string({ unit: 'binary', maxLength: 10 });
const { message: anyMessage } = fc.letrec(tie => ({
  message: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.nat(),
    anyText,
    fc.array(tie('message'), { maxLength: 3 }),
    fc.dictionary(
      anyText.filter(name => name !== '__proto__'),
      tie('message'),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
}));

test('any message is read as it was written', () => {
  fc.assert(
    fc.property(anyMessage, fc.constantFrom(undefined, 1), (message, space) => {
      expect(plain(parse(JSON.stringify(message, null, space)))).toEqual(message);
    }),
  );
});

test('no text ends in anything but a message or a refusal', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'a', '0', '12', 'true', ' ', '\u0000', '😀')), parts => {
      try {
        parse(parts.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  '',
  ' ',
  'null',
  'tru',
  '-1',
  '1.5',
  '1e3',
  '01',
  '9007199254740993',
  '[1',
  '[1,]',
  '{"a"}',
  '{"a":1,}',
  '{a:1}',
  '"',
  '"\\"',
  '"\\x"',
  '"\n"',
  '[] []',
  '{"a":1,"a":1}',
  '[,]',
])('%j is refused as no message', text => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'FORM' }));
});

test.each([
  ['too deep', '['.repeat(100_000)],
  ['too deep by one', `${'['.repeat(6)}${']'.repeat(6)}`],
  ['of too many values', `[${'1,'.repeat(100)}1]`],
  ['too long', `"${'a'.repeat(10_000)}"`],
])('a message that is %s is refused', (_, text) => {
  expect(() => parseJson(text, 'The message', { ...limits, length: text.length > 50_000 ? 200_000 : 10_000 })).toThrow(
    expect.objectContaining({ code: 'TOO_LARGE' }),
  );
});

test('fields are all that are required and no other', () => {
  const fields = (text: string) => readFields(parse(text), 'The message', ['a'], ['b']);
  expect(fields('{"a":1}')).toEqual({ a: 1 });
  expect(fields('{"b":2,"a":1}')).toEqual({ a: 1, b: 2 });
  for (const text of ['{}', '[]', '1', '{"a":1,"c":1}', '{"a":1,"__proto__":1}'])
    expect(() => fields(text)).toThrow(expect.objectContaining({ code: 'FORM' }));
});

test('numbers are read in base 10, in one spelling, within their bounds', () => {
  expect(readNumber('0', 'A number')).toBe(0n);
  expect(readElement(`${modulus - 1n}`, 'A number')).toBe(modulus - 1n);
  expect(readExponent(`${order - 1n}`, 'A number')).toBe(order - 1n);
  for (const text of ['', '00', '01', '+1', '-1', ' 1', '1n', '0x1', '1_0', '١', '9'.repeat(618)])
    expect(() => readNumber(text, 'A number')).toThrow(expect.objectContaining({ code: 'FORM' }));
  expect(() => readExponent(`${order}`, 'A number')).toThrow(/not below the order/);
  for (const text of ['0', `${modulus}`])
    expect(() => readElement(text, 'A number')).toThrow(expect.objectContaining({ code: 'NOT_AN_ELEMENT' }));
  expect(() => readNumber(1, 'A number')).toThrow(/no number in base 10/);
});

test('counts and lists are read within their bounds', () => {
  expect(readCount(5, 'A count', 5)).toBe(5);
  expect(() => readCount(6, 'A count', 5)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  expect(() => readCount('5', 'A count', 5)).toThrow(/no number/);
  expect(readList([1, 2], 'A list', { min: 2, max: 2 })).toEqual([1, 2]);
  expect(() => readList([1], 'A list', { min: 2, max: 2 })).toThrow(/fewer than 2/);
  expect(() => readList([1, 2, 3], 'A list', { max: 2 })).toThrow(/more than 2/);
  expect(() => readList('12', 'A list', { max: 2 })).toThrow(/no list/);
});
