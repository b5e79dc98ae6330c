import fc from 'fast-check';
import { expect, test } from 'vitest';
import { opensslPowers } from '../node/openssl-powers.ts';
import { generator, invert, isElement, modOrder, multiply, order } from './group.ts';
import { challengeOf } from './hash.ts';
import { modulus } from './modulus.ts';
import { bigintPowers, fixedBase } from './powers.ts';
import { randomExponent, randomDigits } from './random.ts';

const anyExponent = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

/** Square and multiply, as in a textbook. */
function plainPower(base: bigint, exponent: bigint): bigint {
  let power = 1n;
  for (const bit of exponent.toString(2)) {
    power = (power * power) % modulus;
    if (bit === '1') power = (power * base) % modulus;
  }
  return power;
}

test('the generator has the order of the group', () => {
  expect(plainPower(generator.base, order)).toBe(1n);
  expect((modulus - 1n) % order).toBe(0n);
});

test('powers by BigInt, by OpenSSL and by tables are those of a textbook', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: modulus - 1n }), fc.array(anyExponent, { maxLength: 3 }), (base, exponents) => {
      const expected = exponents.map(exponent => plainPower(base, exponent));
      expect(bigintPowers(base, exponents)).toEqual(expected);
      expect(opensslPowers(base, exponents)).toEqual(expected);
    }),
    { numRuns: 10 },
  );
  const key = fixedBase(bigintPowers(generator.base, [123_456_789n])[0]!);
  fc.assert(
    fc.property(anyExponent, exponent => {
      expect(key.power(exponent)).toBe(plainPower(key.base, exponent));
    }),
    { numRuns: 20 },
  );
});

test.each([0n, 1n, 2n, 15n, 16n, 63n, 64n, order - 1n, order, 2n ** 256n - 1n])('%s is raised as any other exponent', exponent => {
  const expected = plainPower(generator.base, exponent);
  expect(generator.power(exponent)).toBe(expected);
  for (const powers of [bigintPowers, opensslPowers]) {
    expect(powers(generator.base, [exponent, 3n])).toEqual([expected, plainPower(generator.base, 3n)]);
    expect(powers(1n, [exponent])).toEqual([1n]);
    expect(powers(modulus - 1n, [exponent])).toEqual([exponent % 2n === 0n ? 1n : modulus - 1n]);
  }
});

test.each([
  ['zero', 0n],
  ['the number of order two', modulus - 1n],
  ['a number of the whole field', 2n],
  ['an element of the group times the number of order two', modulus - generator.base],
  ['the modulus', modulus],
  ['an element and the modulus', modulus + generator.base],
  ['a negative number', -1n],
])('%s is no element', (_, number) => {
  for (const powers of [bigintPowers, opensslPowers]) expect(isElement(number, powers)).toBe(false);
});

test('elements are one, the generator and their products and inverses', () => {
  const element = generator.power(randomExponent());
  for (const each of [1n, generator.base, element, multiply(element, generator.base), invert(element)]) expect(isElement(each)).toBe(true);
  expect(multiply(element, invert(element))).toBe(1n);
});

test('exponents are taken modulo the order, from zero up', () => {
  expect([-1n, 0n, order, 2n * order + 5n].map(modOrder)).toEqual([order - 1n, 0n, 0n, 5n]);
});

test('random exponents and digits use the bytes that they are handed', () => {
  expect(randomExponent(length => new Uint8Array(length).fill(0))).toBe(0n);
  expect(randomExponent()).not.toBe(randomExponent());
  // Bytes that would favour the first digits are drawn again.
  const bytes = [Uint8Array.of(255, 0, 57), Uint8Array.of(232, 58, 231)];
  expect(randomDigits(3, () => bytes.shift()!)).toBe('1z1');
});

test('a challenge is the hash of its prefix and elements in base 10', async () => {
  // printf 'pok|1,22' | sha256sum, modulo the order
  expect(await challengeOf('pok|', [1n, 22n])).toBe(BigInt('0xa2208be836d35e14da935bc3b0b8dc9fb190e8b4be66406ef6c3867f66697943') % order);
});
