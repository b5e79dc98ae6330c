import type { BillingStep } from '@portal/contract/billing/billing';
import { type MembershipPlan, planDays } from '@portal/contract/billing/memberships';
import { dayIn, daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import type { BillingCalendar } from '../../../profile.ts';
import { accountRows } from '../../accounts/index.ts';
import { holidaysFrom } from '../membership/holidays.ts';
import { isHeld, openHold } from '../membership/open-hold.ts';
import { balanceOf, type Settled } from '../invoices/invoice-content.ts';
import { openCheckouts } from './open-checkouts.ts';
import { type WaitingTransfer, waitingTransfers } from './waiting-transfers.ts';
import { stepsAheadOf, type Term, termsWhere } from '../membership/term.ts';

type Ending = MembershipPlan['endings'][number];
type Planning = Pick<Registry, 'today' | 'now' | 'profile'>;
type Planned = { term: Term; step: BillingStep; day: string };

/** Maximum number of suspensions and closures listed in a plan; all are counted. */
const MAX_NAMED = 500;

/** Every step until a day, if nothing more is paid. Overdue steps come first, with their own days. */
async function stepsUntil(read: Read, until: string, calendar: BillingCalendar): Promise<Planned[]> {
  const terms = await termsWhere(read, calendar, sql`a.expiry_date <= ${daysAfter(until, calendar.reminderDays)}::date`);
  return stepsAheadOf(terms, until, calendar);
}

/** The suspensions and closures among planned steps, the earliest first. */
const endingsAmong = (planned: readonly Planned[]): Planned[] =>
  planned
    .filter(({ step }) => isHeld(step))
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.term.accountName < b.term.accountName ? -1 : 1));

/** Counts the suspensions and closures until a day. */
export const countEndingsUntil = async (read: Read, until: string, calendar: BillingCalendar): Promise<number> =>
  endingsAmong(await stepsUntil(read, until, calendar)).length;

/** Returns the suspensions and closures until a day, the earliest first, with the debt. */
export const endingsUntil = async (read: Read, { until, ...planning }: { until: string } & Planning): Promise<Ending[]> =>
  withDebts(read, endingsAmong(await stepsUntil(read, until, planning.profile.billingCalendar)), planning);

/** Returns suspensions and closures with the debt, and what each waits for. */
async function withDebts(read: Read, endings: readonly Planned[], { today, now, profile }: Planning): Promise<Ending[]> {
  const names = [...new Set(endings.map(({ term }) => term.accountName))];
  const numbers = endings.flatMap(({ term }) => (term.invoice ? [term.invoice.number] : []));
  const [accounts, invoices, transfers, checkouts, hold] = await Promise.all([
    accountRows(read, names),
    read.rows<{ number: string; currency: string } & Settled>(
      sql`select number, currency, total::text, paid::text, credited::text, written_off::text from invoice where number = any(${numbers}::text[])`,
    ),
    waitingTransfers(read, numbers, { today, profile }),
    openCheckouts(
      read,
      endings.flatMap(({ term, day }) => (term.invoice ? [{ number: term.invoice.number, day }] : [])),
      { now, timeZone: profile.timeZone },
    ),
    openHold(read),
  ]);
  const byNumber = new Map(invoices.map(invoice => [invoice.number, invoice]));
  return endings.map(({ term: { accountName, invoice }, step, day }) => {
    const unpaid = invoice ? byNumber.get(invoice.number) : undefined;
    return {
      accountName,
      orgName: accounts.get(accountName)!.orgName,
      step: step as Ending['step'],
      day,
      invoice: unpaid ? { number: unpaid.number, currency: unpaid.currency, balance: balanceOf(unpaid) } : null,
      held: hold !== undefined && day <= today,
      waitsFor: unpaid === undefined ? null : whatFor(unpaid.number, { transfers, checkouts, timeZone: profile.timeZone }),
    };
  });
}

type Waiting = { transfers: ReadonlyMap<string, WaitingTransfer>; checkouts: ReadonlyMap<string, string>; timeZone: string };

/** Returns what the account of an invoice waits for, and the last day on which it does: the transfer, if there is also an online payment. */
function whatFor(number: string, { transfers, checkouts, timeZone }: Waiting): Ending['waitsFor'] {
  const transfer = transfers.get(number);
  if (transfer) return { what: 'transfer', until: transfer.until };
  const ends = checkouts.get(number);
  return ends === undefined ? null : { what: 'checkout', until: dayIn(timeZone, new Date(ends)) };
}

/** Returns what the membership clock will do in the coming days if nothing more is paid. */
export async function getPlan({ read, registry: { today, now, profile } }: { read: Read; registry: Planning }): Promise<MembershipPlan> {
  const until = daysAfter(today, planDays);
  const planned = await stepsUntil(read, until, profile.billingCalendar);
  const counts = new Map<string, MembershipPlan['counts'][number]>();
  for (const { step, day } of planned) {
    const on = day < today ? today : day;
    const key = `${on} ${step}`;
    const count = counts.get(key) ?? { day: on, step, accounts: 0 };
    count.accounts += 1;
    counts.set(key, count);
  }
  const ending = endingsAmong(planned);
  const [endings, hold, holidays] = await Promise.all([
    withDebts(read, ending.slice(0, MAX_NAMED), { today, now, profile }),
    openHold(read),
    holidaysFrom(read, today),
  ]);
  return {
    today,
    until,
    counts: [...counts.values()].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
    endings,
    endingCount: ending.length,
    holidays,
    hold: hold ? { holdId: String(hold.billingHoldId), since: hold.since, reason: hold.reason, lastRun: hold.lastRun } : null,
  };
}
