import { daysAfter, daysBetween, yearsAfter } from '@portal/contract/days';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closingDay, nextStep, stepsAhead, stepsAheadOf, type Term } from './term.ts';
import { readProfile } from '../../../profile.ts';

const { billingCalendar: calendar } = readProfile('');

const D = '2027-03-31';
const on = (days: number): string => daysAfter(D, days);
/** Payments, cancellations and the like, in days after D. */
type Story = { paidOn?: number; extension?: { grantedOn: number; until: number }; holidays?: readonly number[]; dueOn?: number };

/** Runs the clock on these days, each after the events before it. Returns the days of all steps, in days after D. */
function lived(strikes: readonly number[], { paidOn, extension, holidays = [], dueOn = 30 }: Story = {}): Record<string, number> {
  const term: Term = {
    accountName: 'A',
    termEnd: D,
    done: {},
    advance: null,
    feesAnnounced: '2000-01-01',
    invoice: null,
    holidays: holidays.map(on),
  };
  for (const strike of strikes)
    for (;;) {
      if (term.invoice && paidOn !== undefined && paidOn < strike) term.invoice.settled = true;
      if (term.invoice && extension && extension.grantedOn < strike) term.invoice.extendedUntil = on(extension.until);
      const next = nextStep(term, calendar);
      if (!next || next.day > on(strike)) break;
      term.done[next.step] = next.day;
      if (next.step === 'invoice') term.invoice = { number: 'INV-2027-000001', dueOn: on(dueOn), settled: false, extendedUntil: null };
      if (next.step === 'closing') {
        expect(next.day).toBe(closingDay(term, calendar));
        break;
      }
    }
  return Object.fromEntries(Object.entries(term.done).map(([step, day]) => [step, daysBetween(D, day)]));
}
const everyDay = Array.from({ length: 250 }, (_, place) => place - 40);
const unpaid = { reminder: -30, holdings: 0, invoice: 1, suspension: 30, 'second-reminder': 45, 'closing-warning': 50, closing: 60 };

test('an unpaid invoice is followed up as the registry announced', () => expect(lived(everyDay)).toEqual(unpaid));

test.each([
  ['one day', [30], { suspension: 31, 'second-reminder': 46, 'closing-warning': 51, closing: 61 }],
  ['days in a row', [30, 31, 32], { suspension: 33, 'second-reminder': 48, 'closing-warning': 53, closing: 63 }],
  ['the day of the closing', [60, 61], { 'second-reminder': 47, 'closing-warning': 52, closing: 62 }],
  ['days of reminders and the invoice, which go out all the same', [-30, 0, 1, 45, 50], {}],
] as const)('no account is suspended or closed on a holiday: %s', (_, holidays, moved) => {
  expect(lived(everyDay, { holidays })).toEqual({ ...unpaid, ...moved });
});

test('an extension that ends on a holiday ends after it', () => {
  expect(lived(everyDay, { extension: { grantedOn: 10, until: 40 }, holidays: [40] })).toMatchObject({ suspension: 41, closing: 71 });
});

test('no account is suspended before its invoice is due, even if holidays changed since it was issued', () => {
  expect(lived(everyDay, { dueOn: 34 })).toMatchObject({ suspension: 34, closing: 64 });
});

test('a payment ends the follow-up', () => {
  expect(lived(everyDay, { paidOn: 46 })).toEqual({ reminder: -30, holdings: 0, invoice: 1, suspension: 30, 'second-reminder': 45 });
});

test('an extension for a suspended account moves its closing; for another account it moves the suspension, with closing a month later', () => {
  expect(lived(everyDay, { extension: { grantedOn: 40, until: 75 } })).toEqual({
    ...unpaid,
    'second-reminder': 60,
    'closing-warning': 65,
    closing: 75,
  });
  expect(lived(everyDay, { extension: { grantedOn: 10, until: 75 } })).toEqual({
    ...unpaid,
    suspension: 75,
    'second-reminder': 90,
    'closing-warning': 95,
    closing: 105,
  });
  // An extension that ends before the next step changes nothing.
  expect(lived(everyDay, { extension: { grantedOn: 2, until: 20 } })).toEqual(unpaid);
});

