import { isPayable } from '../payable.ts';
import { invoiceLife } from '@portal/contract/billing/life';
import { canMove } from '@portal/contract/life';
import type { BankLine, BankMatch } from '@portal/contract/billing/bank-statements';
import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import type { Read } from '../../../platform/database/index.ts';
import { isNameOf, namesMatch, type ReadName, readName } from '../invoices/payer-names.ts';
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

const order: readonly BankMatch[] = ['exact', 'unclear', 'mistyped', 'payer', 'less', 'more', 'account', 'amount', 'paid', 'cancelled'];

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
  const indexed = await indexCandidates(candidates);
  const suggestions = new Map<string, Suggestion[]>();
  for (const line of lines) suggestions.set(line.bankLineId, await suggest(line, indexed, paidBefore.get(line.payer) ?? new Set()));
  return suggestions;
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

/** Invoices by what transfers name them with: their places in the list, in its order. */
export type Candidates = {
  list: readonly (Candidate & { name: ReadName })[];
  byAmount: ReadonlyMap<string, readonly number[]>;
  byNumber: ReadonlyMap<string, readonly number[]>;
  byAccount: ReadonlyMap<string, readonly number[]>;
};

const amountOf = (currency: string, amount: string): string => `${currency} ${amount}`;

/** Reads the names of many invoices and sorts them by what transfers name them with, once for all transfers of a page, while others have their turn. */
export async function indexCandidates(candidates: readonly Candidate[]): Promise<Candidates> {
  const [byAmount, byNumber, byAccount] = [new Map<string, number[]>(), new Map<string, number[]>(), new Map<string, number[]>()];
  const breathe = breathing();
  const list: (Candidate & { name: ReadName })[] = [];
  const put = (map: Map<string, number[]>, key: string, place: number): void => {
    const places = map.get(key);
    if (places) places.push(place);
    else map.set(key, [place]);
  };
  for (const [place, candidate] of candidates.entries()) {
    list.push({ ...candidate, name: readName(candidate.orgName) });
    put(byAmount, amountOf(candidate.currency, candidate.balance), place);
    put(byNumber, candidate.number, place);
    put(byAccount, candidate.accountName, place);
    await breathe();
  }
  return { list, byAmount, byNumber, byAccount };
}

/** Merges two lists of places, each in order, that have none in common. */
function merged(one: readonly number[], other: readonly number[]): readonly number[] {
  if (other.length === 0) return one;
  const places: number[] = [];
  let next = 0;
  for (const place of one) {
    while (next < other.length && other[next]! < place) places.push(other[next++]!);
    places.push(place);
  }
  return [...places, ...other.slice(next)];
}

/** Invoices compared before others may have their turn: less than a millisecond's. */
const STRETCH = 64;

/**
 * Returns the invoices that a transfer may pay, the likeliest first. `exact` is only what is certain: recorded with others without a look at each.
 * Ten thousand members owe the same fee in the weeks of renewals: all invoices of an amount are looked at, and others have their turn meanwhile.
 * @param paidBefore names of the accounts for which transfers of this payer were recorded before
 */
export async function suggest(
  { amount, currency, payer, remittance }: Transfer,
  { list, byAmount, byNumber, byAccount }: Candidates,
  paidBefore: ReadonlySet<string>,
): Promise<Suggestion[]> {
  type Named = Candidates['list'][number];
  const quoted = quotedIn(remittance, 'INV');
  const accounts = new Set(accountNamesIn(remittance));
  const payerName = readName(payer);
  const breathe = breathing();
  const isOpen = ({ state }: Candidate): boolean => canMove(invoiceLife.pay, state);
  const isPayer = ({ accountName, name }: Named): boolean => paidBefore.has(accountName) || isNameOf(payerName, name);
  const isDue = ({ balance }: Candidate): boolean => balance === amount;
  const numbers = new Set(allOf(quoted));
  const placesOf = (map: ReadonlyMap<string, readonly number[]>, keys: ReadonlySet<string>): number[] =>
    [...keys].flatMap(key => map.get(key) ?? []);
  const named = [...new Set([...placesOf(byNumber, numbers), ...placesOf(byAccount, accounts)])]
    .filter(place => list[place]!.currency === currency && !isDue(list[place]!))
    .sort((a, b) => a - b);
  const due = byAmount.get(amountOf(currency, amount)) ?? [];
  const possible = merged(due, named);
  /** Whether nothing else that this payer owes has this amount. */
  const isOnlyOne = async (candidate: Candidate): Promise<boolean> => {
    for (const [at, place] of due.entries()) {
      const other = list[place]!;
      if (other !== candidate && isOpen(other) && isPayer(other)) return false;
      if (at % STRETCH === 0) await breathe();
    }
    return true;
  };
  /** The number is right beyond doubt: by its check digits, or because nothing else that this payer owes has this amount. */
  const isCertain = async (candidate: Named): Promise<boolean> => {
    if (numbers.size > 1) return false;
    if (quoted.checked.has(candidate.number)) return payer === '' || isPayer(candidate);
    return isPayer(candidate) && isOnlyOne(candidate);
  };
  const matchByNumber = async (candidate: Named): Promise<BankMatch | null> => {
    const { number, balance, state } = candidate;
    if (quoted.mistyped.has(number)) return isOpen(candidate) ? 'mistyped' : null;
    if (state === 'paid' || state === 'cancelled') return state;
    if (!isOpen(candidate)) return null;
    if (!isDue(candidate)) return cents(amount) < cents(balance) ? 'less' : 'more';
    return (await isCertain(candidate)) ? 'exact' : 'unclear';
  };
  const matchWithoutNumber = (candidate: Named): BankMatch | null => {
    const { accountName, name } = candidate;
    if (!isOpen(candidate)) return null;
    if (isDue(candidate) && namesMatch(payerName, name)) return 'payer';
    if (accounts.has(accountName)) return 'account';
    return isDue(candidate) ? 'amount' : null;
  };
  // No more of a kind can be among the first.
  const found = new Map<BankMatch, Suggestion[]>(order.map(match => [match, []]));
  for (const [at, place] of possible.entries()) {
    const candidate = list[place]!;
    const match = numbers.has(candidate.number) ? await matchByNumber(candidate) : matchWithoutNumber(candidate);
    const { number: invoiceNumber, accountName, orgName, balance } = candidate;
    const some = match === null ? undefined : found.get(match);
    if (some && some.length < MAX) some.push({ invoiceNumber, accountName, orgName, balance, match: match! });
    if (at % STRETCH === 0) await breathe();
  }
  return [...found.values()].flat().slice(0, MAX);
}
