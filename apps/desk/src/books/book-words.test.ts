import { expect, test } from 'vitest';
import { closedTogether, differenceOf, edgesOf, matchedInWords, monthAlone, monthName, nextAt, shareOf, sumOf } from './book-words.ts';

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

test('open months before a month are closed with it', () => {
  expect(closedTogether('2026-01', '2026-10')).toBe('January to October 2026');
  expect(closedTogether('2025-11', '2026-10')).toBe('November 2025 to October 2026');
  expect(closedTogether('2026-10', '2026-10')).toBe('October 2026');
  expect(closedTogether(null, '2026-10')).toBe('October 2026');
});

test('a month begins on its first day and ends on its last one, or today', () => {
  expect(edgesOf('2026-10', '2026-11-20')).toEqual({ first: '1 Oct', last: '31 Oct' });
  expect(edgesOf('2028-02', '2028-03-01')).toEqual({ first: '1 Feb', last: '29 Feb' });
  expect(edgesOf('2026-10', '2026-10-09')).toEqual({ first: '1 Oct', last: '9 Oct' });
  expect(monthAlone('2026-10')).toBe('October');
});

test('a month balances where its debit is its credit, to the cent', () => {
  expect(
    differenceOf([
      { debit: '3504.40', credit: '0.00' },
      { debit: '0.00', credit: '3504.40' },
    ]),
  ).toBe('0.00');
  expect(differenceOf([{ debit: '0.10', credit: '0.30' }])).toBe('-0.20');
  expect(differenceOf([])).toBe('0.00');
});

test('the bar of the largest amount is whole, one of little can be seen, and one of nothing is none', () => {
  expect([shareOf('200.00', 200), shareOf('-50.00', 200), shareOf('0.01', 200), shareOf('0.00', 200), shareOf('0.00', 0)]).toEqual([
    100, 25, 2, 0, 0,
  ]);
});

test('what follows at an age is that of the policy', () => {
  const usual = [
    { step: 'suspension', days: 0 },
    { step: 'secondReminder', days: 15 },
    { step: 'closingWarning', days: 20 },
    { step: 'closing', days: 30 },
  ] as const;
  expect(nextAt('not-due', [...usual])).toBe('Suspended when due');
  expect(nextAt('to-30', [...usual])).toBe('Second reminder after 15 days, warned of closing after 20, closed after 30');
  expect([nextAt('to-60', [...usual]), nextAt('older', [...usual])]).toEqual([
    'Closed after 30 days, if it is a renewal',
    'Closed after 30 days, if it is a renewal',
  ]);
  const slow = usual.map(({ step, days }) => ({ step, days: days * 3 + 1 }));
  expect(nextAt('not-due', slow)).toBe('Suspended after 1 day');
  expect(nextAt('to-30', slow)).toBe('Suspended after 1 day');
  expect(nextAt('to-60', slow)).toBe('Second reminder after 46 days');
  expect(nextAt('to-90', slow)).toBe('Warned of closing after 61 days');
  expect(nextAt('older', slow)).toBe('Closed after 91 days');
});

test('transfers of a month are counted by what was done with them', () => {
  expect(matchedInWords({ open: 3, recorded: 1401, 'set-aside': 8 }, '2026-10')).toBe(
    'of 1\u00a0412 in October. 1\u00a0401 recorded, 8 set aside',
  );
  expect(matchedInWords({ open: 1, recorded: 0, 'set-aside': 0 }, '2026-10')).toBe('of 1 in October');
});
