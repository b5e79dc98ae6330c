import { daysBetween } from '@portal/contract/days';
import { describe, expect, it } from 'vitest';
import { spansOf } from './period.ts';

const today = '2026-11-21';

describe('the days the address asks for', () => {
  it('default to the last 30, with none selected', () => {
    expect(spansOf({ from: null, to: null }, '30', today)).toEqual({
      shown: { from: '2026-10-23', to: today },
      listed: { from: '2026-10-23', to: today },
      chosen: null,
    });
  });

  it('inside the chart narrow the list and leave the chart unchanged', () => {
    const { shown, listed, chosen } = spansOf({ from: '2026-11-01', to: '2026-11-02' }, '30', today);
    expect(shown).toEqual({ from: '2026-10-23', to: today });
    expect(listed).toEqual({ from: '2026-11-01', to: '2026-11-02' });
    expect(chosen).toEqual(listed);
  });

  it('outside the chart move the chart to them', () => {
    const { shown, listed } = spansOf({ from: '2026-03-01', to: '2026-03-05' }, '30', today);
    expect(shown).toEqual({ from: '2026-02-04', to: '2026-03-05' });
    expect(listed).toEqual({ from: '2026-03-01', to: '2026-03-05' });
  });

  it.each([
    { from: '2001-01-01', to: '2026-11-21' },
    { from: '2026-11-20', to: '2026-11-01' },
    { from: null, to: '2026-01-01' },
    { from: '2026-01-01', to: null },
    { from: 'yesterday', to: '2026-02-30' },
    { from: '2027-01-01', to: null },
  ])('are at most twelve months and end after they begin, even for %j', asked => {
    for (const period of ['30', '90', '365'] as const) {
      const { shown, listed } = spansOf(asked, period, today);
      for (const { from, to } of [shown, listed]) {
        expect(from <= to).toBe(true);
        expect(daysBetween(from, to)).toBeLessThanOrEqual(365);
      }
      expect(shown.from <= listed.from && listed.to <= shown.to).toBe(true);
    }
  });
});
