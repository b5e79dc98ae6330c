import { isPayable } from '../payable.ts';
import type { AccountBilling, StaffAccountBilling } from '@portal/contract/billing/billing';
import type { reactivations } from '@portal/contract/billing/reactivations';
import { dayIn, daysAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Module } from '../../../platform/module.ts';
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
import { isFeeComing } from './coming-fees.ts';
import { closedForGood, openReactivation, owedBy, reactivationOf } from '../membership/open-reactivation.ts';
import { billingTexts } from '../mail-texts.ts';

const referenceOf = (id: number): string => `REACT-${id}`;

/**
 * Starts the reactivation of a closed account: its fee is invoiced within a minute. It opens when everything is paid. One that a contact started, and that waits because staff
 * decide, goes on by it.
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
  const waiting = await openReactivation(change, accountName);
  if (waiting?.byMember && (await reactivationOf(change, accountName, registry))!.staffOnly !== null) {
    if (waiveFee)
      throw refuse('REACTIVATION_REFUSED', {
        account: accountName,
        why: 'the fee of its reactivation was charged. Issue a credit note for it',
      });
    await countAct(change, { limit: 'given', accountName, amount: 0n, caller, hasSecondPerson, registry });
    await change
      .updateTable('reactivation')
      .set({ byMember: false, reason })
      .where('reactivationId', '=', waiting.reactivationId)
      .execute();
    await change.note({ reactivation: referenceOf(waiting.reactivationId), reason });
    return getStaffBilling({ read: change, params: { accountName }, registry });
  }
  await possibleReactivation(change, accountName, registry);
  const fee = cents(profile.reactivationFee);
  await countAct(change, { limit: 'given', accountName, amount: waiveFee ? fee : 0n, caller, hasSecondPerson, registry });
  await begin(change, { accountName, reason, feeWaived: waiveFee || fee === 0n, begunBy: caller.loginId, byMember: false }, registry);
  return getStaffBilling({ read: change, params: { accountName }, registry });
}

/**
 * Starts the reactivation of a closed account by one of its own contacts, for the price that was shown, unless registry staff decide (`staffOnlyOf`): who pays opens it again.
 * @throws Failure REACTIVATION_REFUSED, STALE for another price than it has now
 */
export async function reactivateAccount({
  change,
  account,
  caller,
  body: shown,
  registry,
}: Act<typeof reactivations.reactivateAccount>): Promise<AccountBilling> {
  const { accountName } = account;
  const { profile } = registry;
  await lockAccount(change, accountName);
  const { staffOnly, fee, owed } = await possibleReactivation(change, accountName, registry);
  if (staffOnly !== null)
    throw refuse('REACTIVATION_REFUSED', {
      account: accountName,
      why: `registry staff decide, because ${staffOnly}. Write to ${profile.billingEmail}`,
    });
  if (shown.fee !== fee || shown.owed !== owed) {
    const price = (of: { fee: string; owed: string }) =>
      `a fee of ${inCurrency(profile.currency, cents(of.fee))} and ${inCurrency(profile.currency, cents(of.owed))} of invoices`;
    throw refuse('STALE', { what: `the price, from ${price(shown)} to ${price({ fee, owed })}` });
  }
  const feeWaived = cents(profile.reactivationFee) === 0n;
  await begin(change, { accountName, reason: 'Started by the member', feeWaived, begunBy: caller.loginId, byMember: true }, registry);
  return getBilling({ read: change, account, registry });
}

type Now = NonNullable<AccountBilling['reactivation']>;

