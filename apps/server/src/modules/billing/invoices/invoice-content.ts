import type { InvoiceKind } from '@portal/contract/billing/billing';
import { daysAfter, lastDayOfYear } from '@portal/contract/days';
import { formatCount } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import type { Profile } from '../../../profile.ts';
import { creditOf } from './credit.ts';
import { isLeastDeveloped, type ScheduleOfDay, scheduleOn } from '../fees/fee-schedules.ts';
import { annualFee, type FeeKind, type FeeLine, type Holdings, sumOf } from '../fees/fees.ts';
import { dueDay } from '../membership/holidays.ts';
import { type Cents, cents, printCents, times } from '../money.ts';

/** The contents of an invoice, in its PDF and its row. Amounts are decimal text in `currency`; days are those of the registry's time zone. */
export type InvoiceContent = {
  number: string;
  year: number;
  sequence: number;
  kind: InvoiceKind;
  accountName: string;
  issuedOn: string;
  dueOn: string;
  periodFrom: string;
  periodTo: string;
  currency: string;
  orgName: string;
  economy: string | null;
  billingAddress: string[];
  attention: string;
  taxNumber: string;
  poNumber: string;
  /** Null for a fee that is not by a schedule. */
  feeScheduleId: string | null;
  ipv4: string;
  ipv6: string;
  asns: number;
  lines: { description: string; quantity: number; unitPrice: string; amount: string }[];
  subtotal: string;
  taxRate: string | null;
  tax: string;
  total: string;
  /** Credit of the account used by the invoice. */
  credit: string;
};

/** `billedFrom`: the day from which the days to pay are counted: the last one of the term, unless it is billed again later. */
type Renewal = { accountName: string; termEnd: string; issuedOn: string; holdings: Holdings; billedFrom?: string };

/** The term of a year that begins on a day, by staff or by the clock. */
const termFrom = (periodFrom: string): Pick<InvoiceContent, 'periodFrom' | 'periodTo'> => ({
  periodFrom,
  periodTo: lastDayOfYear(periodFrom),
});
const termAfter = (termEnd: string) => termFrom(daysAfter(termEnd, 1));

type Payer = Pick<InvoiceContent, 'orgName' | 'economy' | 'billingAddress' | 'attention' | 'taxNumber' | 'poNumber'> & {
  accountType: string;
  nir: boolean;
};

/** SQL: the postal address of organisation `o` in lines, which stands on its invoices where it has no billing address. */
const postalLines = sql<string[]>`o.postal_address || array_remove(array[trim(concat_ws(' ', nullif(o.city, ''), nullif(o.region, ''),
        nullif(o.postcode, '')))], '')`;

/** SQL: the next invoice of organisation `o` would carry no address; true where there is no such row. */
export const hasNoBillingAddress = sql<boolean>`coalesce(cardinality(o.billing_address) = 0 and cardinality(${postalLines}) = 0, true)`;

/** Returns the payer of an invoice as it is written on it. */
export async function payerNamed(read: Pick<Read, 'rows'>, accountName: string): Promise<Payer> {
  const [about] = await read.rows<{
    orgName: string;
    economy: string | null;
    accountType: string;
    nir: boolean;
    postal: string[] | null;
    billing: string[] | null;
    taxNumber: string | null;
    poNumber: string | null;
    attention: string | null;
  }>(sql`
    select a.org_name, a.economy, a.account_type, a.nir, ${postalLines} as postal, o.billing_address as billing, o.registration_number as tax_number, o.po_number,
      (select full_name from contact c where c.account_name = a.account_name and c.status = 'active'
        order by not 'billing' = any (contact_types), not 'corporate' = any (contact_types), created_at, contact_id limit 1) as attention
    from account a left join organisation o using (account_name) where a.account_name = ${accountName}`);
  const { postal, billing, attention, taxNumber, poNumber, ...rest } = about!;
  return {
    ...rest,
    billingAddress: (billing ?? []).length > 0 ? billing! : (postal ?? []),
    attention: attention ?? '',
    taxNumber: taxNumber ?? '',
    poNumber: poNumber ?? '',
  };
}

/**
 * The invoice of the next term of an account: issued on the day of the billing calendar, or earlier where the member asked, due so many days after the last one ended as the profile has, by the schedule of the day it begins and what
 * was counted on the last day. Without a `sequence` it gets the next number, which is this change's until it ends.
 */
export const composeRenewal = (
  change: Change,
  { termEnd, billedFrom = termEnd, ...renewal }: Renewal,
  profile: Profile,
  sequence?: number,
): Promise<InvoiceContent> =>
  composeTerm(change, { ...renewal, kind: 'renewal', dueFrom: billedFrom, ...termAfter(termEnd), sequence }, profile);

