import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import { accountNamed } from '../../accounts/index.ts';
import { billedTypes, expectedOn, holdingsOn, isLeastDeveloped } from '../fees/fee-schedules.ts';
import { annualFee, sumOf } from '../fees/fees.ts';
import { printCents } from '../money.ts';
import { creditOf } from './credit.ts';

/**
 * The fee of the next term (`begins`, a day of the registry) by what an account holds today, the sums that came in from it less those that went back, and its unused credit.
 * Amounts are decimal, the fee is before tax. `fee` is null for an account that isn't billed or has no term, and where the fees of the term can't be known yet.
 */
export type MoneyFacts = {
  fee: { begins: string; currency: string; amount: string; projected: boolean } | null;
  paid: { currency: string; amount: string }[];
  credit: { currency: string; amount: string };
};

/** Returns what an account will pay, has paid since it joined, and has as credit. @throws Failure NOT_FOUND */
export async function moneyFactsOf(
  read: Read,
  accountName: string,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<MoneyFacts> {
  const [fee, paid, credit] = await Promise.all([
    nextFeeOf(read, accountName, { today, profile }),
    // What was paid out of credit came in before; what was reversed or refunded went back.
    read.rows<MoneyFacts['paid'][number]>(sql`select currency, sum(amount)::numeric(14, 2)::text as amount from (
        select i.currency, p.amount from payment p join invoice i using (invoice_id)
        where p.account_name = ${accountName} and p.method <> 'credit' and not exists (select from payment_reversal r where r.payment_id = p.payment_id)
        union all select currency, -amount from refund where account_name = ${accountName}) moved
      group by currency order by currency`),
    creditOf(read, accountName),
  ]);
  return { fee, paid, credit: { currency: profile.currency, amount: printCents(credit) } };
}

async function nextFeeOf(
  read: Read,
  accountName: string,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<MoneyFacts['fee']> {
  const { accountType, accountStatus, economy, expiryDate } = await accountNamed(read, accountName);
  const kind = billedTypes[accountType];
  if (kind === undefined || expiryDate === null || accountStatus === 'closed') return null;
  const begins = daysAfter(expiryDate, 1);
  const schedule = await expectedOn(read, kind, begins, profile.feeGrowth);
  if (!schedule) return null;
  // Of tomorrow, so that what was delegated today counts.
  const held = await holdingsOn({ read, accountName, day: daysAfter(today, 1), schedule, timeZone: profile.timeZone });
  const lines = annualFee(schedule, held, { nir: accountType === 'confed-nir', ldc: isLeastDeveloped(profile, economy, begins) });
  return { begins, currency: profile.currency, amount: printCents(sumOf(lines)), projected: schedule.projected };
}
