import { isPayable } from '../payable.ts';
import { invoiceLife } from '@portal/contract/billing/life';
import { canMove } from '@portal/contract/life';
import type { BankLine, BankMatch } from '@portal/contract/billing/bank-statements';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { isNameOf, namesMatch } from '../invoices/payer-names.ts';
import { numbersIn, type Quoted, quotedIn } from '../invoices/payment-references.ts';
import { cents } from '../money.ts';
import { invoicesOfJoint } from '../payments/joint-payments.ts';

export type Transfer = Pick<BankLine, 'bankLineId' | 'amount' | 'currency' | 'payer' | 'remittance'>;
type Suggestion = BankLine['suggestions'][number];
export type Candidate = { number: string; accountName: string; orgName: string; currency: string; balance: string; state: string };

/** Maximum number of invoices suggested for a transfer. */
const MAX = 5;
/** Maximum number of invoices that are compared with the transfers of a page: more than are open anywhere. */
const MAX_CANDIDATES = 20_000;

const accountNamesIn = (remittance: string): string[] => remittance.toUpperCase().match(/[A-Z0-9][A-Z0-9-]{1,39}/g) ?? [];
const allOf = ({ checked, plain, mistyped }: Quoted): string[] => [...checked, ...plain, ...mistyped];

const order: readonly BankMatch[] = ['exact', 'unclear', 'mistyped', 'payer', 'less', 'more', 'account', 'amount', 'paid'];

/** Returns the invoices that each transfer may pay, the likeliest first, with a query for all transfers. */
export async function suggestionsFor(read: Pick<Read, 'rows'>, lines: readonly Transfer[]): Promise<Map<string, Suggestion[]>> {
  if (lines.length === 0) return new Map();
  const numbers = [...new Set(lines.flatMap(({ remittance }) => allOf(quotedIn(remittance, 'INV'))))];
  const accounts = [...new Set(lines.flatMap(({ remittance }) => accountNamesIn(remittance)))];
  const amounts = [...new Set(lines.map(({ amount }) => amount))];
  const payers = [...new Set(lines.map(({ payer }) => payer).filter(payer => payer !== ''))];
  const [candidates, known] = await Promise.all([
    read.rows<Candidate>(sql`
      select i.number, i.account_name, i.org_name, i.currency, i.state, (i.total - i.paid - i.credited - i.written_off)::numeric(14, 2)::text as balance
      from invoice i where i.number = any(${numbers}::text[]) or (${isPayable}
        and (i.account_name = any(${accounts}::text[]) or (i.total - i.paid - i.credited - i.written_off) = any(${amounts}::numeric[])))
      order by i.number = any(${numbers}::text[]) desc, i.due_on, i.invoice_id limit ${MAX_CANDIDATES}`),
    read.rows<{ payer: string; accounts: string[] }>(sql`
      select b.payer, array_agg(distinct p.account_name) as accounts from bank_line b join payment p using (bank_line_id) left join payment_reversal r using (payment_id)
      where b.payer = any(${payers}::text[]) and r.payment_id is null group by b.payer`),
  ]);
  const paidBefore = new Map(known.map(({ payer, accounts: of }) => [payer, new Set(of)]));
  return new Map(lines.map(line => [line.bankLineId, suggest(line, candidates, paidBefore.get(line.payer) ?? new Set())]));
}

/** Returns, for each transfer that quotes a joint payment, how much of each invoice it would pay. */
export async function jointFor(read: Pick<Read, 'rows'>, lines: readonly Transfer[]): Promise<Map<string, BankLine['joint']>> {
  const quoted = new Map(lines.map(line => [line.bankLineId, numbersIn(line.remittance, 'PAY')]));
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

/**
 * Returns the invoices that a transfer may pay, the likeliest first. `exact` is only what is certain: recorded with others without a look at each.
 * @param paidBefore names of the accounts for which transfers of this payer were recorded before
 */
export function suggest(
  { amount, currency, payer, remittance }: Transfer,
  candidates: readonly Candidate[],
  paidBefore: ReadonlySet<string>,
): Suggestion[] {
  const quoted = quotedIn(remittance, 'INV');
  const accounts = new Set(accountNamesIn(remittance));
  const isOpen = ({ state }: Candidate): boolean => canMove(invoiceLife.pay, state);
  const isPayer = ({ accountName, orgName }: Candidate): boolean => paidBefore.has(accountName) || isNameOf(payer, orgName);
  const isDue = ({ balance }: Candidate): boolean => balance === amount;
  const numbers = new Set(allOf(quoted));
  const possible = candidates.filter(
    candidate =>
      candidate.currency === currency && (isDue(candidate) || numbers.has(candidate.number) || accounts.has(candidate.accountName)),
  );
  /** The number is right beyond doubt: by its check digits, or because nothing else that this payer owes has this amount. */
  const isCertain = (candidate: Candidate): boolean => {
    if (numbers.size > 1) return false;
    if (quoted.checked.has(candidate.number)) return payer === '' || isPayer(candidate);
    return isPayer(candidate) && !possible.some(other => other !== candidate && isOpen(other) && isDue(other) && isPayer(other));
  };
  const matchOf = (candidate: Candidate): BankMatch | null => {
    const { number, accountName, orgName, balance, state } = candidate;
    if (quoted.mistyped.has(number)) return isOpen(candidate) ? 'mistyped' : null;
    if (quoted.checked.has(number) || quoted.plain.has(number)) {
      if (state === 'paid') return 'paid';
      if (!isOpen(candidate)) return null;
      if (!isDue(candidate)) return cents(amount) < cents(balance) ? 'less' : 'more';
      return isCertain(candidate) ? 'exact' : 'unclear';
    }
    if (!isOpen(candidate)) return null;
    if (isDue(candidate) && namesMatch(payer, orgName)) return 'payer';
    if (accounts.has(accountName)) return 'account';
    return isDue(candidate) ? 'amount' : null;
  };
  return possible
    .flatMap(candidate => {
      const match = matchOf(candidate);
      const { number: invoiceNumber, accountName, orgName, balance } = candidate;
      return match === null ? [] : [{ invoiceNumber, accountName, orgName, balance, match }];
    })
    .sort((a, b) => order.indexOf(a.match) - order.indexOf(b.match))
    .slice(0, MAX);
}