type OfTerm = {
  kind: 'renewal' | 'sign-up';
  accountName: string;
  issuedOn: string;
  /** The days to pay are counted from this day. */
  dueFrom: string;
  periodFrom: string;
  periodTo: string;
  holdings: Holdings;
  sequence?: number | undefined;
};

type Priced = Pick<OfTerm, 'kind' | 'accountName' | 'periodFrom' | 'periodTo' | 'holdings'>;
type Price = Pick<InvoiceContent, 'currency' | 'feeScheduleId' | 'ipv4' | 'ipv6' | 'asns' | 'lines' | keyof Sums>;

/** Returns what a term costs: the fee for the holdings by the schedule of the day it begins, and the tax. @throws Failure FEES_NOT_ANNOUNCED */
async function priceOfTerm(
  read: Pick<Read, 'rows'>,
  { kind, accountName, periodFrom, periodTo, holdings }: Priced,
  { economy, accountType, nir }: Pick<Payer, 'economy' | 'accountType' | 'nir'>,
  profile: Profile,
): Promise<Price> {
  const schedule = await scheduleOn(read, accountType, periodFrom);
  const ldc = isLeastDeveloped(profile, economy, periodFrom);
  const fees = annualFee(schedule, holdings, { nir, ldc, ...(kind === 'sign-up' && { signUp: true }) });
  return {
    currency: profile.currency,
    feeScheduleId: schedule.feeScheduleId,
    ipv4: String(holdings.ipv4),
    ipv6: String(holdings.ipv6),
    asns: holdings.asns,
    lines: linesOf(fees, { holdings, schedule, from: periodFrom, to: periodTo }),
    ...(await sumsOf(read, { accountName, economy, subtotal: sumOf(fees) }, profile)),
  };
}

/** Returns what the next term of an account costs with these holdings, as its invoice would say it. @throws Failure FEES_NOT_ANNOUNCED */
export const priceOfRenewal = async (
  read: Pick<Read, 'rows'>,
  { accountName, termEnd, holdings }: Pick<Renewal, 'accountName' | 'termEnd' | 'holdings'>,
  profile: Profile,
): Promise<Price> =>
  priceOfTerm(read, { kind: 'renewal', accountName, ...termAfter(termEnd), holdings }, await payerNamed(read, accountName), profile);

/** The invoice for a term, with the fee for the holdings by the schedule of the day it begins. */
async function composeTerm(
  change: Change,
  { kind, accountName, issuedOn, dueFrom, periodFrom, periodTo, holdings, sequence }: OfTerm,
  profile: Profile,
): Promise<InvoiceContent> {
  const { accountType, nir, ...payer } = await payerNamed(change, accountName);
  const priced = { kind, accountName, periodFrom, periodTo, holdings };
  return {
    ...(await numbered(change, issuedOn, sequence)),
    kind,
    accountName,
    issuedOn,
    dueOn: await dueDay(change, daysAfter(dueFrom, profile.billingCalendar.dueDays)),
    periodFrom,
    periodTo,
    ...payer,
    ...(await priceOfTerm(change, priced, { economy: payer.economy, accountType, nir }, profile)),
  };
}

type Fee = {
  kind: 'transfer' | 'reactivation';
  accountName: string;
  issuedOn: string;
  days: number;
  description: string;
  amount: string;
};

/** The invoice for a one-time fee, issued today and due so many days later. Takes the next number, which is locked until this change ends. */
export async function composeFee(
  change: Change,
  { kind, accountName, issuedOn, days, description, amount }: Fee,
  profile: Profile,
): Promise<InvoiceContent> {
  const { accountType: _, nir: __, ...payer } = await payerNamed(change, accountName);
  return {
    ...(await numbered(change, issuedOn)),
    kind,
    accountName,
    issuedOn,
    dueOn: await dueDay(change, daysAfter(issuedOn, days)),
    periodFrom: issuedOn,
    periodTo: issuedOn,
    currency: profile.currency,
    ...payer,
    feeScheduleId: null,
    ipv4: '0',
    ipv6: '0',
    asns: 0,
    lines: [{ description, quantity: 1, unitPrice: amount, amount }],
    ...(await sumsOf(change, { accountName, economy: payer.economy, subtotal: cents(amount) }, profile)),
  };
}

type SignUp = { accountName: string; issuedOn: string; holdings: Holdings };

