import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { lockAccount } from '../../accounts/index.ts';
import { askedResources } from '../../applications/index.ts';
import { billedTypes } from '../fees/fee-schedules.ts';
import type { Holdings } from '../fees/fees.ts';
import { composeSignUp } from '../invoices/invoice-content.ts';
import { issueInvoice } from './issuing.ts';
import { cents, inCurrency } from '../money.ts';
import type { ScheduleContext } from '../membership/step.ts';

/** Addresses of the smallest delegation: a /24 of IPv4, and a /48 of IPv6 in blocks of a /56. */
const SMALLEST = { ipv4: 256n, ipv6: 256n } as const;

/**
 * Issues the sign-up invoices of accounts approved since billing began: the sign-up fee and the fee for the first term, which counts the smallest
 * delegation if the application asks for addresses. A larger delegation counts when the term ends. They wait while no fees are announced for today. Each invoice is its own change.
 */
export async function issueSignUps(db: Database, context: ScheduleContext): Promise<void> {
  const today = dayIn(context.profile.timeZone, context.now);
  const fresh = await db.read.rows<{ accountName: string }>(sql`
    select a.account_name from account a, billing_start b
    where a.account_status = 'new' and a.account_type = any(${Object.keys(billedTypes)}::text[]) and a.created_at >= b.begun_at
      and not exists (select from invoice i where i.account_name = a.account_name and i.kind = 'sign-up')
      and exists (select from fee_schedule s where s.account_kind = ${JSON.stringify(billedTypes)}::jsonb ->> a.account_type
        and ${today}::date between s.valid_from and s.valid_until) order by a.created_at, a.account_name`);
  await eachAlone(
    fresh,
    ({ accountName }) => accountName,
    ({ accountName }) => issue(db, accountName, context),
  );
}

async function issue(db: Database, accountName: string, context: ScheduleContext): Promise<void> {
  const issuedOn = dayIn(context.profile.timeZone, context.now);
  await issueInvoice(
    db,
    {
      activity: ownActivity('billing.issueSignUp', 'Issued a sign-up invoice', accountName),
      compose: async change => {
        const { accountStatus } = await lockAccount(change, accountName);
        const [issued] = await change.rows(sql`select 1 from invoice where account_name = ${accountName} and kind = 'sign-up'`);
        if (accountStatus !== 'new' || issued) return null;
        const asked = await askedResources(change, accountName);
        const holdings: Holdings = {
          ipv4: asked.includes('ipv4') ? SMALLEST.ipv4 : 0n,
          ipv6: asked.includes('ipv6') ? SMALLEST.ipv6 : 0n,
          asns: 0,
        };
        return composeSignUp(change, { accountName, issuedOn, holdings }, context.profile);
      },
      record: async () => {},
      purpose: ({ orgName, number, periodTo, currency, total }) =>
        `The application of ${orgName} is approved. Invoice ${number} opens the account for a membership until ${dayInFull(periodTo)}: ${inCurrency(currency, cents(total))}.`,
    },
    context,
  );
}
