import { expect, test } from 'vitest';
import { dayOf } from './written-day.ts';

test.each([
  ['20 Nov 2026', '2026-11-20'],
  ['1 september 2021', '2021-09-01'],
  [' 2021-06-01 ', '2021-06-01'],
  ['29 Feb 2024', '2024-02-29'],
])('%j is a day', (text, day) => expect(dayOf(text)).toBe(day));

test.each(['', 'yesterday', '29 Feb 2023', '31 Apr 2026', '2026-13-01', '10/11/2026', '20 Nov 26', '1 Xyz 2026'])('%j is refused', text =>
  expect(dayOf(text)).toBeNull(),
);
