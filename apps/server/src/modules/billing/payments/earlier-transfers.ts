import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';

/** Days between a transfer as staff recorded it and as the bank lists it, or between two of its lists. */
export const APART_DAYS = 3;

/** A transfer that is about to be recorded for an invoice. */
export type Arriving = {
  /** The name that the payment gets. */
  reference: string;
  invoiceId: number;
  amount: string;
  receivedOn: string;
  /** The line of a bank statement that it is, with the bank's own name for it, which may be empty; null for one that is recorded by hand. */
  line: { bankLineId: string; reference: string; bookedOn: string } | null;
};

/** A payment that may be of the same transfer; `isSame`: it has the same reference. */
type Earlier = { paymentId: number; number: string; who: string; reference: string; isSame: boolean };

/**
 * Returns the payment that most looks like a transfer: one with its reference, or with the same amount for the same invoice in the same days, where one of the two is a line
 * that the bank gave no name. Two lines of one statement are two transfers, whatever the payer wrote. What was reversed is none.
 */
async function earlierLike(change: Change, { reference, invoiceId, amount, receivedOn, line }: Arriving): Promise<Earlier | undefined> {
  const names = [...new Set([reference, line?.reference ?? ''])].filter(name => name !== '');
  const lineId = line?.bankLineId ?? null;
  const [earlier] = await change.rows<Earlier>(sql`
    with arriving as (select (select bank_statement_id from bank_line where bank_line_id = ${lineId}::bigint) as statement,
        array(select transfer_skeleton(name) from unnest(${names}::text[]) name) as skeletons),
      alike as (
        select payment_id from payment where method = 'bank transfer' and transfer_skeleton(reference) = any((select skeletons from arriving)::text[])
        union
        select p.payment_id from bank_line b join payment p using (bank_line_id)
          where b.reference <> '' and transfer_skeleton(b.reference) = any((select skeletons from arriving)::text[])
        union
        select p.payment_id from arriving cross join payment p left join bank_line b using (bank_line_id)
          where p.method = 'bank transfer' and p.invoice_id = ${invoiceId} and p.amount = ${amount}::numeric
            and (${line !== null && line.reference === ''}::boolean or b.reference = '')
            and abs(coalesce(b.booked_on, p.received_on) - ${line?.bookedOn ?? receivedOn}::date) <= ${APART_DAYS}::integer
            and b.bank_statement_id is distinct from arriving.statement)
    select p.payment_id, i.number, l.full_name as who, coalesce(nullif(b.reference, ''), p.reference) as reference,
      transfer_key(p.reference) = transfer_key(${reference}) as is_same
    from alike join payment p using (payment_id) join invoice i using (invoice_id) join login l on l.login_id = p.recorded_by
      left join bank_line b using (bank_line_id) left join payment_reversal r using (payment_id)
    where r.payment_id is null and (${lineId}::bigint is null or p.bank_line_id is distinct from ${lineId}::bigint)
    order by is_same desc, p.payment_id limit 1`);
  return earlier;
}

/**
 * Asks about a transfer that looks like a recorded one, ignoring spaces, dashes, case and look-alike letters in its reference: payers write the same words twice, and a
 * transfer is in the bank's list after it was recorded by hand. Returns whether the caller confirmed that this is another one.
 * @throws Failure PAYMENT_ALIKE
 */
export async function askIfRecorded(change: Change, arriving: Arriving, { isAnother }: { isAnother: boolean }): Promise<boolean> {
  // Two people who record the same transfer for different invoices wait for each other.
  const name = arriving.line?.reference || arriving.reference;
  await sql`select pg_advisory_xact_lock(hashtextextended('payment ' || transfer_skeleton(${name}), 0))`.execute(change);
  const earlier = await earlierLike(change, arriving);
  if (!earlier) return false;
  const { number, who, reference } = earlier;
  if (!isAnother) throw refuse('PAYMENT_ALIKE', { reference, number, who }).at('reference');
  return true;
}

/** Returns the latest payment with a reference, which another one with it repeats; null for the first. A concurrent one can't repeat it too. */
export async function repeatedBy(change: Change, reference: string): Promise<number | null> {
  const [latest] = await change.rows<{ paymentId: number | null }>(sql`
    select max(payment_id) as payment_id from payment
    where method = 'bank transfer' and transfer_skeleton(reference) = transfer_skeleton(${reference}) and transfer_key(reference) = transfer_key(${reference})`);
  return latest?.paymentId ?? null;
}
