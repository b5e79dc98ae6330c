import { type RawBuilder, sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS } from '../../platform/invariant.ts';
import { numberedDocuments } from './invoices/document-numbers.ts';

type Wrong = { number: string; why: string };

/** Invoices whose totals don't match their lines, payments and credit notes. */
const wrongInvoices = (accounts: readonly string[] | null): RawBuilder<Wrong> => sql<Wrong>`
  select number, why from (select i.number, case
      when i.total <> i.subtotal + i.tax then 'says ' || i.total || ' in all, and its parts come to ' || i.subtotal + i.tax
      when i.subtotal <> lines.amount then 'charges ' || i.subtotal || ', and its lines come to ' || lines.amount
      when i.paid <> paid.amount - rest.amount - back.amount then 'says that ' || i.paid || ' were paid, and its payments come to ' || paid.amount - rest.amount - back.amount
      when i.credited <> credited.amount then 'says that ' || i.credited || ' were credited, and its credit notes come to ' || credited.amount
      when i.state = 'paid' and i.paid + i.credited + i.written_off < i.total then 'is paid, and ' || i.total - i.paid - i.credited - i.written_off || ' are left'
      end as why
    from invoice i
    cross join lateral (select coalesce(sum(amount), 0) as amount from invoice_line l where l.invoice_id = i.invoice_id) lines
    cross join lateral (select coalesce(sum(amount), 0) as amount from payment p where p.invoice_id = i.invoice_id) paid
    cross join lateral (select coalesce(sum(c.amount), 0) as amount from account_credit c left join payment p using (payment_id)
      left join credit_note n using (credit_note_id) where (p.invoice_id = i.invoice_id and p.method <> 'credit') or n.invoice_id = i.invoice_id
        or c.cancelled_invoice_id = i.invoice_id) rest
    cross join lateral (select coalesce(sum(r.amount - r.from_credit), 0) as amount from payment_reversal r join payment p using (payment_id) where p.invoice_id = i.invoice_id) back
    cross join lateral (select coalesce(sum(total), 0) as amount from credit_note n where n.invoice_id = i.invoice_id) credited
    where ${isOf(sql`i.account_name`, accounts)}) found
  where why is not null order by number limit ${MAX_VIOLATIONS}`;

/** Years with a gap in their numbers. */
const gaps = sql<{ what: string; year: number; count: number; last: number }>`${numberedDocuments}
  select kind as what, year, count(*)::int as count, max(sequence) as last from numbered group by kind, year having count(*) <> max(sequence)`;

/** Bank transfers whose state doesn't match the payments that were recorded from them. */
const wrongTransfers = sql<{ line: string; why: string }>`
  select line, why from (select 'of ' || b.booked_on || ' over ' || b.currency || ' ' || b.amount as line, case
      when b.state = 'recorded' and paid.amount <> b.amount then 'is recorded, and its payments come to ' || paid.amount
      when b.state <> 'recorded' and paid.amount > 0 then 'is ' || b.state || ', and payments of ' || paid.amount || ' were recorded from it'
      end as why
    from bank_line b cross join lateral (select coalesce(sum(p.amount), 0) as amount from payment p left join payment_reversal r using (payment_id)
      where p.bank_line_id = b.bank_line_id and coalesce(r.kind, '') not in ('wrong-invoice', 'unmatched')) paid) found
  where why is not null order by line limit ${MAX_VIOLATIONS}`;

/** Payments with the reference of an earlier one that stands, which one person recorded. */
const wrongRepeats = (accounts: readonly string[] | null): RawBuilder<{ reference: string; number: string }> => sql<{
  reference: string;
  number: string;
}>`
  select p.reference, i.number from payment p join payment e on e.payment_id = p.repeats join invoice i on i.invoice_id = p.invoice_id
    left join limited_act l on l.limited_act_id = p.limited_act_id
  where l.second_person is null and not exists (select from payment_reversal r where r.payment_id = e.payment_id) and ${isOf(sql`p.account_name`, accounts)}
  order by p.payment_id limit ${MAX_VIOLATIONS}`;

/**
 * Open accounts whose term ends with that of an invoice that was written off, or cancelled before it was paid, and which no paid invoice reaches.
 */
const unpaidTerms = (accounts: readonly string[] | null): RawBuilder<{ accountName: string; number: string; until: string }> => sql<{
  accountName: string;
  number: string;
  until: string;
}>`
  select a.account_name, i.number, a.expiry_date::text as until from account a join invoice i on i.account_name = a.account_name and i.period_to = a.expiry_date
  where a.account_status = 'open' and i.kind in ('renewal', 'sign-up') and ${isOf(sql`a.account_name`, accounts)}
    and (i.state = 'written-off' or (i.state = 'cancelled' and i.credited > 0
      and (select coalesce(sum(p.amount), 0) from payment p left join payment_reversal r using (payment_id) where p.invoice_id = i.invoice_id and r.number is null)
        + i.credited - (select n.total from credit_note n where n.invoice_id = i.invoice_id order by n.credit_note_id desc limit 1) < i.total))
    and not exists (select from invoice p where p.account_name = i.account_name and p.kind in ('renewal', 'sign-up') and p.state = 'paid' and p.period_to >= a.expiry_date)
  order by a.account_name limit ${MAX_VIOLATIONS}`;

