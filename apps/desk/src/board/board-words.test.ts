import { expect, test } from 'vitest';
import { changeWords, factWords, isPeriod, lastMonth, monthsOf, periodWords, shortPeriod, yearsOf } from './board-words.ts';

test('a period is a month or a year', () => {
  expect(['2026', '2026-10', '2026-13', '0000', '26', '2026-1', ''].map(isPeriod)).toEqual([true, true, false, false, false, false, false]);
  expect([periodWords('2026'), periodWords('2026-10')]).toEqual(['2026', 'October 2026']);
  expect([shortPeriod('2026'), shortPeriod('2026-09')]).toEqual(['2026', 'Sep 2026']);
  expect(lastMonth(new Date('2026-01-15T00:00:00Z'))).toBe('2025-12');
});

test('months that have begun, and years since the first one, can be chosen', () => {
  expect(monthsOf(2026, '2026-03-01')).toEqual(['01', '02', '03']);
  expect(monthsOf(2025, '2026-03-01')).toHaveLength(12);
  expect(yearsOf({ firstYear: 2024, today: '2026-03-01' })).toEqual([2026, 2025, 2024]);
});

test('numbers and their difference are written by their unit', () => {
  expect(factWords({ unit: 'count' }, '11520')).toBe('11\u00a0520');
  expect(factWords({ unit: 'money' }, '-3504.40')).toBe('-3\u00a0504.40');
  expect(factWords({ unit: 'percent' }, null)).toBe('–');
  const change = (unit: 'count' | 'percent', before: string | null, value: string) => changeWords({ name: 'x', unit, before, value });
  expect([change('count', '10', '12'), change('count', '0', '3'), change('count', '3', '3')]).toEqual(['+20\u00a0%', 'new', '']);
  expect([change('percent', '80', '75.5'), change('percent', null, '75.5')]).toEqual(['−4.5\u00a0points', '']);
});
