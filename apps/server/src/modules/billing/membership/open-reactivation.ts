import { isPayable } from '../payable.ts';
import type { StaffAccountBilling } from '@portal/contract/billing/billing';
import { monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import { accountNamed } from '../../accounts/index.ts';
import { cents, printCents } from '../money.ts';

type Reactivation = { reactivationId: number; payBy: string; feeWaived: boolean };

/** Returns the open reactivation of an account. */
export async function openReactivation(read: Read, accountName: string): Promise<Reactivation | undefined> {
  return read
    .selectFrom('reactivation')
    .select(['reactivationId', 'payBy', 'feeWaived'])
    .where('accountName', '=', accountName)
    .where('completedAt', 'is', null)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}

/** Returns the day an account was closed: by the clock of memberships, or from the history of its row; null if it was closed before it was imported. */
async function closedOn(read: Read, accountName: string, timeZone: string): Promise<string | null> {
  const [row] = await read.rows<{ day: string | null }>(sql`
    select greatest(
      (select max(day) from billing_step where account_name = ${accountName} and step = 'closing'),
      (select max((a.happened_at at time zone ${timeZone})::date) from activity a join row_change c using (activity_id)
        where a.account_name = ${accountName} and c.table_name = 'account' and c.operation = 'UPDATE' and c.after ->> 'account_name' = ${accountName}
          and c.before ->> 'account_status' <> 'closed' and c.after ->> 'account_status' = 'closed'))::text as day`);
  return row!.day;
}

/** Returns what is left to pay of the invoices of an account, in cents. */
export async function owedBy(read: Read, accountName: string): Promise<bigint> {
  const [row] = await read.rows<{
    owed: string;
  }>(sql`select coalesce(sum(total - paid - credited - written_off), 0)::numeric(14, 2)::text as owed
    from invoice i where account_name = ${accountName} and ${isPayable}`);
  return cents(row!.owed);
}

/** Returns whether a closed account can be reactivated, until when and for which amount; null for other accounts. */
export async function reactivationOf(
  read: Read,
  accountName: string,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<StaffAccountBilling['reactivation']> {
  const { accountStatus } = await accountNamed(read, accountName);
  if (accountStatus !== 'closed') return null;
  const [open, closed, owed] = await Promise.all([
    openReactivation(read, accountName),
    closedOn(read, accountName, profile.timeZone),
    owedBy(read, accountName),
  ]);
  const until = open ? open.payBy : closed === null ? null : monthsAfter(closed, profile.reactivationMonths);
  return {
    state: open ? 'open' : until !== null && today <= until ? 'possible' : 'too-late',
    closedOn: closed,
    until,
    fee: printCents(open?.feeWaived ? 0n : cents(profile.reactivationFee)),
    owed: printCents(owed),
  };
}
