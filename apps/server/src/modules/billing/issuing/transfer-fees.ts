import { invoiceLife } from '@portal/contract/billing/life';
import { canMove } from '@portal/contract/life';
import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import type { Registry } from '../../../platform/registry.ts';
import { composeFee } from '../invoices/invoice-content.ts';
import { lockInvoice } from '../invoices/invoices.ts';
import { issueInvoice } from './issuing.ts';
import { cents, inCurrency } from '../money.ts';
import { creditInvoice } from './credit-notes.ts';
import type { ScheduleContext } from '../membership/step.ts';

/** A fee that must be paid before a transfer, merger or reactivation. `amount` is a decimal before tax. */
export type TransferCharge = { accountName: string; reference: string; description: string; amount: string; days: number };
type Kind = 'transfer' | 'reactivation';

/** Charges a fee in this change; its invoice is issued within a minute. */
export async function chargeTransferFee(change: Change, charge: TransferCharge, kind: Kind = 'transfer'): Promise<void> {
  await change
    .insertInto('transferFee')
    .values({ ...charge, kind, chargedAt: change.now })
    .execute();
}

/** The invoice of a charged fee; null while it is being made. */
export type FeeInvoice = { number: string; total: string; dueOn: string; paidOn: string | null };

/** Returns the invoice of the fee of a case. */
export async function feeInvoiceOf(read: Pick<Read, 'rows'>, reference: string): Promise<FeeInvoice | null> {
  const [row] =
    await read.rows<FeeInvoice>(sql`select i.number, i.total::text, i.due_on, i.paid_on from transfer_fee f join invoice i using (invoice_id)
    where f.reference = ${reference} and i.state <> 'cancelled'`);
  return row ?? null;
}

/** Returns which of the given cases have paid their fee. */
export async function paidFees(read: Pick<Read, 'rows'>, references: readonly string[]): Promise<Set<string>> {
  const rows = await read.rows<{ reference: string }>(sql`select f.reference from transfer_fee f join invoice i using (invoice_id)
    where f.reference = any(${[...references]}::text[]) and i.state = 'paid'`);
  return new Set(rows.map(({ reference }) => reference));
}

/**
 * Ends the fee of a case that ended without a transfer: a credit note takes back everything that is left of its invoice. Payments become credit of the account.
 * @param why words of the note and the mail, from the reference of the case
 */
export async function cancelTransferFee(
  change: Change,
  reference: string,
  registry: Pick<Registry, 'today' | 'profile'>,
  why = (number: string) => `${number} ended without a transfer`,
): Promise<void> {
  const [fee] = await change.rows<{ invoiceId: string | null }>(sql`update transfer_fee set cancelled_at = ${change.now}
    where reference = ${reference} and cancelled_at is null returning invoice_id::text`);
  if (!fee?.invoiceId) return;
  // A statement of its own: the one above may have waited for the issue of this invoice, and doesn't see it.
  const [issued] = await change.rows<{ number: string }>(sql`select number from invoice where invoice_id = ${fee.invoiceId}::bigint`);
  const invoice = await lockInvoice(change, issued!.number);
  if (!canMove(invoiceLife.endFee, invoice.state)) return;
  const credits = cents(invoice.total) - cents(invoice.credited);
  await creditInvoice(change, { invoice, credits, reason: why(reference), issuedBy: null }, registry);
}

type Pending = TransferCharge & { transferFeeId: string; kind: Kind };

/** Issues the invoices of charged fees, each in its own change. */
export async function issueTransferFees(db: Database, context: ScheduleContext): Promise<void> {
  const pending =
    await db.read.rows<Pending>(sql`select transfer_fee_id::text, account_name, reference, description, amount::text, days, kind
    from transfer_fee where invoice_id is null and cancelled_at is null order by transfer_fee_id`);
  await eachAlone(
    pending,
    ({ reference, accountName }) => `${reference} of ${accountName}`,
    fee => issue(db, fee, context),
  );
}

const acts = {
  transfer: (accountName: string) => ownActivity('billing.issueTransferFee', 'Issued the invoice of a transfer fee', accountName),
  reactivation: (accountName: string) =>
    ownActivity('billing.reactivations.issueReactivationFee', 'Issued the invoice of a reactivation', accountName),
};

async function issue(db: Database, { transferFeeId, ...fee }: Pending, context: ScheduleContext): Promise<void> {
  const issuedOn = dayIn(context.profile.timeZone, context.now);
  await issueInvoice(
    db,
    {
      activity: acts[fee.kind](fee.accountName),
      compose: async change => {
        const [open] = await change.rows(sql`select 1 from transfer_fee
          where transfer_fee_id = ${transferFeeId} and invoice_id is null and cancelled_at is null for update`);
        return open ? composeFee(change, { ...fee, issuedOn }, context.profile) : null;
      },
      record: async (change, invoiceId) => {
        await change.rows(sql`update transfer_fee set invoice_id = ${invoiceId} where transfer_fee_id = ${transferFeeId}`);
        await change.note({ request: fee.reference });
      },
      purpose: ({ currency, total }) =>
        fee.kind === 'transfer'
          ? `${fee.description}: ${inCurrency(currency, cents(total))}. ${fee.reference} completes when it’s paid.`
          : `${fee.description}: ${inCurrency(currency, cents(total))}. The account opens again when this and everything else it owes is paid.`,
    },
    context,
  );
}
