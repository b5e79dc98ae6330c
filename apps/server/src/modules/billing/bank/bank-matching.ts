import { invoiceLife } from '@portal/contract/billing/life';
import { canMove } from '@portal/contract/life';
import type { BankLine, BankMatch } from '@portal/contract/billing/bank-statements';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { cents } from '../money.ts';
import { invoicesOfJoint, jointNumbersIn } from '../payments/joint-payments.ts';

type Transfer = Pick<BankLine, 'bankLineId' | 'amount' | 'currency' | 'payer' | 'remittance'>;
type Suggestion = BankLine['suggestions'][number];
type Candidate = { number: string; accountName: string; orgName: string; currency: string; balance: string; state: string };

/** Maximum number of invoices suggested for a transfer. */
const MAX = 5;

/** Invoice numbers in a payer's message, with any spacing: `INV2026-000001` is one, `inv 2026 1` is not. */
export function invoiceNumbersIn(text: string): string[] {
  const found = text.toUpperCase().matchAll(/INV[\s\-_./]*(\d{4})[\s\-_./]*(\d{6})(?!\d)/g);
  return [...new Set([...found].map(([, year, sequence]) => `INV-${year}-${sequence}`))];
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
/** Words that many organisations have in their names. */
const common = new Set(
  'pty ltd limited inc llc the and company corporation group holdings services network networks telecom internet'.split(' '),
);

/** Returns whether a payer's name may belong to an organisation: they share an uncommon word. */
export function namesMatch(payer: string, orgName: string): boolean {
  const of = new Set(words(orgName).filter(word => !common.has(word)));
  return words(payer).some(word => of.has(word));
}

const order: readonly BankMatch[] = ['exact', 'payer', 'less', 'more', 'account', 'amount', 'paid'];

/** Returns the invoices that each transfer may pay, the likeliest first, with one query for all transfers. */
export async function suggestionsFor(read: Pick<Read, 'rows'>, lines: readonly Transfer[]): Promise<Map<string, Suggestion[]>> {
  const numbers = [...new Set(lines.flatMap(({ remittance }) => invoiceNumbersIn(remittance)))];
  const accounts = [...new Set(lines.flatMap(({ remittance }) => remittance.toUpperCase().match(/[A-Z0-9][A-Z0-9-]{1,39}/g) ?? []))];
  const amounts = [...new Set(lines.map(({ amount }) => amount))];
  const candidates =
    lines.length === 0
      ? []
      : await read.rows<Candidate>(sql`
    select i.number, i.account_name, i.org_name, i.currency, i.state, (i.total - i.paid - i.credited - i.written_off)::numeric(14, 2)::text as balance
    from invoice i where i.number = any(${numbers}::text[]) or (i.state in ('issued', 'partly-paid')
      and (i.account_name = any(${accounts}::text[]) or (i.total - i.paid - i.credited - i.written_off) = any(${amounts}::numeric[])))
    order by i.due_on, i.invoice_id limit 2000`);
  return new Map(lines.map(line => [line.bankLineId, suggest(line, candidates)]));
}

/** Returns, for each transfer that quotes a joint payment, how much of each invoice it would pay. */
export async function jointFor(read: Pick<Read, 'rows'>, lines: readonly Transfer[]): Promise<Map<string, BankLine['joint']>> {
  const quoted = new Map(lines.map(line => [line.bankLineId, jointNumbersIn(line.remittance)]));
  const invoices = await invoicesOfJoint(read, [...new Set([...quoted.values()].flat())]);
  return new Map(
    lines.map(({ bankLineId, currency, amount }) => {
      const [number] = quoted.get(bankLineId)!.filter(each => invoices.has(each));
      if (number === undefined) return [bankLineId, null];
      const all = invoices.get(number)!.filter(each => each.currency === currency);
      const due = all.reduce((sum, { balance }) => sum + cents(balance), 0n);
      const invoicesOf = all.map(({ invoiceNumber, accountName, balance }) => ({ invoiceNumber, accountName, balance }));
      return [bankLineId, { number, invoices: invoicesOf, exact: due === cents(amount) }];
    }),
  );
}

function suggest({ amount, currency, payer, remittance }: Transfer, candidates: readonly Candidate[]): Suggestion[] {
  const quoted = new Set(invoiceNumbersIn(remittance));
  const tokens = new Set(remittance.toUpperCase().match(/[A-Z0-9][A-Z0-9-]{1,39}/g) ?? []);
  const matchOf = ({ number, accountName, orgName, balance, state }: Candidate): BankMatch | null => {
    const isOpen = canMove(invoiceLife.pay, state);
    const [came, due] = [cents(amount), cents(balance)];
    if (quoted.has(number)) {
      if (state === 'paid') return 'paid';
      if (!isOpen) return null;
      return came === due ? 'exact' : came < due ? 'less' : 'more';
    }
    if (!isOpen) return null;
    if (came === due && namesMatch(payer, orgName)) return 'payer';
    if (tokens.has(accountName)) return 'account';
    return came === due ? 'amount' : null;
  };
  return candidates
    .flatMap(candidate => {
      const match = candidate.currency === currency ? matchOf(candidate) : null;
      const { number: invoiceNumber, accountName, orgName, balance } = candidate;
      return match === null ? [] : [{ invoiceNumber, accountName, orgName, balance, match }];
    })
    .sort((a, b) => order.indexOf(a.match) - order.indexOf(b.match))
    .slice(0, MAX);
}
