import type { StaffAccountBilling } from '@portal/contract/billing/billing';
import type { renewals } from '@portal/contract/billing/renewals';
import { dayIn, daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { accountNamed, lockAccount, refuseOwnAccount } from '../../accounts/index.ts';
import { holdingsOn, scheduleOn } from '../fees/fee-schedules.ts';
import { composeRenewal } from '../invoices/invoice-content.ts';
import { issueInvoice } from '../issuing/issuing.ts';
import { getStaffBilling } from '../invoices/staff-billing.ts';
import { cents, inCurrency } from '../money.ts';
import { againOf } from '../membership/cancelled-renewal.ts';
import type { ScheduleContext } from '../membership/step.ts';
import { termOf } from '../membership/term.ts';

/**
 * Lets the registry bill a term again of which the invoice was cancelled or written off; the invoice is issued within a minute, and due as any invoice is. @throws Failure NOT_FOUND, OWN_REQUEST,
 * RENEWAL_NOT_OPEN
 */
export async function billAgain({
  change,
  caller,
  params: { accountName },
  body: { reason },
  registry,
}: Act<typeof renewals.billAgain>): Promise<StaffAccountBilling> {
  await lockAccount(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  const term = await termOf(change, registry.profile.billingCalendar, accountName);
  const again = await againOf(change, accountName, term);
  if (again === null) throw refuse('RENEWAL_NOT_OPEN', { why: 'no invoice of the coming term was cancelled or written off' });
  if (again === 'asked') throw refuse('RENEWAL_NOT_OPEN', { why: 'another invoice was asked for already, and is issued within a minute' });
  const { termEnd, feesAnnounced } = term!;
  if (feesAnnounced === null) throw refuse('RENEWAL_NOT_OPEN', { why: 'the fees of this term aren’t announced' });
  await change
    .insertInto('renewalAgain')
    .values({ accountName, termEnd, reason, requestedBy: caller.loginId, requestedOn: registry.today })
    .execute();
  await change.note({ termEnds: termEnd, cancelled: term!.invoice!.number, reason });
  return getStaffBilling({ read: change, params: { accountName }, registry });
}

/** Issues the invoices that were asked for: of what was held when the term ended as the ledger has it now, due as if the term ended today. Each is a change of its own. */
export async function issueRenewalsAgain(db: Database, context: ScheduleContext): Promise<void> {
  const asked = await db.read.rows<{ renewalAgainId: number; accountName: string; termEnd: string }>(
    sql`select renewal_again_id, account_name, term_end from renewal_again where invoice_id is null order by renewal_again_id`,
  );
  await eachAlone(
    asked,
    ({ accountName }) => accountName,
    each => issueAgain(db, each, context),
  );
}

type Asked = { renewalAgainId: number; accountName: string; termEnd: string };

async function issueAgain(db: Database, { renewalAgainId, accountName, termEnd }: Asked, context: ScheduleContext): Promise<void> {
  const { profile } = context;
  const issuedOn = dayIn(profile.timeZone, context.now);
  await issueInvoice(
    db,
    {
      activity: ownActivity('billing.issueInvoice', 'Issued an invoice', accountName),
      compose: async change => {
        await lockAccount(change, accountName);
        const term = await termOf(change, profile.billingCalendar, accountName);
        // Closed, or renewed otherwise, since it was asked for.
        if (term?.termEnd !== termEnd || term.feesAnnounced === null || (await againOf(change, accountName, term)) !== 'asked') return null;
        const { accountType } = await accountNamed(change, accountName);
        const schedule = await scheduleOn(change, accountType, daysAfter(termEnd, 1));
        const holdings = await holdingsOn({
          read: change,
          accountName,
          day: term.done.holdings ?? termEnd,
          schedule,
          timeZone: profile.timeZone,
        });
        const billedFrom = issuedOn > termEnd ? issuedOn : termEnd;
        return composeRenewal(change, { accountName, termEnd, issuedOn, holdings, billedFrom }, profile);
      },
      record: async (change, invoiceId) => {
        await change.updateTable('renewalAgain').set({ invoiceId }).where('renewalAgainId', '=', renewalAgainId).execute();
      },
      purpose: ({ orgName, number, periodTo, currency, total }) =>
        `The renewal of ${orgName} is billed again. Invoice ${number} renews the membership until ${dayInFull(periodTo)}: ${inCurrency(currency, cents(total))}.`,
    },
    context,
  );
}
