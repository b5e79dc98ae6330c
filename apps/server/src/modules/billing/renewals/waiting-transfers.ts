import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import type { Read } from '../../../platform/database/index.ts';
import { isNameOf, readName } from '../invoices/payer-names.ts';
import { quotedIn } from '../invoices/payment-references.ts';

type Line = { currency: string; amount: string; payer: string; remittance: string };
type Unpaid = { number: string; accountName: string; orgName: string; currency: string; balance: string; joint: string[] };

/**
 * Returns which of these invoices a transfer may pay that is on the bank's account and not matched yet: it names the invoice, a payment that has it, or the account, or it
 * is the amount from a payer of that name. Its account is neither suspended nor closed until a person has recorded the transfer or set it aside.
 */
export async function waitingTransfers(read: Pick<Read, 'rows'>, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const lines = await read.rows<Line>(sql`select currency, amount::text, payer, remittance from bank_line where state = 'open'`);
  if (lines.length === 0) return new Set();
  const unpaid = await read.rows<Unpaid>(sql`
    select i.number, i.account_name, i.org_name, i.currency, (i.total - i.paid - i.credited - i.written_off)::numeric(14, 2)::text as balance,
      array(select p.number from joint_payment_invoice j join joint_payment p using (joint_payment_id) where j.invoice_id = i.invoice_id) as joint
    from invoice i where i.number = any(${numbers}::text[])`);
  const named = new Set<string>();
  const paidBy = new Map<string, Set<string>>();
  const breathe = breathing();
  for (const { currency, amount, payer, remittance } of lines) {
    for (const kind of ['INV', 'PAY'] as const)
      for (const some of Object.values(quotedIn(remittance, kind))) for (const number of some) named.add(`${currency} ${number}`);
    for (const name of remittance.toUpperCase().match(/[A-Z0-9][A-Z0-9-]{1,39}/g) ?? []) named.add(`${currency} account ${name}`);
    if (payer !== '') paidBy.set(`${currency} ${amount}`, (paidBy.get(`${currency} ${amount}`) ?? new Set()).add(payer));
    await breathe();
  }
  const waiting = new Set<string>();
  for (const { number, accountName, orgName, currency, balance, joint } of unpaid) {
    let waits = [number, ...joint, `account ${accountName}`].some(name => named.has(`${currency} ${name}`));
    const organisation = readName(orgName);
    for (const payer of waits ? [] : (paidBy.get(`${currency} ${balance}`) ?? [])) {
      waits = isNameOf(readName(payer), organisation);
      if (waits) break;
      await breathe();
    }
    if (waits) waiting.add(number);
  }
  return waiting;
}
