import { expect, test } from 'vitest';
import { hundredthsOf, unitsOf } from './stripe-checkout.ts';

test.each([
  ['AUD', 118_050, 118_050],
  ['JPY', 118_000, 1180],
  ['KRW', 500, 5],
  ['KWD', 118_050, 1_180_500],
])('amounts in %s are counted as the provider counts them, and back', (currency, hundredths, units) => {
  expect(unitsOf(hundredths, currency)).toBe(units);
  expect(hundredthsOf(units, currency)).toBe(hundredths);
});

test('a part of a unit is refused in a currency that has none', () => {
  expect(() => unitsOf(118_050, 'JPY')).toThrow('JPY has no parts of a unit, and 1180.5 has one.');
});