/** Returns what a closed account owes that can be reactivated. @throws Failure REACTIVATION_REFUSED */
async function possibleReactivation(
  change: Change,
  accountName: string,
  registry: Pick<Registry, 'today' | 'profile' | 'modules'>,
): Promise<Now> {
  const { profile } = registry;
  const now = await reactivationOf(change, accountName, registry);
  const not = (why: string) => refuse('REACTIVATION_REFUSED', { account: accountName, why });
  if (!now) throw not('it isn’t closed');
  if (now.state === 'open') throw not('a reactivation is open already');
  if (now.state === 'too-late' && profile.reactivationMonths === 0)
    throw not('this registry opens no closed account again. The organisation applies for a new membership');
  if (now.state === 'too-late')
    throw not(
      now.closedOn === null
        ? 'when it was closed isn’t known here. The organisation applies for a new membership'
        : `it was closed on ${dayInFull(now.closedOn)}, more than ${profile.reactivationMonths} months ago. The organisation applies for a new membership`,
    );
  return now;
}

type Begun = { accountName: string; reason: string; feeWaived: boolean; begunBy: string; byMember: boolean };

/** Records a reactivation, charges its fee and notifies the contacts. */
async function begin(
  change: Change,
  { accountName, reason, feeWaived, begunBy, byMember }: Begun,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<void> {
  const { orgName } = await accountNamed(change, accountName);
  const fee = cents(profile.reactivationFee);
  const owed = await owedBy(change, accountName);
  const payBy = await dueDay(change, daysAfter(today, profile.reactivationDays));
  const { reactivationId } = await change
    .insertInto('reactivation')
    .values({ accountName, begunOn: today, payBy, reason, feeWaived, begunBy, byMember })
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
  await notifyAllContacts(change, {
    topic: 'billing.reminders',
    accountName,
    text: billingTexts.written('canOpenedAgain', {
      accountName,
      orgName,
      payBy: dayInFull(payBy),
      theReactivationFee: feeWaived
        ? ''
        : `The reactivation fee is ${inCurrency(profile.currency, fee)} before tax. Its invoice follows in an e-mail.`,
      unpaidInvoices: owed > 0n ? `Unpaid invoices: ${inCurrency(profile.currency, owed)}.` : '',
      paymentInstructions: profile.paymentInstructions.join('\n'),
    }),
  });
}

/**
 * Ends a reactivation, or keeps contacts of a closed account from starting one: it stays closed, and from now on only staff start the next.
 * @throws Failure NOT_FOUND, OWN_REQUEST, REACTIVATION_REFUSED
 */
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
  if (open) await end(change, open, { reason, by: caller.loginId }, registry);
  else await keepClosed(change, { accountName, reason, by: caller.loginId }, registry);
  return getStaffBilling({ read: change, params: { accountName }, registry });
}

type Keeping = { accountName: string; reason: string; by: string };

/** Records a reactivation that ended before it began. @throws Failure REACTIVATION_REFUSED where contacts can never start one: what staff are deciding now passes */
async function keepClosed(
  change: Change,
  { accountName, reason, by }: Keeping,
  registry: Pick<Registry, 'today' | 'profile' | 'modules'>,
): Promise<void> {
  await possibleReactivation(change, accountName, registry);
  const forGood = await closedForGood(change, accountName, registry.profile.timeZone);
  if (forGood !== null)
    throw refuse('REACTIVATION_REFUSED', { account: accountName, why: `only registry staff can start one, because ${forGood}` });
  const { today } = registry;
  const ended = { endedAt: change.now, endReason: reason, endedBy: by };
  const { reactivationId } = await change
    .insertInto('reactivation')
    .values({ accountName, begunOn: today, payBy: today, reason, feeWaived: true, begunBy: by, byMember: false, ...ended })
    .returning('reactivationId')
    .executeTakeFirstOrThrow();
  await change.note({ reactivation: referenceOf(reactivationId), reason });
}

/** @param by the member of staff who ends it; null at its day */
async function end(
  change: Change,
  { reactivationId }: { reactivationId: number },
  { reason, by }: { reason: string; by: string | null },
  registry: Pick<Registry, 'today' | 'profile'>,
): Promise<void> {
  const reference = referenceOf(reactivationId);
  await change
    .updateTable('reactivation')
    .set({ endedAt: change.now, endReason: reason, endedBy: by })
    .where('reactivationId', '=', reactivationId)
    .execute();
  await cancelTransferFee(change, reference, registry, number => `${number} ended, and the account stays closed`);
  await change.note({ reactivation: reference, reason });
}

