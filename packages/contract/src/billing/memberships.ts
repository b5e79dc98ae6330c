import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { billingSteps, type BillingStep } from './billing.ts';

/** Why suspensions and closures wait for registry staff. */
export const holdReasons = {
  'first-run': 'The clock of memberships runs for the first time',
  outage: 'The clock of memberships did not run for some days',
  many: 'More memberships would end on one day than the registry allows',
} as const;
export type HoldReason = keyof typeof holdReasons;

/** The most days that a plan looks ahead. */
export const planDays = 90;

const Step = z.enum(Object.keys(billingSteps) as [BillingStep, ...BillingStep[]]);

const Holiday = z.object({ day: z.iso.date(), name: z.string() });
export type Holiday = z.infer<typeof Holiday>;

/** Steps of the clock of memberships in the coming days if nothing more is paid. Days are those of the registry's time zone. */
export const MembershipPlan = z.object({
  today: z.iso.date(),
  until: z.iso.date(),
  /** How many accounts take a step on a day; days and steps without any are left out. Overdue steps that wait are counted under today. */
  counts: z.array(z.object({ day: z.iso.date(), step: Step, accounts: z.int() })),
  /** Suspensions and closures, the earliest first. */
  endings: z.array(
    z.object({
      accountName: z.string(),
      orgName: z.string(),
      step: z.enum(['suspension', 'closing']),
      day: z.iso.date(),
      /** The unpaid invoice and its balance; null where it is not issued yet. */
      invoice: z.nullable(z.object({ number: z.string(), currency: z.string(), balance: z.string() })),
      /** It is due and waits to be released. */
      held: z.boolean(),
      /** It waits until a transfer that may pay the invoice is matched, or a card payment that was begun is over; on the last day at the latest. */
      waitsFor: z.nullable(z.object({ what: z.enum(['transfer', 'checkout']), until: z.iso.date() })),
    }),
  ),
  /** All suspensions and closures; `endings` names the first of them. */
  endingCount: z.int(),
  /** Days from today on, beyond the plan too, on which no invoice is due and no account is suspended or closed. */
  holidays: z.array(Holiday),
  /** Suspensions and closures wait since this day; null where they don't. */
  hold: z.nullable(
    z.object({
      holdId: z.string(),
      since: z.iso.date(),
      reason: z.enum(Object.keys(holdReasons) as [HoldReason, ...HoldReason[]]),
      lastRun: z.nullable(z.iso.date()),
    }),
  ),
});
export type MembershipPlan = z.infer<typeof MembershipPlan>;

export const memberships = group('billing.memberships', {
  getPlan: endpoint({
    method: 'GET',
    path: '/api/staff/memberships/plan',
    summary: 'What the clock of memberships does in the coming 90 days if nothing more is paid, and whether suspensions and closures wait.',
    access: staff(['memberships', 'billing', 'policy']),
    answer: MembershipPlan,
  }),
  addHolidays: endpoint({
    method: 'POST',
    path: '/api/staff/memberships/holidays',
    summary:
      'Keep a day, or all days until another, on which no invoice is due and no account is suspended or closed: each moves to the next day. Issued invoices stay due when they were.',
    access: staff('policy'),
    effect: 'statements',
    limit: 'holidays',
    body: z.object({ from: calendarDay('2026-12-25'), to: z.optional(calendarDay('2026-12-26')), name: oneLine(100, 1) }),
    answer: MembershipPlan,
    secondPersonWhen: 'more days than one person may add',
    activity: 'Added holidays of the registry',
  }),
  removeHoliday: endpoint({
    method: 'DELETE',
    path: '/api/staff/memberships/holidays/:day',
    summary: 'Make a holiday a day like others again.',
    access: staff('policy'),
    effect: 'statements',
    answer: MembershipPlan,
    errors: ['NOT_FOUND'],
    activity: 'Removed a holiday of the registry',
  }),
  releaseHold: endpoint({
    method: 'POST',
    path: '/api/staff/memberships/holds/:holdId/release',
    summary: 'Let suspensions and closures go on after the plan was read; with a day, every account concerned has until then to pay.',
    access: staff('memberships'),
    effect: 'holding',
    limit: ['endings', 'time'],
    body: z.object({ extendUntil: z.optional(z.iso.date({ error: 'Enter a date, such as 2027-06-30' })) }),
    answer: MembershipPlan,
    errors: ['NOT_FOUND', 'HOLD_RELEASED'],
    secondPersonWhen: 'more suspensions and closures than one person may let through, or more time than one person may give',
    activity: 'Released suspensions and closures',
  }),
});
