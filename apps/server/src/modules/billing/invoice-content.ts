import { constants } from '@portal/contract/constants';
import { daysAfter, yearsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, lockByName } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/pdf/glyphs.ts';
import type { Profile } from '../../profile.ts';
import { creditOf } from './credit.ts';
import { annualFee, type FeeKind, type FeeLine, type Holdings, sumOf } from './fees.ts';
import { isLeastDeveloped, type ScheduleOfDay, scheduleOn } from './fee-schedules.ts';
import { cents, printCents, times } from './money.ts';

/** Everything an invoice says, on paper and in its row. Amounts are decimal text in `currency`; days are those of the registry's time zone. */
export type InvoiceContent = {
  number: string;
  year: number;
  sequence: number;
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
  feeScheduleId: string;
  ipv4: string;
  ipv6: string;
  asns: number;
  lines: { description: string; quantity: number; unitPrice: string; amount: string }[];
  subtotal: string;
  taxRate: string | null;
  tax: string;
  total: string;
  /** The account's credit that the invoice uses. */
  credit: string;
};

type Renewal = { accountName: string; termEnd: string; issuedOn: string; holdings: Holdings };

/**
 * The invoice of the next term of an account: issued the day after its last one ended, or earlier where the member asked, due 30 days after that end, by the schedule of the day it begins and what
 * was counted on the last day. The next number is this change's until it ends.
 */
export async function composeRenewal(
  change: Change,
  { accountName, termEnd, issuedOn, holdings }: Renewal,
  profile: Profile,
): Promise<InvoiceContent> {
  const [about] = await change.rows<{
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
    select a.org_name, a.economy, a.account_type, a.nir, o.postal_address || array_remove(array[trim(concat_ws(' ', nullif(o.city, ''), nullif(o.region, ''),
        nullif(o.postcode, '')))], '') as postal, o.billing_address as billing, o.registration_number as tax_number, o.po_number,
      (select full_name from contact c where c.account_name = a.account_name and c.status = 'ACTIVE'
        order by not 'billing' = any (contact_types), not 'corporate' = any (contact_types), created_at, contact_id limit 1) as attention
    from account a left join organisation o using (account_name) where a.account_name = ${accountName}`);
  const { orgName, economy, accountType, nir, postal, billing, taxNumber, poNumber, attention } = about!;
  const periodFrom = daysAfter(termEnd, 1);
  const periodTo = yearsAfter(termEnd, 1);
  const schedule = await scheduleOn(change, accountType, periodFrom);
  const ldc = await isLeastDeveloped(change, economy, periodFrom);
  const fees = annualFee(schedule, holdings, { nir, ldc });
  const subtotal = sumOf(fees);
  const taxRate = profile.taxEconomy !== '' && economy === profile.taxEconomy ? profile.taxRate : null;
  const tax = taxRate === null ? 0n : times(subtotal, taxRate);
  const credit = await creditOf(change, accountName);
  const year = Number(issuedOn.slice(0, 4));
  const sequence = await nextSequence(change, year);
  return {
    number: `INV-${year}-${String(sequence).padStart(6, '0')}`,
    year,
    sequence,
    accountName,
    issuedOn,
    dueOn: daysAfter(termEnd, constants.paymentDueDays),
    periodFrom,
    periodTo,
    currency: profile.currency,
    orgName,
    economy,
    billingAddress: (billing ?? []).length > 0 ? billing! : (postal ?? []),
    attention: attention ?? '',
    taxNumber: taxNumber ?? '',
    poNumber: poNumber ?? '',
    feeScheduleId: schedule.feeScheduleId,
    ipv4: String(holdings.ipv4),
    ipv6: String(holdings.ipv6),
    asns: holdings.asns,
    lines: fees.map(line => ({
      description: describe[line.kind]({ line, holdings, schedule, from: periodFrom, to: periodTo }),
      quantity: line.quantity,
      unitPrice: printCents(line.unit),
      amount: printCents(line.amount),
    })),
    subtotal: printCents(subtotal),
    taxRate,
    tax: printCents(tax),
    total: printCents(subtotal + tax),
    credit: printCents(credit < subtotal + tax ? credit : subtotal + tax),
  };
}

/** Returns the number after the last one of a year. A concurrent caller waits until this change ends, so that there are neither gaps nor duplicates. */
async function nextSequence(change: Change, year: number): Promise<number> {
  await lockByName(change, 'billing.invoiceNumbers');
  const [{ next }] = (await change.rows<{ next: number }>(
    sql`select coalesce(max(sequence), 0) + 1 as next from invoice where year = ${year}`,
  )) as [{ next: number }];
  return next;
}

type Described = { line: FeeLine; holdings: Holdings; schedule: ScheduleOfDay; from: string; to: string };
const counted = (count: bigint | number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
const describe: Record<FeeKind, (of: Described) => string> = {
  addresses: ({ holdings: { ipv4, ipv6 }, from, to }) =>
    `Annual fee, ${dayInWords(from)} to ${dayInWords(to)}: ${[
      ...(ipv4 > 0n ? [`IPv4, ${counted(ipv4)} addresses`] : []),
      ...(ipv6 > 0n ? [`IPv6, ${counted(ipv6)} networks of a /56`] : []),
    ].join('; ')}${ipv4 > 0n && ipv6 > 0n ? ' (the greater of both fees)' : ''}`,
  associate: ({ from, to }) => `Annual fee without addresses, ${dayInWords(from)} to ${dayInWords(to)}`,
  nir: ({ schedule }) => `National registry: ${Number(schedule.nirMultiplier)} times the annual fee`,
  ldc: ({ schedule }) => `Least developed country: ${Number(schedule.ldcShare) * 100} % of the annual fee`,
  asns: ({ schedule, holdings }) => `AS numbers beyond ${schedule.freeAsns} (${counted(holdings.asns)} held)`,
  'sign-up': () => 'Sign-up fee',
};

/** Returns the unpaid amount. */
export const balanceOf = ({ total, paid }: { total: string; paid: string }): string => printCents(cents(total) - cents(paid));
