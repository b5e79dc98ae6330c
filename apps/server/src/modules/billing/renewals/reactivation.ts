import { isPayable } from '../payable.ts';
import type { AccountBilling, StaffAccountBilling } from '@portal/contract/billing/billing';
import type { reactivations } from '@portal/contract/billing/reactivations';
import { dayIn, daysAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed, lockAccount, openForTerm, refuseOwnAccount } from '../../accounts/index.ts';
import { notifyAllContacts } from '../billing-notices.ts';
import { countAct } from '../limits/limited-acts.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { cancelTransferFee, chargeTransferFee } from '../issuing/transfer-fees.ts';
import { getBilling } from '../invoices/invoices.ts';
import { getStaffBilling } from '../invoices/staff-billing.ts';
import { dueDay } from '../membership/holidays.ts';
import { openReactivation, owedBy, reactivationOf } from '../membership/open-reactivation.ts';

const referenceOf = (id: number): string => `REACT-${id}`;

/**
 * Starts the reactivation of a closed account: its fee is invoiced within a minute, and its unpaid invoices can be paid again. It opens when everything is paid.
 * @throws Failure NOT_FOUND, OWN_REQUEST, REACTIVATION_REFUSED
 * @throws SecondPersonNeeded for a fee that is waived
 */
export async function startReactivation({
  change,
  caller,
  params: { accountName },
  body: { reason, waiveFee = false },
  hasSecondPerson,
  registry,
}: Act<typeof reactivations.startReactivation>): Promise<StaffAccountBilling> {
  const { profile } = registry;
  await lockAccount(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  await possibleReactivation(change, accountName, registry);
  const fee = cents(profile.reactivationFee);
  await countAct(change, { limit: 'given', accountName, amount: waiveFee ? fee : 0n, caller, hasSecondPerson, registry });
  await begin(change, { accountName, reason, feeWaived: waiveFee || fee === 0n, begunBy: caller.loginId }, registry);
  return getStaffBilling({ read: change, params: { accountName }, registry });
}

/**
 * Starts the reactivation of a closed account by one of its own contacts, if it was closed because an invoice was unpaid: whoever pays opens it again. What was closed for another
 * reason, registry staff decide. @throws Failure REACTIVATION_REFUSED
 */
export async function reactivateAccount({
  change,
  account,
  caller,
  registry,
}: Act<typeof reactivations.reactivateAccount>): Promise<AccountBilling> {
  const { accountName } = account;
  const { profile } = registry;
  await lockAccount(change, accountName);
  const { byMember } = await possibleReactivation(change, accountName, registry);
  if (!byMember)
    throw refuse('REACTIVATION_REFUSED', {
      account: accountName,
      why: `it wasn’t closed for an unpaid invoice. Write to ${profile.billingEmail}`,
    });
  const feeWaived = cents(profile.reactivationFee) === 0n;
  await begin(change, { accountName, reason: 'Started by the member', feeWaived, begunBy: caller.loginId }, registry);
  return getBilling({ read: change, account, registry });
}

type Now = NonNullable<AccountBilling['reactivation']>;

/** Returns what a closed account owes that can be reactivated. @throws Failure REACTIVATION_REFUSED */
async function possibleReactivation(change: Change, accountName: string, registry: Pick<Registry, 'today' | 'profile'>): Promise<Now> {
  const { profile } = registry;
  const now = await reactivationOf(change, accountName, registry);
  const not = (why: string) => refuse('REACTIVATION_REFUSED', { account: accountName, why });
  if (!now) throw not('it isn’t closed');
  if (now.state === 'open') throw not('a reactivation is open already');
  if (now.state === 'too-late')
    throw not(
      now.closedOn === null
        ? 'when it was closed isn’t known here. The organisation applies for a new membership'
        : `it was closed on ${dayInFull(now.closedOn)}, more than ${profile.reactivationMonths} months ago. The organisation applies for a new membership`,
    );
  return now;
}

type Begun = { accountName: string; reason: string; feeWaived: boolean; begunBy: string };

/** Records a reactivation, charges its fee and notifies the contacts. */
async function begin(
  change: Change,
  { accountName, reason, feeWaived, begunBy }: Begun,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<void> {
  const { orgName } = await accountNamed(change, accountName);
  const fee = cents(profile.reactivationFee);
  const owed = await owedBy(change, accountName);
  const payBy = await dueDay(change, daysAfter(today, profile.reactivationDays));
  const { reactivationId } = await change
    .insertInto('reactivation')
    .values({ accountName, begunOn: today, payBy, reason, feeWaived, begunBy })
    .returning('reactivationId')
    .executeTakeFirstOrThrow();
  const reference = referenceOf(reactivationId);
  if (!feeWaived)
    await chargeTransferFee(
      change,
      {
        accountName,
        reference,
        description: `Reactivation of the account, ${reference}`,
        amount: printCents(fee),
        days: profile.reactivationDays,
      },
      'reactivation',
    );
  await change.note({ reactivation: reference, reason, feeWaived, payBy, owed: printCents(owed) });
  await notifyAllContacts(
    change,
    {
      topic: 'billing.reminders',
      accountName,
      subject: `${accountName} can be opened again`,
      body: [
        `The closed account of ${orgName} opens again when everything it owes is paid by ${dayInFull(payBy)}.`,
        ...(feeWaived
          ? []
          : [`The reactivation fee is ${inCurrency(profile.currency, fee)} before tax. Its invoice follows in an e-mail.`]),
        ...(owed > 0n ? [`Unpaid invoices: ${inCurrency(profile.currency, owed)}.`] : []),
        profile.paymentInstructions.join('\n'),
      ],
    },
    { closed: true },
  );
}

/** Ends a reactivation: the account stays closed. @throws Failure NOT_FOUND, OWN_REQUEST, REACTIVATION_REFUSED */
export async function endReactivation({
  change,
  caller,
  params: { accountName },
  body: { reason },
  registry,
}: Act<typeof reactivations.endReactivation>): Promise<StaffAccountBilling> {
  await lockAccount(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  const open = await openReactivation(change, accountName);
  if (!open) throw refuse('REACTIVATION_REFUSED', { account: accountName, why: 'no reactivation is open' });
  await end(change, open, reason);
  return getStaffBilling({ read: change, params: { accountName }, registry });
}

async function end(change: Change, { reactivationId }: { reactivationId: number }, reason: string): Promise<void> {
  const reference = referenceOf(reactivationId);
  await change
    .updateTable('reactivation')
    .set({ endedAt: change.now, endReason: reason })
    .where('reactivationId', '=', reactivationId)
    .execute();
  await cancelTransferFee(change, reference, number => `${number} ended, and the account stays closed`);
  await change.note({ reactivation: reference, reason });
}

/**
 * Opens closed accounts that have paid everything, for the last term they were billed, and ends reactivations that were not paid in time. Each is its own change.
 */
export async function completeReactivations(db: Database, { now, profile }: { now: Date; profile: Profile }): Promise<void> {
  const today = dayIn(profile.timeZone, now);
  const rows = await db.read.rows<{ accountName: string; reactivationId: number; payBy: string; paid: boolean; term: string | null }>(sql`
    select r.account_name, r.reactivation_id, r.pay_by::text,
      not exists (select from invoice i where i.account_name = r.account_name and ${isPayable})
        and (r.fee_waived or exists (select from transfer_fee f join invoice i using (invoice_id)
          where f.reference = 'REACT-' || r.reactivation_id and i.state in ('paid', 'cancelled'))) as paid,
      (select max(period_to) from invoice i where i.account_name = r.account_name and i.kind in ('renewal', 'sign-up'))::text as term
    from reactivation r where r.completed_at is null and r.ended_at is null order by r.reactivation_id`);
  await eachAlone(
    rows,
    ({ accountName }) => accountName,
    async ({ accountName, reactivationId, payBy, paid, term }) => {
      if (paid)
        await db.change(ownActivity('billing.reactivations.completeReactivation', 'Reactivated the account', accountName), change =>
          complete(change, { accountName, reactivationId, term }),
        );
      else if (today > payBy)
        await db.change(
          ownActivity('billing.reactivations.expireReactivation', 'Ended a reactivation: unpaid', accountName),
          async change => {
            const { orgName } = await lockAccount(change, accountName);
            if ((await openReactivation(change, accountName))?.reactivationId !== reactivationId) return;
            await end(change, { reactivationId }, `Not paid by ${dayInFull(payBy)}`);
            await notifyAllContacts(
              change,
              {
                topic: 'billing.reminders',
                accountName,
                subject: `${accountName} stays closed`,
                body: [`The reactivation of the account of ${orgName} was not paid by ${dayInFull(payBy)} and has ended.`],
              },
              { closed: true },
            );
          },
        );
    },
  );
}

async function complete(
  change: Change,
  { accountName, reactivationId, term }: { accountName: string; reactivationId: number; term: string | null },
): Promise<void> {
  const { orgName, accountStatus, expiryDate } = await lockAccount(change, accountName);
  const owed = await owedBy(change, accountName);
  if ((await openReactivation(change, accountName))?.reactivationId !== reactivationId || owed > 0n) return;
  const lastDay = term ?? expiryDate ?? utcDay(change.now);
  await openForTerm(change, accountName, lastDay);
  await change.updateTable('reactivation').set({ completedAt: change.now }).where('reactivationId', '=', reactivationId).execute();
  await change.note({
    reactivation: referenceOf(reactivationId),
    before: { accountStatus },
    after: { accountStatus: 'open', termEnds: lastDay },
  });
  await notifyAllContacts(change, {
    topic: 'billing.reminders',
    accountName,
    subject: `${accountName} is open again`,
    body: [
      `Everything is paid, and the account of ${orgName} is open again.`,
      `Its membership runs until ${dayInFull(lastDay)}. Check its number resources, ROAs and reverse DNS: some may have ended when it closed.`,
    ],
  });
}
