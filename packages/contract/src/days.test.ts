import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DAY_MS,
  dayIn,
  daysAfter,
  daysBetween,
  HOUR_MS,
  instantAfter,
  instantBefore,
  lastDayOfYear,
  MINUTE_MS,
  monthsAfter,
  offsetIn,
  SECOND_MS,
  utcDay,
  yearsAfter,
} from './days.ts';

const instants = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2200, 0) });
const days = instants.map(utcDay);
const zones = fc.constantFrom('UTC', 'Australia/Brisbane', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'Asia/Kathmandu');

test('lengths are those of ISO text', () => {
  const start = '2026-01-01T00:00:00.000Z';
  expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS].map(length => instantAfter(start, length))).toEqual([
    '2026-01-01T00:00:01.000Z',
    '2026-01-01T00:01:00.000Z',
    '2026-01-01T01:00:00.000Z',
    '2026-01-02T00:00:00.000Z',
  ]);
});

test('an instant is the same as date, text or number, and `before` is the inverse of `after`', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }), (at, length) => {
      const later = instantAfter(at, length);
      expect(Date.parse(later)).toBe(at + length);
      expect(instantAfter(new Date(at), length)).toBe(later);
      expect(instantAfter(new Date(at).toISOString(), length)).toBe(later);
      expect(instantBefore(later, length)).toBe(new Date(at).toISOString());
    }),
  );
});

test('a text that is not an instant is refused', () => {
  expect(() => instantAfter('tomorrow', 0)).toThrow(RangeError);
  expect(() => utcDay('2026-13-01')).toThrow(RangeError);
});

test('the day of UTC is that of the instant, in whatever zone its text is written', () => {
  expect(utcDay('2026-11-22T08:30:00+10:00')).toBe('2026-11-21');
  expect(utcDay('2026-11-21T23:59:59.999Z')).toBe('2026-11-21');
});

test('the day of a zone begins at its own midnight', () => {
  expect(dayIn('Australia/Brisbane', new Date('2026-11-21T13:59:59.999Z'))).toBe('2026-11-21');
  expect(dayIn('Australia/Brisbane', new Date('2026-11-21T14:00:00Z'))).toBe('2026-11-22');
  expect(dayIn('America/New_York', new Date('2026-11-22T04:59:59Z'))).toBe('2026-11-21');
});

test('the day of a zone is that of UTC, or a neighbouring one', () => {
  fc.assert(
    fc.property(instants, zones, (at, zone) => {
      const day = dayIn(zone, new Date(at));
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(Math.abs(daysBetween(utcDay(at), day))).toBeLessThanOrEqual(zone === 'UTC' ? 0 : 1);
    }),
  );
});

test('days later are counted, and follow one another', () => {
  expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
  expect(daysAfter('2028-02-28', 1)).toBe('2028-02-29');
  expect(daysAfter('2026-01-01', -1)).toBe('2025-12-31');
  fc.assert(
    fc.property(days, fc.integer({ min: -1000, max: 1000 }), (day, count) => {
      const later = daysAfter(day, count);
      expect(daysBetween(day, later)).toBe(count);
      expect(later > day).toBe(count > 0);
      expect(daysAfter(later, -count)).toBe(day);
    }),
  );
});

test('months later is the same day, the last one of a shorter month', () => {
  expect(monthsAfter('2026-08-31', 6)).toBe('2027-02-28');
  expect(monthsAfter('2026-11-22', 24)).toBe('2028-11-22');
});

test('years later is the same day, the last of February where there is no 29th', () => {
  expect(yearsAfter('2028-02-29', 1)).toBe('2029-02-28');
  expect(yearsAfter('2028-02-29', 4)).toBe('2032-02-29');
  expect(yearsAfter('2096-02-29', 4)).toBe('2100-02-28');
  expect(yearsAfter('2028-02-29', -1)).toBe('2027-02-28');
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 30 }), (day, years) => {
      const later = yearsAfter(day, years);
      expect(utcDay(later)).toBe(later);
      expect(later.slice(0, 7)).toBe(`${Number(day.slice(0, 4)) + years}${day.slice(4, 7)}`);
      expect(later.slice(8)).toBe(day.endsWith('02-29') && !later.endsWith('02-29') ? '28' : day.slice(8));
    }),
  );
});

test('a year ends on the day before the same day, and one that ends with February does so in every year', () => {
  expect(lastDayOfYear('2026-01-01')).toBe('2026-12-31');
  expect(lastDayOfYear('2027-03-01')).toBe('2028-02-29');
  expect(lastDayOfYear('2028-03-01')).toBe('2029-02-28');
  expect(lastDayOfYear('2028-02-29')).toBe('2029-02-28');
  expect(lastDayOfYear('2028-02-28')).toBe('2029-02-27');
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 30 }), (first, years) => {
      let begins = first;
      for (let year = 0; year < years; year++) {
        const last = lastDayOfYear(begins);
        expect([365, 366]).toContain(daysBetween(begins, last) + 1);
        begins = daysAfter(last, 1);
      }
      // Year after year it stays the same day; only who begins on 29 February goes on from 1 March.
      expect(begins.slice(4)).toBe(first.endsWith('-02-29') ? '-03-01' : first.slice(4));
    }),
  );
});

test('the offset of a zone is that of the instant', () => {
  const [winter, summer] = [new Date('2026-01-15T00:00:00Z'), new Date('2026-07-15T00:00:00Z')];
  expect(offsetIn('Australia/Brisbane', winter)).toBe('+1000');
  expect(offsetIn('UTC', winter)).toBe('+0000');
  expect([offsetIn('Europe/Amsterdam', winter), offsetIn('Europe/Amsterdam', summer)]).toEqual(['+0100', '+0200']);
  expect([offsetIn('America/St_Johns', winter), offsetIn('Asia/Kathmandu', winter)]).toEqual(['-0330', '+0545']);
});
