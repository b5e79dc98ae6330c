import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { asInstant, parseTextArray } from './column-values.ts';

/** Writes an array of text as PostgreSQL does (documentation, "Array Input and Output Syntax"). */
const written = (elements: readonly (string | null)[]): string => {
  const one = (element: string | null): string => {
    if (element === null) return 'NULL';
    const plain = element !== '' && element.toUpperCase() !== 'NULL' && !/[{}",\\\s]/.test(element);
    return plain ? element : `"${element.replace(/["\\]/g, '\\$&')}"`;
  };
  return `{${elements.map(one).join(',')}}`;
};
const element = fc.oneof(
  fc.constantFrom(null, '', 'NULL', 'null', 'a,b', '{', '}', '"', '\\', 'a b'),
  fc.string(),
  fc.string({ unit: 'binary' }),
);

test('an array of text is read as it was written, whatever is in it', () => {
  fc.assert(
    fc.property(fc.array(element), elements => {
      expect(parseTextArray(written(elements))).toEqual(elements);
    }),
  );
});

test('and as pg reads it, also with bounds and more dimensions', () => {
  const asPg = pg.types.getTypeParser(1009 as never) as unknown as (value: string) => unknown;
  for (const value of ['{}', '{NULL}', '{a,NULL,b}', '{ANNULLED}', '[0:1]={a,b}', '{{a,b},{c,d}}', '{"a,b"}', '{"NULL"}'])
    expect(parseTextArray(value)).toEqual(asPg(value));
});

test('an instant is ISO in UTC with milliseconds, cut and not rounded', () => {
  const micros = fc.record({
    at: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    micros: fc.nat(999),
  });
  fc.assert(
    fc.property(micros, fc.nat(6), ({ at, micros: more }, digits) => {
      const iso = at.toISOString();
      const fraction = `${iso.slice(20, 23)}${String(more).padStart(3, '0')}`.slice(0, digits);
      const value = `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction && `.${fraction}`}+00`;
      expect(asInstant(value)).toBe(`${iso.slice(0, 20)}${fraction.padEnd(3, '0').slice(0, 3)}Z`);
      expect(asInstant(value)).toBe(new Date(value.replace(' ', 'T').replace('+00', '+00:00')).toISOString());
    }),
  );
});

test.each([
  ['2026-11-21 07:45:00+05:30', '2026-11-21T02:15:00.000Z'],
  ['2026-11-21 07:45:00.5-02', '2026-11-21T09:45:00.500Z'],
  ['infinity', 'infinity'],
  ['-infinity', '-infinity'],
])('an instant written as %s is %s', (value, instant) => expect(asInstant(value)).toBe(instant));