/** Cancelled invoices of which credit notes take back less than everything. Fees that ended before these had notes are known. */
const uncredited = (accounts: readonly string[] | null): RawBuilder<{ number: string; left: string }> => sql<{
  number: string;
  left: string;
}>`
  select i.number, (i.total - noted.total)::text as left from invoice i
    cross join lateral (select coalesce(sum(n.total), 0) as total from credit_note n where n.invoice_id = i.invoice_id) noted
  where i.state = 'cancelled' and noted.total < i.total and not i.cancelled_without_note and ${isOf(sql`i.account_name`, accounts)}
  order by i.number limit ${MAX_VIOLATIONS}`;

/** Fees of cases that ended, whose invoices still ask for money. */
const unendedFees = (accounts: readonly string[] | null): RawBuilder<{ reference: string; number: string }> => sql<{
  reference: string;
  number: string;
}>`
  select f.reference, i.number from transfer_fee f join invoice i using (invoice_id)
  where f.cancelled_at is not null and i.state in ('issued', 'partly-paid') and ${isOf(sql`i.account_name`, accounts)}
  order by i.number limit ${MAX_VIOLATIONS}`;

/** Invariants of the books. */
export const billingInvariants: readonly Invariant[] = [
  {
    name: 'billing.books',
    sentence:
      'The books balance: each invoice is the sum of its lines, and what was paid and credited is what payments and credit notes say',
    check: async ({ read, accounts }) =>
      (await read.rows(wrongInvoices(accounts))).map(({ number, why }) => ({
        object: `The invoice ${number}`,
        problem: why,
        remedy: 'Compare it with the statement of its account, and correct it by a credit note or a payment',
      })),
  },
  {
    name: 'billing.credit',
    sentence: 'No account has used more credit than it has',
    check: async ({ read, accounts }) =>
      (
        await read.rows<{ accountName: string; credit: string }>(sql`select account_name, sum(amount)::text as credit from account_credit
          where ${isOf(sql`account_name`, accounts)} group by account_name having sum(amount) < 0 order by 1 limit ${MAX_VIOLATIONS}`)
      ).map(({ accountName, credit }) => ({
        object: `The credit of ${accountName}`,
        problem: `is ${credit}`,
        remedy: 'Look at its statement for what used it twice',
      })),
  },
  {
    name: 'billing.transfers',
    sentence: 'A bank transfer is recorded exactly when payments come to its amount, less those that were undone or moved',
    check: async ({ read }) =>
      (await read.rows(wrongTransfers)).map(({ line, why }) => ({
        object: `The bank transfer ${line}`,
        problem: why,
        remedy: 'Compare it with the bank statement, and correct the invoices by credit notes or payments',
      })),
  },
  {
    name: 'billing.repeats',
    sentence: 'Two people found a payment with the reference of an earlier one to be another transfer, unless the earlier one was reversed',
    check: async ({ read, accounts }) =>
      (await read.rows(wrongRepeats(accounts))).map(({ reference, number }) => ({
        object: `The payment ${reference} of ${number}`,
        problem: 'has the reference of an earlier one, and one person recorded it',
        remedy: 'Compare both with the bank statement, and reverse the one that isn’t there',
      })),
  },
  {
    name: 'billing.terms',
    sentence: 'No account is open for a term whose invoice was written off, or cancelled before it was paid',
    check: async ({ read, accounts }) =>
      (await read.rows(unpaidTerms(accounts))).map(({ accountName, number, until }) => ({
        object: `The term of ${accountName}`,
        problem: `ends on ${until}, and ${number}, which was to pay for it, never was`,
        remedy: 'Find in the activity log what opened it, and bill the term again',
      })),
  },
  {
    name: 'billing.cancelled',
    sentence: 'Each invoice that ended without being paid or written off was taken back by credit notes, fees of cases that ended too',
    check: async ({ read, accounts }) =>
      (await read.rows(uncredited(accounts))).map(({ number, left }) => ({
        object: `The invoice ${number}`,
        problem: `is cancelled, and no credit note takes back ${left} of it`,
        remedy: 'Find in the activity log what cancelled it: the account still has an invoice that no document takes back',
      })),
  },
  {
    name: 'billing.endedFees',
    sentence: 'No invoice asks for the fee of a case that ended',
    check: async ({ read, accounts }) =>
      (await read.rows(unendedFees(accounts))).map(({ reference, number }) => ({
        object: `The invoice ${number}`,
        problem: `asks for the fee of ${reference}, which ended`,
        remedy: 'Take it back by a credit note',
      })),
  },
  {
    name: 'billing.numbers',
    sentence: 'Invoices, credit notes and reversals of a year are numbered without gaps',
    check: async ({ read }) =>
      (await read.rows(gaps)).map(({ what, year, count, last }) => ({
        object: `${what} of ${year}`,
        problem: `are ${count}, and the last has the number ${last}`,
        remedy: 'Find the missing ones in the activity log: none is ever deleted',
      })),
  },
];
