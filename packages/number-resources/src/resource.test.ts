import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRange } from '../arbitrary.ts';
import { compareResources, equalResources, parseResource, printResource } from './resource.ts';

describe('a number resource', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['192.0.2.0-192.0.2.255', '192.0.2.0/24'],
    ['AS64500', 'AS64500'],
    ['64500', 'AS64500'],
    ['1.10', 'AS65546'],
    ['as64496-as64511', 'AS64496 - AS64511'],
    ['64496 - 64511', 'AS64496 - AS64511'],
  ])('reads %s as %s', (text, printed) => expect(printResource(parseResource(text))).toBe(printed));

  it.each([
    ['192.0.2', 'an IPv4 address has four'],
    ['AS64500/24', 'is not an AS number'],
    ['10/8', 'did you mean 10.0.0.0/8?'],
    ['holder', 'is not an address'],
    ['', 'is missing'],
  ])('refuses %j', (text, reason) => expect(() => parseResource(text)).toThrow(reason));

  it('is the same as another when the numbers are', () => {
    expect(equalResources(parseResource('192.0.2.0/24'), parseResource('192.0.2.0 - 192.0.2.255'))).toBe(true);
    expect(equalResources(parseResource('192.0.2.0/24'), parseResource('192.0.2.0/25'))).toBe(false);
    expect(equalResources(parseResource('0.0.0.0/32'), parseResource('::/128'))).toBe(false);
  });
});

describe('a list of number resources', () => {
  it('sorts by family, start, and the larger before what it contains', () => {
    const sorted = ['AS64500', '192.0.2.0/25', '2001:db8::/32', '192.0.2.0/24', '9.0.0.0/8', 'AS112', '192.0.10.0/24', '2001:db8::/29'];
    expect(sorted.map(parseResource).sort(compareResources).map(printResource)).toEqual([
      '9.0.0.0/8',
      '192.0.2.0/24',
      '192.0.2.0/25',
      '192.0.10.0/24',
      '2001:db8::/29',
      '2001:db8::/32',
      'AS112',
      'AS64500',
    ]);
  });

  it('has one order: comparing turns round with its sides and is 0 for equals only', () => {
    fc.assert(
      fc.property(anyRange, anyRange, (a, b) => {
        expect(Math.sign(compareResources(a, b))).toBe(0 - Math.sign(compareResources(b, a)));
        expect(compareResources(a, b) === 0).toBe(equalResources(a, b));
        expect(compareResources(a, a)).toBe(0);
      }),
    );
  });
});