/** That nothing is left to pay of the invoices of the account of the reactivation `r`, its fee among them. */
const isWhollyPaid = sql<boolean>`(not exists (select from invoice i where i.account_name = r.account_name and ${isPayable})
  and (r.fee_waived or exists (select from transfer_fee f join invoice i using (invoice_id)
    where f.reference = 'REACT-' || r.reactivation_id and i.state in ('paid', 'cancelled'))))`;

/**
 * Opens closed accounts that have paid everything, for the last term they have paid, and ends reactivations that were not paid in time. One that a contact started waits while
 * registry staff decide. Each is its own change.
 */
export async function completeReactivations(
  db: Database,
  { now, profile, modules }: { now: Date; profile: Profile; modules: readonly Module[] },
): Promise<void> {
  const today = dayIn(profile.timeZone, now);
  const rows = await db.read.rows<{ accountName: string; reactivationId: number; payBy: string; paid: boolean }>(sql`
    select r.account_name, r.reactivation_id, r.pay_by::text, ${isWhollyPaid} as paid from reactivation r where r.completed_at is null and r.ended_at is null order by r.reactivation_id`);
  await eachAlone(
    rows,
    ({ accountName }) => accountName,
    async ({ accountName, reactivationId, payBy, paid }) => {
      if (paid && (await waitsForStaff(db.read, accountName, { today, profile, modules }))) return;
      if (paid)
        await db.change(ownActivity('billing.reactivations.completeReactivation', 'Reactivated the account', accountName), change =>
          complete(change, { accountName, reactivationId }, { today, profile, modules }),
        );
      else if (today > payBy)
        await db.change(
          ownActivity('billing.reactivations.expireReactivation', 'Ended a reactivation: unpaid', accountName),
          async change => {
            const { orgName } = await lockAccount(change, accountName);
            // Also where its money came since the list was read: it opens with the next round.
            const [unpaid] = await change.rows(sql`select from reactivation r
              where r.reactivation_id = ${reactivationId} and r.completed_at is null and r.ended_at is null and not ${isWhollyPaid}`);
            if (!unpaid || (await isFeeComing(change, referenceOf(reactivationId), { today, profile }))) return;
            await end(change, { reactivationId }, { reason: `Not paid by ${dayInFull(payBy)}`, by: null }, { today, profile });
            await notifyAllContacts(change, {
              topic: 'billing.reminders',
              accountName,
              text: billingTexts.written('staysClosed', { accountName, orgName, payBy: dayInFull(payBy) }),
            });
          },
        );
    },
  );
}

type Deciding = Pick<Registry, 'today' | 'profile' | 'modules'>;

const waitsForStaff = async (read: Read, accountName: string, registry: Deciding): Promise<boolean> =>
  typeof (await reactivationOf(read, accountName, registry))?.staffOnly === 'string';

/** The last day of the last term that an account has paid; null if it has paid none here. */
async function paidUntil(read: Read, accountName: string): Promise<string | null> {
  const [row] = await read.rows<{ term: string | null }>(sql`
    select max(period_to)::text as term from invoice i where i.account_name = ${accountName} and i.kind in ('renewal', 'sign-up') and i.state = 'paid'`);
  return row!.term;
}

async function complete(
  change: Change,
  { accountName, reactivationId }: { accountName: string; reactivationId: number },
  registry: Deciding,
): Promise<void> {
  const { orgName, accountStatus, expiryDate } = await lockAccount(change, accountName);
  const owed = await owedBy(change, accountName);
  if ((await openReactivation(change, accountName))?.reactivationId !== reactivationId || owed > 0n) return;
  if (await waitsForStaff(change, accountName, registry)) return;
  const lastDay = (await paidUntil(change, accountName)) ?? expiryDate ?? utcDay(change.now);
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
    text: billingTexts.written('openAgain', { accountName, orgName, lastDay: dayInFull(lastDay) }),
  });
}
