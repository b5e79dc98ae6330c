import { isPayable } from '../payable.ts';
import type { AccountBilling } from '@portal/contract/billing/billing';
import { monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import { accountNamed } from '../../accounts/index.ts';
import { cents, printCents } from '../money.ts';
import { lastingReason, staffOnlyOf } from './staff-only.ts';

/** `byMember`: a contact of the account started it, and no member of staff has decided since. */
type Reactivation = { reactivationId: number; payBy: string; feeWaived: boolean; byMember: boolean };

/** Returns the open reactivation of an account. */
export async function openReactivation(read: Read, accountName: string): Promise<Reactivation | undefined> {
  return read
    .selectFrom('reactivation')
    .select(['reactivationId', 'payBy', 'feeWaived', 'byMember'])
    .where('accountName', '=', accountName)
    .where('completedAt', 'is', null)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}

type Closing = { on: string | null; unpaid: boolean };

/**
 * Returns the day an account was closed: by the clock of memberships, or from the history of its row; null if it was closed before it was imported. `unpaid`: the clock did it,
 * because an invoice was unpaid, and nothing else closed it since.
 */
async function closingOf(read: Read, accountName: string, timeZone: string): Promise<Closing> {
  const [row] = await read.rows<Closing>(sql`
    select greatest(step, change)::text as on, step is not null and coalesce(action = 'billing.closeAccount', true) as unpaid from (select
      (select max(day) from billing_step where account_name = ${accountName} and step = 'closing') as step,
      last.change, last.action from (select) one left join lateral (
        select (a.happened_at at time zone ${timeZone})::date as change, a.action from activity a join row_change c using (activity_id)
        where a.account_name = ${accountName} and c.table_name = 'account' and c.operation = 'UPDATE' and c.after ->> 'account_name' = ${accountName}
          and c.before ->> 'account_status' <> 'closed' and c.after ->> 'account_status' = 'closed'
        order by a.activity_id desc limit 1) last on true) closing`);
  return row!;
}

/** Returns why contacts of a closed account can never reactivate it, whatever staff are deciding now; null where they may. */
export async function closedForGood(read: Read, accountName: string, timeZone: string): Promise<string | null> {
  return lastingReason(read, accountName, { closedUnpaid: (await closingOf(read, accountName, timeZone)).unpaid, timeZone });
}

/** Returns what is left to pay of the invoices of an account, in cents. */
export async function owedBy(read: Read, accountName: string): Promise<bigint> {
  const [row] = await read.rows<{
    owed: string;
  }>(sql`select coalesce(sum(total - paid - credited - written_off), 0)::numeric(14, 2)::text as owed
    from invoice i where account_name = ${accountName} and ${isPayable}`);
  return cents(row!.owed);
}

/** Returns whether a closed account can be reactivated, until when, for which amount and by which of both sides; null for other accounts. */
export async function reactivationOf(
  read: Read,
  accountName: string,
  { today, profile, modules }: Pick<Registry, 'today' | 'profile' | 'modules'>,
): Promise<AccountBilling['reactivation']> {
  const { accountStatus } = await accountNamed(read, accountName);
  if (accountStatus !== 'closed') return null;
  const [open, { on: closed, unpaid }, owed] = await Promise.all([
    openReactivation(read, accountName),
    closingOf(read, accountName, profile.timeZone),
    owedBy(read, accountName),
  ]);
  const months = profile.reactivationMonths;
  // Zero months is never, and not the day of the closing.
  const until = open ? open.payBy : closed === null || months === 0 ? null : monthsAfter(closed, months);
  return {
    state: open ? 'open' : until !== null && today <= until ? 'possible' : 'too-late',
    closedOn: closed,
    until,
    fee: printCents(open?.feeWaived ? 0n : cents(profile.reactivationFee)),
    owed: printCents(owed),
    staffOnly:
      open && !open.byMember ? null : await staffOnlyOf(read, accountName, { closedUnpaid: unpaid, timeZone: profile.timeZone, modules }),
  };
}
