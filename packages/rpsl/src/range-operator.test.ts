import { parsePrefix } from '@portal/number-resources';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyRangeOperator, matchesPrefixRange, parsePrefixRange, parseRangeOperator, printPrefixRange } from './range-operator.ts';

const lengths = (text: string) => {
  const { from, to } = parsePrefixRange(text);
  return [from, to];
};

describe('a prefix with a range operator', () => {
  it('gives prefix lengths (RFC 2622 section 2)', () => {
    expect(lengths('30.0.0.0/8')).toEqual([8, 8]);
    expect(lengths('128.9.0.0/16^-')).toEqual([17, 32]);
    expect(lengths('5.0.0.0/8^+')).toEqual([8, 32]);
    expect(lengths('30.0.0.0/8^16')).toEqual([16, 16]);
    expect(lengths('30.0.0.0/8^24-32')).toEqual([24, 32]);
    expect(lengths('2001:db8::/32^48-64')).toEqual([48, 64]);
  });

  it.each(['30.0.0.0/8^7', '30.0.0.0/8^24-33', '30.0.0.0/8^28-24', '30.0.0.0/8^', '30.0.0.0/8^+^-', '192.0.2.1/32^-', '2001:db8::/32^129'])(
    '%s is refused',
    text => {
      expect(() => parsePrefixRange(text)).toThrow(RangeError);
    },
  );

  it('takes an operator of the set it is in', () => {
    const applied = (range: string, operator: string) => {
      const parsed = parseRangeOperator(operator);
      const result = parsed && applyRangeOperator(parsePrefixRange(range), parsed);
      return result && printPrefixRange(result);
    };
    expect(applied('30.0.0.0/8^24-28', '^27-30')).toBe('30.0.0.0/8^27-30');
    expect(applied('30.0.0.0/8^24-28', '^+')).toBe('30.0.0.0/8^24-32');
    expect(applied('30.0.0.0/8^24-28', '^-')).toBe('30.0.0.0/8^25-32');
    expect(applied('192.0.2.0/24', '^16')).toBeNull();
    expect(applied('192.0.2.1/32', '^-')).toBeNull();
  });

  it('is printed in its shortest form and read back', () => {
    fc.assert(
      fc.property(fc.nat(32), fc.nat(32), fc.nat(32), (a, b, c) => {
        const [length = 0, from = 0, to = 0] = [a, b, c].toSorted((x, y) => x - y);
        const range = { prefix: parsePrefix(`0.0.0.0/${length}`), from, to };
        expect(parsePrefixRange(printPrefixRange(range))).toEqual(range);
        for (let other = 0; other <= 32; other++)
          expect(matchesPrefixRange(range, parsePrefix(`0.0.0.0/${other}`))).toBe(from <= other && other <= to);
      }),
    );
    expect(matchesPrefixRange(parsePrefixRange('10.0.0.0/8^+'), parsePrefix('11.0.0.0/24'))).toBe(false);
  });
});
