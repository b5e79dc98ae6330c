import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { isNameOf, readName } from '../invoices/payer-names.ts';
import { quotedIn } from '../invoices/payment-references.ts';

type Line = {
  bankLineId: string;
  bookedOn: string;
  currency: string;
  amount: string;
  payer: string;
  remittance: string;
  importedOn: string;
};
/** A transfer that keeps an account open, and the last day on which it does. */
export type WaitingTransfer = Pick<Line, 'bankLineId' | 'bookedOn' | 'currency' | 'amount' | 'payer'> & { until: string };
type Unpaid = { number: string; accountName: string; orgName: string; currency: string; balance: string; joint: string[] };

/**
 * Returns which of these invoices a transfer may pay that is on the bank's account and not matched yet: it names the invoice, a payment that has it, or the account, or it
 * is the amount from a payer of that name. Its account is neither suspended nor closed until a person has recorded the transfer or set it aside, or `waitingTransferDays` of the
 * profile have gone by since it was imported. Of several the one that waits longest is returned.
 */
export async function waitingTransfers(
  read: Pick<Read, 'rows'>,
  numbers: readonly string[],
  { today, profile: { timeZone, waitingTransferDays } }: { today: string; profile: Pick<Profile, 'timeZone' | 'waitingTransferDays'> },
): Promise<ReadonlyMap<string, WaitingTransfer>> {
  if (numbers.length === 0) return new Map();
  const lines = await read.rows<Line>(sql`select b.bank_line_id::text, b.booked_on::text, b.currency, b.amount::text, b.payer, b.remittance,
      (s.imported_at at time zone ${timeZone})::date::text as imported_on
    from bank_line b join bank_statement s using (bank_statement_id)
    where b.state = 'open' and (s.imported_at at time zone ${timeZone})::date >= ${daysAfter(today, -waitingTransferDays)}::date
    order by s.imported_at, b.bank_line_id`);
  if (lines.length === 0) return new Map();
  const unpaid = await read.rows<Unpaid>(sql`
    select i.number, i.account_name, i.org_name, i.currency, (i.total - i.paid - i.credited - i.written_off)::numeric(14, 2)::text as balance,
      array(select p.number from joint_payment_invoice j join joint_payment p using (joint_payment_id) where j.invoice_id = i.invoice_id) as joint
    from invoice i where i.number = any(${numbers}::text[])`);
  // The last one of equal words was imported last.
  const named = new Map<string, Line>();
  const paidBy = new Map<string, Map<string, Line>>();
  const breathe = breathing();
  for (const line of lines) {
    const { currency, amount, payer, remittance } = line;
    for (const kind of ['INV', 'PAY'] as const)
      for (const some of Object.values(quotedIn(remittance, kind))) for (const number of some) named.set(`${currency} ${number}`, line);
    for (const name of remittance.toUpperCase().match(/[A-Z0-9][A-Z0-9-]{1,39}/g) ?? []) named.set(`${currency} account ${name}`, line);
    if (payer !== '')
      paidBy.set(`${currency} ${amount}`, (paidBy.get(`${currency} ${amount}`) ?? new Map<string, Line>()).set(payer, line));
    await breathe();
  }
  const waiting = new Map<string, WaitingTransfer>();
  for (const { number, accountName, orgName, currency, balance, joint } of unpaid) {
    const found = [number, ...joint, `account ${accountName}`].flatMap(name => named.get(`${currency} ${name}`) ?? []);
    const organisation = readName(orgName);
    for (const [payer, line] of paidBy.get(`${currency} ${balance}`) ?? []) {
      if (isNameOf(readName(payer), organisation)) found.push(line);
      await breathe();
    }
    const last = found.toSorted((a, b) => (a.importedOn < b.importedOn ? -1 : 1)).at(-1);
    if (!last) continue;
    const { bankLineId, bookedOn, amount, payer, importedOn } = last;
    waiting.set(number, { bankLineId, bookedOn, currency, amount, payer, until: daysAfter(importedOn, waitingTransferDays) });
  }
  return waiting;
}
