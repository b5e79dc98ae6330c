import { appendFileSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { daysAfter, daysBetween } from '@portal/contract/days';
import { sql } from 'kysely';
import { runBillingSchedule } from '../src/modules/billing/renewals/clock.ts';
import { holdIfNeeded } from '../src/modules/billing/renewals/holds.ts';
import { cents, printCents } from '../src/modules/billing/money.ts';
import { lockInvoice } from '../src/modules/billing/invoices/invoices.ts';
import { recordPayment } from '../src/modules/billing/payments/payments.ts';
import { openFileStore } from '../src/modules/documents/index.ts';
import type { Caller } from '../src/platform/http/caller.ts';
import { type Database, openDatabase } from '../src/platform/database/index.ts';
import { Failure } from '../src/platform/failure.ts';
import { readProfile } from '../src/profile.ts';

/**
 * Simulates days of the membership clock: the clock runs, then members make that day's payments. A separate program, so that a test can kill it:
 * `membership-days.ts DATABASE FILES FIRST LAST JOURNAL` continues with the last day of its journal.
 */

const profile = readProfile('');

/** A partial payment of an invoice, this many days after the end of the term. */
export type Payment = { after: number; amount: 'all' | 'half' | 'rest' | 'all and 50 more' };
const habits: readonly (readonly Payment[])[] = [
  [{ after: 1, amount: 'all' }],
  [{ after: 12, amount: 'all' }],
  [{ after: 29, amount: 'all' }],
  [{ after: 30, amount: 'all' }],
  [
    { after: 10, amount: 'half' },
    { after: 25, amount: 'rest' },
  ],
  [{ after: 40, amount: 'all' }],
  [{ after: 59, amount: 'all' }],
  [],
  [{ after: 20, amount: 'all and 50 more' }],
  [{ after: 20, amount: 'half' }],
];

/** Returns the payments of an account for every term, always the same. */
export function paymentsOf(accountName: string): readonly Payment[] {
  let hash = 7;
  for (const letter of accountName) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return habits[(hash >>> 3) % habits.length]!;
}

const partOf: Record<Payment['amount'], (total: bigint, paid: bigint) => bigint> = {
  all: (total, paid) => total - paid,
  half: total => total / 2n,
  rest: (total, paid) => total - paid,
  'all and 50 more': (total, paid) => total - paid + 5000n,
};

/** Records the payments of a day, except ones already recorded. */
async function payOn(db: Database, day: string, staff: Pick<Caller, 'loginId'>): Promise<void> {
  const open = await db.read.rows<{ number: string; accountName: string; total: string; paid: string; termEnd: string }>(sql`
    select number, account_name, total::text, paid::text, period_from - 1 as term_end from invoice
    where state in ('issued', 'partly-paid') and period_from > ${daysAfter(day, -100)}::date order by number`);
  for (const { number, accountName, total, paid, termEnd } of open)
    for (const { after, amount } of paymentsOf(accountName)) {
      if (daysBetween(termEnd, day) !== after) continue;
      const body = {
        amount: printCents(partOf[amount](cents(total), cents(paid))),
        receivedOn: day,
        reference: `${number}-${amount}`,
      };
      try {
        await db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, async change =>
          recordPayment({
            change,
            caller: staff as Caller,
            row: await lockInvoice(change, number),
            body,
            hasSecondPerson: true,
            registry: { today: day, profile },
          }),
        );
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'PAYMENT_ALIKE')) throw error;
      }
    }
}

/** Simulates the days from `first` to `last`, and calls `lived` after each. */
export async function simulateDays(
  url: string,
  { files, first, last, lived }: { files: string; first: string; last: string; lived: (day: string) => void },
): Promise<void> {
  let now = new Date();
  const db = await openDatabase({ url, clock: () => now });
  const store = openFileStore(files);
  const staff = await db.read.selectFrom('login').select('loginId').where('username', '=', 'cashier').executeTakeFirstOrThrow();
  for (let day = first; day <= last; day = daysAfter(day, 1)) {
    // Evening where the registry is.
    now = new Date(`${day}T12:00:00Z`);
    await holdIfNeeded(db, { now, profile, lastRun: daysAfter(day, -1) });
    await runBillingSchedule(db, { now, profile, store, fonts: [] });
    await payOn(db, day, staff);
    lived(day);
  }
  await db.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [url, files, first, last, journal] = process.argv.slice(2) as [string, string, string, string, string];
  const before = readFileSync(journal, 'utf8').trim().split('\n').at(-1);
  await simulateDays(url, { files, first: before || first, last, lived: day => appendFileSync(journal, `${day}\n`) });
}
