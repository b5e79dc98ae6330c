import { expect, test } from 'vitest';
import { monthName, sumOf } from './book-words.ts';

test('a sum keeps its minus, also of less than one whole', () => {
  expect(sumOf(['-1.00', '0.50'])).toBe('-0.50');
  expect(sumOf(['0.00', '-0.01'])).toBe('-0.01');
  expect(sumOf(['-24337.47', '-0.53'])).toBe('-24338.00');
});

test('a sum of amounts beyond safe numbers is exact', () => {
  expect(sumOf([])).toBe('0.00');
  expect(sumOf(['0.05', '0.01'])).toBe('0.06');
  expect(sumOf(['90071992547409.93', '90071992547409.93'])).toBe('180143985094819.86');
});

test('a month has three letters in the list and its full name elsewhere', () => {
  expect(monthName('2026-09', 'short')).toBe('Sep');
  expect(monthName('2026-09')).toBe('September 2026');
});
