import { isPayable } from '../payable.ts';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import type { Module } from '../../../platform/module.ts';
import { whyDecidedBeforeOpening } from '../../roles/index.ts';

/**
 * Returns why only registry staff reactivate a closed account, to be read after “because”; null where its contacts may. Asked when one of them starts it, and again before it opens.
 * @param closedUnpaid whether it was closed because an invoice was unpaid
 */
export async function staffOnlyOf(
  read: Read,
  accountName: string,
  { closedUnpaid, timeZone, modules }: { closedUnpaid: boolean; timeZone: string; modules: readonly Module[] },
): Promise<string | null> {
  return (await lastingReason(read, accountName, { closedUnpaid, timeZone })) ?? whyDecidedBeforeOpening(read, accountName, modules);
}

/** Returns the reason that stays: how the account was closed, or that staff keep it closed. */
export async function lastingReason(
  read: Read,
  accountName: string,
  { closedUnpaid, timeZone }: { closedUnpaid: boolean; timeZone: string },
): Promise<string | null> {
  if (!closedUnpaid) return 'it wasn’t closed for an unpaid invoice';
  const givenUp = await givenUpInvoice(read, accountName);
  if (givenUp) return `${givenUp.number}, which it was closed for, was ${givenUp.state === 'cancelled' ? 'cancelled' : 'written off'}`;
  const [ended] = await read.rows<{ on: string | null }>(sql`
    select (r.ended_at at time zone ${timeZone})::date::text as on from reactivation r where r.account_name = ${accountName} and r.ended_by is not null
      and not exists (select from reactivation c where c.account_name = r.account_name and c.reactivation_id > r.reactivation_id and c.completed_at is not null)
    order by r.reactivation_id desc limit 1`);
  return ended ? `registry staff keep it closed since ${dayInFull(ended.on!)}` : null;
}

/** The invoice of the last term that was billed, if nothing is left to pay of it and it was never paid: reactivating for that term would give it away. */
async function givenUpInvoice(read: Read, accountName: string): Promise<{ number: string; state: string } | undefined> {
  const [row] = await read.rows<{ number: string; state: string }>(sql`
    select i.number, i.state from invoice i where i.account_name = ${accountName} and i.kind in ('renewal', 'sign-up') and i.state in ('cancelled', 'written-off')
      and i.period_to > coalesce((select max(i.period_to) from invoice i where i.account_name = ${accountName} and i.kind in ('renewal', 'sign-up')
        and (i.state = 'paid' or ${isPayable})), '-infinity')
    order by i.period_to desc, i.invoice_id desc limit 1`);
  return row;
}
