import * as z from 'zod/mini';
import { type BillingStep, billingSteps } from '@portal/contract/billing/billing';
import { AnnouncedInFile } from '@portal/contract/billing/fee-schedules';
import { dayIn, daysAfter, lastDayOfYear, yearsAfter } from '@portal/contract/days';
import { accountRows, setTermEnd } from '../accounts/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import exampleFees from '../../example-fees.json' with { type: 'json' };
import type { BillingCalendar } from '../../profile.ts';
import { announce } from './fees/announcing.ts';
import { announcedTimes } from './fees/fee-schedules.ts';
import { projectedSchedule } from './fees/fees.ts';
import { beginBilling } from './membership/beginning.ts';
import { type PastRenewal, recordPastRenewal } from './renewals/renewal-invoices.ts';

const offsets = (calendar: BillingCalendar): Record<BillingStep, number> => ({
  reminder: -calendar.reminderDays,
  holdings: 0,
  invoice: calendar.invoiceDays,
  suspension: calendar.suspensionDays,
  'second-reminder': calendar.secondReminderDays,
  'closing-warning': calendar.closingWarningDays,
  closing: calendar.closingDays,
});

/** The steps of a term up to the given one, each on its day. */
function stepsUntil(last: BillingStep, termEnd: string, calendar: BillingCalendar): PastRenewal['steps'] {
  const all = Object.keys(billingSteps) as BillingStep[];
  return Object.fromEntries(all.slice(0, all.indexOf(last) + 1).map(step => [step, daysAfter(termEnd, offsets(calendar)[step])]));
}

const ownActivity = (action: string, summary: string, accountName: string, day: string) => ({
  action: `demo.${action}`,
  summary,
  traceId: '0'.repeat(32),
  accountName,
  happenedAt: `${day}T03:00:00.000Z`,
});

/** Returns what a renewal of the demo registry is recorded with, on the day of its invoice; null without a store for its invoices. */
const clockworkOf = ({ profile, store, config }: DemoRegistry, { accountName, termEnd }: Pick<PastRenewal, 'accountName' | 'termEnd'>) =>
  store && {
    profile,
    store,
    fonts: config.certificateFonts,
    activity: ownActivity('renewal', 'Imported an invoice', accountName, daysAfter(termEnd, profile.billingCalendar.invoiceDays)),
  };

/** Sets the term end of an account that pays late. */
const endTerm = (registry: DemoRegistry, accountName: string, expiryDate: string): Promise<unknown> =>
  registry.change({ action: 'demo.lateAccount', summary: 'Set the end of the term', accountName }, change =>
    setTermEnd(change, accountName, expiryDate),
  );

/** Announces the fees of the example registry: those of its file, and beyond them what was expected of each year until the next one. */
async function announceExampleFees({ db, profile, today, change: changeDemo }: DemoRegistry): Promise<void> {
  if ((await announcedTimes(db.read)).member.length > 0) return;
  const day = dayIn(profile.timeZone, today);
  const line = { action: 'demo.announceFees', summary: 'Announced fees' };
  const announced = z.array(AnnouncedInFile).parse(exampleFees);
  const last = announced.at(-1)!;
  for (let { validFrom, validUntil, fees } = last; Number(validUntil.slice(0, 4)) <= Number(day.slice(0, 4)); ) {
    validFrom = daysAfter(validUntil, 1);
    validUntil = lastDayOfYear(validFrom);
    fees = {
      member: projectedSchedule(fees.member, profile.feeGrowth),
      'non-member': projectedSchedule(fees['non-member']!, profile.feeGrowth),
    };
    announced.push({ validFrom, validUntil, announcedOn: daysAfter(validFrom, -400), fees });
  }
  await changeDemo(line, async change => {
    for (const each of announced) await announce(change, { ...each, announcedOn: each.announcedOn! });
  });
}

/**
 * Renewals of the demo registry, so that billing starts with a history: EXAMPLE-AU has paid for five years, KELP-WS is late and has an extension,
 * LATE-FJ is suspended for an unpaid renewal, and GONE-VU was closed for one. From then on the membership clock runs for all accounts.
 */
export async function addDemo(registry: DemoRegistry): Promise<void> {
  const { db, profile, today, store } = registry;
  await announceExampleFees(registry);
  if (!store) return;
  const calendar = profile.billingCalendar;
  const ends = await accountRows(db.read, ['GONE-VU', 'LATE-FJ', 'EXAMPLE-AU']);
  const endOf = (accountName: string): string => ends.get(accountName)!.expiryDate!;
  const day = dayIn(profile.timeZone, today);
  const [gone, late, kelp] = [endOf('GONE-VU'), endOf('LATE-FJ'), daysAfter(day, -40)];
  const lastYear = daysAfter(endOf('EXAMPLE-AU'), -365);
  await endTerm(registry, 'KELP-WS', kelp);
  // In the order of their days, as their numbers are.
  const renewals: PastRenewal[] = [
    ...[4, 3, 2, 1, 0].map(years => {
      const termEnd = yearsAfter(lastYear, -years);
      const on = daysAfter(termEnd, 12);
      const [recordedBy, approvedBy] = [registry.loginOf('stella').loginId, registry.loginOf('stan').loginId];
      const paid = { on, reference: `BANK-${on.slice(0, 4)}-0118`, recordedBy, approvedBy };
      return { accountName: 'EXAMPLE-AU', termEnd, steps: stepsUntil('invoice', termEnd, calendar), paid };
    }),
    { accountName: 'GONE-VU', termEnd: gone, steps: stepsUntil('closing', gone, calendar) },
    { accountName: 'KELP-WS', termEnd: kelp, steps: stepsUntil('invoice', kelp, calendar), extendedUntil: daysAfter(day, 20) },
    { accountName: 'LATE-FJ', termEnd: late, steps: stepsUntil('suspension', late, calendar) },
  ];
  for (const renewal of renewals) await recordPastRenewal(db, renewal, clockworkOf(registry, renewal)!);
  await registry.change({ action: 'demo.beginBilling', summary: 'Began to bill memberships' }, change => beginBilling(change, kelp));
}

/** Adds an overdue renewal of another of Corin's accounts, which has two more weeks to pay. */
export async function addDemoLife(registry: DemoRegistry): Promise<void> {
  const accountName = 'SOUTHSITE-NZ';
  const day = dayIn(registry.profile.timeZone, registry.today);
  const termEnd = daysAfter(day, -38);
  const clockwork = clockworkOf(registry, { accountName, termEnd });
  if (!clockwork) return;
  await endTerm(registry, accountName, termEnd);
  const steps = stepsUntil('invoice', termEnd, registry.profile.billingCalendar);
  await recordPastRenewal(registry.db, { accountName, termEnd, steps, extendedUntil: daysAfter(day, 14) }, clockwork);
}

export { regionStages } from './demo-region.ts';
