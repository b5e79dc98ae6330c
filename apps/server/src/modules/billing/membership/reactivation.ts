import type { BodyOf } from '@portal/contract';
import type { StaffAccountBilling } from '@portal/contract/billing/billing';
import type { reactivations } from '@portal/contract/billing/reactivations';
import { dayIn, daysAfter, monthsAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Caller } from '../../../platform/http/caller.ts';
import { type Change, type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { SecondPersonNeeded } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed, lockAccount, openForTerm, refuseOwnAccount } from '../../accounts/index.ts';
import { notifyAllContacts } from '../billing-notices.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { cancelTransferFee, chargeTransferFee } from '../fees/transfer-fees.ts';
import { dueDay } from './holidays.ts';

type Reactivation = { reactivationId: number; payBy: string; feeWaived: boolean };

const referenceOf = (id: number): string => `REACT-${id}`;

async function openReactivation(read: Read, accountName: string): Promise<Reactivation | undefined> {
  return read
    .selectFrom('reactivation')
    .select(['reactivationId', 'payBy', 'feeWaived'])
    .where('accountName', '=', accountName)
    .where('completedAt', 'is', null)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}

/** Returns the day an account was closed: by the clock of memberships, or as the history of its row knows; null where it came closed to this program. */
async function closedOn(read: Read, accountName: string, timeZone: string): Promise<string | null> {
  const [row] = await read.rows<{ day: string | null }>(sql`
    select greatest(
      (select max(day) from billing_step where account_name = ${accountName} and step = 'closing'),
      (select max((a.happened_at at time zone ${timeZone})::date) from activity a join row_change c using (activity_id)
        where a.account_name = ${accountName} and c.table_name = 'account' and c.operation = 'UPDATE' and c.after ->> 'account_name' = ${accountName}
          and c.before ->> 'account_status' <> 'closed' and c.after ->> 'account_status' = 'closed'))::text as day`);
  return row!.day;
}

async function owedBy(read: Read, accountName: string): Promise<bigint> {
  const [row] = await read.rows<{
    owed: string;
  }>(sql`select coalesce(sum(total - paid - credited - written_off), 0)::numeric(14, 2)::text as owed
    from invoice where account_name = ${accountName} and state in ('ISSUED', 'PARTIALLY_PAID')`);
  return cents(row!.owed);
}

/** Returns whether a closed account can be opened again, until when and for what; null for other accounts. */
export async function reactivationOf(
  read: Read,
  accountName: string,
  { today, profile }: { today: string; profile: Profile },
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

/**
 * Starts the reactivation of a closed account: its fee is invoiced within a minute, and its unpaid invoices can be paid again. It opens when everything is paid.
 * @throws Failure NOT_FOUND, OWN_REQUEST, REACTIVATION_REFUSED
 * @throws SecondPersonNeeded for a fee above `paymentsAlone` that is waived
 */
export async function startReactivation(
  change: Change,
  accountName: string,
  { reason, waiveFee = false }: BodyOf<typeof reactivations.startReactivation>,
  { caller, today, profile, hasSecondPerson }: { caller: Caller; today: string; profile: Profile; hasSecondPerson: boolean },
): Promise<void> {
  const { orgName } = await lockAccount(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  const now = await reactivationOf(change, accountName, { today, profile });
  const not = (why: string) => refuse('REACTIVATION_REFUSED', { account: accountName, why });
  if (!now) throw not('it isn’t closed');
  if (now.state === 'open') throw not('a reactivation is open already');
  if (now.state === 'too-late')
    throw not(
      now.closedOn === null
        ? 'when it was closed isn’t known here. The organisation applies for a new membership'
        : `it was closed on ${dayInFull(now.closedOn)}, more than ${profile.reactivationMonths} months ago. The organisation applies for a new membership`,
    );
  const fee = cents(profile.reactivationFee);
  if (waiveFee && fee > cents(profile.paymentsAlone) && !hasSecondPerson) throw new SecondPersonNeeded();
  const feeWaived = waiveFee || fee === 0n;
  const payBy = await dueDay(change, daysAfter(today, profile.reactivationDays));
  const { reactivationId } = await change
    .insertInto('reactivation')
    .values({ accountName, begunOn: today, payBy, reason, feeWaived, begunBy: caller.loginId })
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
      'REACTIVATION',
    );
  await change.note({ reactivation: reference, reason, feeWaived, payBy, owed: now.owed });
  const owed = cents(now.owed);
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

/** Ends a reactivation that staff gave up: the account stays closed. @throws Failure NOT_FOUND, OWN_REQUEST, REACTIVATION_REFUSED */
export async function endReactivation(
  change: Change,
  accountName: string,
  { reason }: BodyOf<typeof reactivations.endReactivation>,
  caller: Caller,
): Promise<void> {
  await lockAccount(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  const open = await openReactivation(change, accountName);
  if (!open) throw refuse('REACTIVATION_REFUSED', { account: accountName, why: 'no reactivation is open' });
  await end(change, open, reason);
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
 * Opens the closed accounts that have paid everything, for the last term they were billed, and ends reactivations that were not paid in time. Each is a change of its own.
 */
export async function completeReactivations(db: Database, { now, profile }: { now: Date; profile: Profile }): Promise<void> {
  const today = dayIn(profile.timeZone, now);
  const rows = await db.read.rows<{ accountName: string; reactivationId: number; payBy: string; paid: boolean; term: string | null }>(sql`
    select r.account_name, r.reactivation_id, r.pay_by::text,
      not exists (select from invoice i where i.account_name = r.account_name and i.state in ('ISSUED', 'PARTIALLY_PAID'))
        and (r.fee_waived or exists (select from transfer_fee f join invoice i using (invoice_id)
          where f.reference = 'REACT-' || r.reactivation_id and i.state in ('PAID', 'CANCELLED'))) as paid,
      (select max(period_to) from invoice i where i.account_name = r.account_name and i.kind in ('RENEWAL', 'SIGN_UP'))::text as term
    from reactivation r where r.completed_at is null and r.ended_at is null order by r.reactivation_id`);
  for (const { accountName, reactivationId, payBy, paid, term } of rows) {
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
  }
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