const extension = fc
  .record({ grantedOn: fc.integer({ min: 2, max: 55 }), more: fc.integer({ min: 1, max: 80 }) })
  .map(({ grantedOn, more }) => ({ grantedOn, until: grantedOn + more }));

test('a clock that runs twice a day or pauses for any time ends like one that runs every day', () => {
  fc.assert(
    fc.property(fc.subarray(everyDay), strikes => {
      const last = everyDay.at(-1)!;
      expect(lived([...strikes.flatMap(day => [day, day]), last])).toEqual(lived(everyDay));
    }),
  );
});

test('for any extension, no account is closed before it ends or less than 30 days after its suspension, and the steps keep their order', () => {
  fc.assert(
    fc.property(extension, given => {
      const days = lived(everyDay, { extension: given });
      expect(days['closing']!).toBeGreaterThanOrEqual(Math.max(60, given.until));
      expect(days['closing']! - days['suspension']!).toBeGreaterThanOrEqual(30);
      const inOrder = Object.values(days);
      expect(inOrder.toSorted((a, b) => a - b)).toEqual(inOrder);
    }),
  );
});

test.each([
  // A leap day, the ends of months before a short one, and the end of a year.
  ['2028-02-29', ['2028-01-30', '2028-02-29', '2028-03-01', '2028-03-30', '2028-04-14', '2028-04-19', '2028-04-29']],
  ['2027-01-31', ['2027-01-01', '2027-01-31', '2027-02-01', '2027-03-02', '2027-03-17', '2027-03-22', '2027-04-01']],
  ['2028-01-31', ['2028-01-01', '2028-01-31', '2028-02-01', '2028-03-01', '2028-03-16', '2028-03-21', '2028-03-31']],
  ['2026-12-31', ['2026-12-01', '2026-12-31', '2027-01-01', '2027-01-30', '2027-02-14', '2027-02-19', '2027-03-01']],
])('the steps of a term that ends on %s fall on these dates', (termEnd, days) => {
  const term: Term = { accountName: 'A', termEnd, done: {}, advance: null, feesAnnounced: '2000-01-01', invoice: null, holidays: [] };
  expect(stepsAhead(term, daysAfter(termEnd, 100), calendar).map(({ day }) => day)).toEqual(days);
});

test('the steps of many terms are those of each, also where some stand alike', () => {
  const day = fc.integer({ min: -60, max: 70 }).map(on);
  const some = fc.record({
    accountName: fc.constantFrom('A', 'B', 'C'),
    termEnd: fc.constantFrom(D, on(1)),
    done: fc.constantFrom({}, { reminder: on(-30) }, { reminder: on(-30), holdings: D, invoice: on(1) }),
    advance: fc.option(day),
    feesAnnounced: fc.option(fc.constant('2000-01-01')),
    invoice: fc.option(fc.record({ number: fc.constantFrom('1', '2'), dueOn: day, settled: fc.boolean(), extendedUntil: fc.option(day) })),
    holidays: fc.constant([on(30), on(31)]),
  });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 12 }), terms => {
      const until = on(100);
      const each = terms.flatMap(term => stepsAhead(term, until, calendar).map(step => ({ term, ...step })));
      expect(stepsAheadOf(terms, until, calendar)).toEqual(each);
    }),
  );
});

test('a year later is the same day, except for 29 February', () => {
  expect(yearsAfter('2027-03-31', 1)).toBe('2028-03-31');
  expect(yearsAfter('2028-02-29', 1)).toBe('2029-02-28');
  expect(yearsAfter('2027-02-28', 1)).toBe('2028-02-28');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -500, max: 500 }), (start, more) => {
      const day = daysAfter('2000-01-01', start);
      expect(daysBetween(day, daysAfter(day, more))).toBe(more);
      expect([365, 366]).toContain(daysBetween(day, yearsAfter(day, 1)));
    }),
  );
});