/**
 * The invoice that opens a new account: the sign-up fee and the fee for the first term, which begins today. Takes the next number, which is locked
 * until this change ends.
 */
export const composeSignUp = (change: Change, { issuedOn, ...signUp }: SignUp, profile: Profile): Promise<InvoiceContent> =>
  composeTerm(
    change,
    {
      ...signUp,
      kind: 'sign-up',
      issuedOn,
      dueFrom: issuedOn,
      ...termFrom(issuedOn),
    },
    profile,
  );

type Sums = Pick<InvoiceContent, 'subtotal' | 'taxRate' | 'tax' | 'total' | 'credit'>;

/** Returns the tax of a payer of an economy; the rate is null for one who pays none. */
export function taxOf(
  { economy, subtotal }: { economy: string | null; subtotal: Cents },
  profile: Profile,
): { taxRate: string | null; tax: Cents } {
  const taxRate = profile.taxEconomy !== '' && economy === profile.taxEconomy ? profile.taxRate : null;
  return { taxRate, tax: taxRate === null ? 0n : times(subtotal, taxRate) };
}

/** Returns the totals of an invoice, with the tax of the payer's economy and the account's credit applied. */
async function sumsOf(
  read: Pick<Read, 'rows'>,
  { accountName, economy, subtotal }: { accountName: string; economy: string | null; subtotal: Cents },
  profile: Profile,
): Promise<Sums> {
  const { taxRate, tax } = taxOf({ economy, subtotal }, profile);
  const total = subtotal + tax;
  const credit = await creditOf(read, accountName);
  return {
    subtotal: printCents(subtotal),
    taxRate,
    tax: printCents(tax),
    total: printCents(total),
    credit: printCents(credit < total ? credit : total),
  };
}

/** Returns the next invoice number of the year of a day, or the one with the given sequence. */
async function numbered(change: Change, issuedOn: string, given?: number): Promise<Pick<InvoiceContent, 'number' | 'year' | 'sequence'>> {
  const year = Number(issuedOn.slice(0, 4));
  const sequence = given ?? (await nextSequence(change, year));
  return { number: `INV-${year}-${String(sequence).padStart(6, '0')}`, year, sequence };
}

/** Returns the number after the last one of a year. A concurrent caller waits until this change ends, so that there are neither gaps nor duplicates. */
async function nextSequence(change: Change, year: number): Promise<number> {
  await lockByName(change, 'billing.invoiceNumbers');
  const [{ next }] = (await change.rows<{ next: number }>(
    sql`select coalesce(max(sequence), 0) + 1 as next from invoice where year = ${year}`,
  )) as [{ next: number }];
  return next;
}

/** Returns the lines of an invoice for fees of a term. */
export const linesOf = (fees: readonly FeeLine[], of: Omit<Described, 'line'>): InvoiceContent['lines'] =>
  fees.map(line => ({
    description: describe[line.kind]({ line, ...of }),
    quantity: line.quantity,
    unitPrice: printCents(line.unit),
    amount: printCents(line.amount),
  }));

type Described = { line: FeeLine; holdings: Holdings; schedule: ScheduleOfDay; from: string; to: string };
const describe: Record<FeeKind, (of: Described) => string> = {
  addresses: ({ holdings: { ipv4, ipv6 }, from, to }) =>
    `Annual fee, ${dayInFull(from)} to ${dayInFull(to)}: ${[
      ...(ipv4 > 0n ? [`IPv4, ${formatCount(ipv4)} addresses`] : []),
      ...(ipv6 > 0n ? [`IPv6, ${formatCount(ipv6)} networks of a /56`] : []),
    ].join('; ')}${ipv4 > 0n && ipv6 > 0n ? ' (the greater of both fees)' : ''}`,
  associate: ({ from, to }) => `Annual fee without addresses, ${dayInFull(from)} to ${dayInFull(to)}`,
  nir: ({ schedule }) => `National registry: ${Number(schedule.nirMultiplier)} times the annual fee`,
  ldc: ({ schedule }) => `Least developed country: ${Number(schedule.ldcShare) * 100} % of the annual fee`,
  asns: ({ schedule, holdings }) => `AS numbers beyond ${schedule.freeAsns} (${formatCount(holdings.asns)} held)`,
  'sign-up': () => 'Sign-up fee',
};

/** The paid, credited and written-off parts of an invoice. */
export type Settled = { total: string; paid: string; credited: string; writtenOff: string };

/** Returns the unpaid amount. */
export const balanceOf = ({ total, paid, credited, writtenOff }: Settled): string =>
  printCents(cents(total) - cents(paid) - cents(credited) - cents(writtenOff));
