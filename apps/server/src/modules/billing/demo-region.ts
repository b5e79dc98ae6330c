import { daysAfter, lastDayOfYear, yearsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Region, RegionPart, RegionStage } from '../../platform/demo.ts';
import type { Profile } from '../../profile.ts';
import { paper } from '../documents/index.ts';
import { allSchedules, billedTypes, isLeastDeveloped, type ScheduleOfDay } from './fees/fee-schedules.ts';
import { annualFee, type Holdings, sumOf } from './fees/fees.ts';
import { linesOf, taxOf } from './invoices/invoice-content.ts';
import { taxOfNote } from './issuing/note-tax.ts';
import { type Cents, printCents } from './money.ts';

/** Years of invoices behind the present term. */
const YEARS = 5;
/** One of so many invoices was credited in part, and so many of the last ones were paid in part. */
const CREDITED = 50;
const PARTLY_PAID = 4;

type Account = {
  accountName: string;
  accountType: string;
  nir: boolean;
  orgName: string;
  economy: string | null;
  expiryDate: string;
  address: string[];
  attention: string;
};

const accountsOf = (read: Pick<Read, 'rows'>): Promise<Account[]> =>
  read.rows<Account>(sql`select a.account_name, a.account_type, a.nir, a.org_name, a.economy, a.expiry_date::text,
      o.postal_address || array[o.city || ' ' || o.postcode] as address,
      coalesce((select c.full_name from contact c where c.account_name = a.account_name and c.status = 'active'
        order by not 'billing' = any (c.contact_types), not 'corporate' = any (c.contact_types), c.email limit 1), '') as attention
    from account a join organisation o using (account_name) where a.statistics_id is not null and a.expiry_date is not null order by a.account_name`);

/** Holdings of each account on the last days of its terms, by account and years back. */
async function holdingsOf(read: Pick<Read, 'rows'>): Promise<Map<string, Holdings>> {
  const rows = await read.rows<{ accountName: string; years: number; ipv4: string; ipv6: string; asns: number }>(sql`
    select account_name, years, coalesce(sum(d.size) filter (where d.kind = 'ipv4'), 0)::text as ipv4,
      coalesce(ceil(sum(d.size) filter (where d.kind = 'ipv6') / (2::numeric ^ 72)), 0)::numeric(39, 0)::text as ipv6,
      coalesce(sum(d.size) filter (where d.kind = 'asn'), 0)::int as asns
    from account a join delegation d using (account_name) cross join generate_series(0, ${YEARS}::integer) years
    where a.statistics_id is not null and d.registry = '' and d.status <> 'closed'
      and coalesce(d.delegated_on < a.expiry_date - make_interval(years => years), true) group by 1, 2`);
  return new Map(
    rows.map(({ accountName, years, ipv4, ipv6, asns }) => [`${accountName} ${years}`, { ipv4: BigInt(ipv4), ipv6: BigInt(ipv6), asns }]),
  );
}

type Issued = ReturnType<typeof invoiceOf>;

/** Returns the invoice for the term after an end, as its row and its lines say it, before it has a number. */
function invoiceOf(
  account: Account,
  { termEnd, holdings, schedule, profile }: { termEnd: string; holdings: Holdings; schedule: ScheduleOfDay; profile: Profile },
) {
  const from = daysAfter(termEnd, 1);
  const to = lastDayOfYear(from);
  const { economy } = account;
  const fees = annualFee(schedule, holdings, { nir: account.nir, ldc: isLeastDeveloped(profile, economy, from) });
  const subtotal = sumOf(fees);
  const { taxRate, tax } = taxOf({ economy, subtotal }, profile);
  const { invoiceDays, dueDays } = profile.billingCalendar;
  return {
    account,
    termEnd,
    issuedOn: daysAfter(termEnd, invoiceDays),
    dueOn: daysAfter(termEnd, dueDays),
    from,
    to,
    holdings,
    feeScheduleId: schedule.feeScheduleId,
    lines: linesOf(fees, { holdings, schedule, from, to }),
    subtotal,
    taxRate,
    tax,
    total: subtotal + tax,
  };
}

/** The invoices that were issued until a day, in the order of their days. */
async function issuedUntil({ db, profile, plan }: Region): Promise<Issued[]> {
  const [accounts, holdings, schedules] = [await accountsOf(db.read), await holdingsOf(db.read), await allSchedules(db.read)];
  const issued: Issued[] = [];
  for (const account of accounts)
    for (let years = YEARS; years >= 0; years--) {
      const termEnd = yearsAfter(account.expiryDate, -years);
      const held = holdings.get(`${account.accountName} ${years}`);
      const first = daysAfter(termEnd, 1);
      const schedule = schedules.find(
        ({ accountKind, validFrom, validUntil }) =>
          accountKind === billedTypes[account.accountType] && validFrom <= first && first <= validUntil,
      );
      if (!held || !schedule || daysAfter(termEnd, profile.billingCalendar.invoiceDays) > plan.today) continue;
      const invoice = invoiceOf(account, { termEnd, holdings: held, schedule, profile });
      if (invoice.total > 0n) issued.push(invoice);
    }
  return issued.sort((a, b) =>
    a.issuedOn < b.issuedOn ? -1 : a.issuedOn > b.issuedOn ? 1 : a.account.accountName < b.account.accountName ? -1 : 1,
  );
}

type Received = { number: string; accountName: string; amount: string; on: string; reference: string };
type Given = {
  number: string;
  note: string;
  sequence: number;
  accountName: string;
  on: string;
  subtotal: string;
  tax: string;
  total: string;
};

/** One paper for all: to print 64,000 invoices takes hours. */
const printed = paper('Invoice of a demo region', [
  'Invoices of a demo region are rows of the books, and were never printed one by one.',
  'An invoice that the registry issues has its own document.',
]);

async function storePaper(change: Change, { store }: Region): Promise<string> {
  const incoming = await store!.receive(
    (async function* () {
      yield printed;
    })(),
    { largest: printed.length, firstBytes: () => {} },
  );
  await incoming.keep();
  await change.rows(sql`insert into stored_file (sha256, bytes, kind, stored_at, checked)
    values (${incoming.sha256}, ${printed.length}::bigint, 'pdf', ${change.now}::timestamptz, 'not-checked') on conflict do nothing`);
  return incoming.sha256;
}

const writeInvoices =
  (region: Region, invoices: readonly Issued[], year: number, people: { by: string; second: string }): RegionPart =>
  async change => {
    const { plan, profile, random } = region;
    const next = random(`invoices ${year}`);
    const sha256 = await storePaper(change, region);
    const [last] = await change.rows<{
      invoice: number;
      note: number;
    }>(sql`select coalesce((select max(sequence) from invoice where year = ${year}), 0) as invoice,
      coalesce((select max(sequence) from credit_note where year = ${year}), 0) as note`);
    let notes = last!.note;
    const received: Received[] = [];
    const given: Given[] = [];
    const rows = invoices.map((invoice, place) => {
      const { account, termEnd, issuedOn, total } = invoice;
      const sequence = last!.invoice + place + 1;
      const number = `INV-${year}-${String(sequence).padStart(6, '0')}`;
      const isLast = termEnd === account.expiryDate;
      const noteOn = daysAfter(issuedOn, 3);
      let credited: Cents = 0n;
      if (!isLast && next(CREDITED) === 0 && noteOn.startsWith(`${year}-`)) {
        credited = total / 20n;
        const tax = taxOfNote({ tax: invoice.tax, total }, [], credited);
        const note = `CN-${year}-${String(++notes).padStart(6, '0')}`;
        const sums = { subtotal: printCents(credited - tax), tax: printCents(tax), total: printCents(credited) };
        given.push({ number, note, sequence: notes, accountName: account.accountName, on: noteOn, ...sums });
      }
      const on = daysAfter(issuedOn, 4 + next(22));
      const isPaid = !isLast && on <= plan.today;
      const paid = isPaid ? total - credited : isLast && on <= plan.today && next(PARTLY_PAID) === 0 ? total / 2n : 0n;
      if (paid > 0n)
        received.push({ number, accountName: account.accountName, amount: printCents(paid), on, reference: `REGION-${number}` });
      return {
        number,
        year,
        sequence,
        account_name: account.accountName,
        issued_on: issuedOn,
        due_on: invoice.dueOn,
        period_from: invoice.from,
        period_to: invoice.to,
        org_name: account.orgName,
        economy: account.economy,
        billing_address: account.address,
        attention: account.attention,
        fee_schedule_id: invoice.feeScheduleId,
        ipv4: String(invoice.holdings.ipv4),
        ipv6: String(invoice.holdings.ipv6),
        asns: invoice.holdings.asns,
        subtotal: printCents(invoice.subtotal),
        tax_rate: invoice.taxRate,
        tax: printCents(invoice.tax),
        total: printCents(total),
        state: isPaid ? 'paid' : paid > 0n ? 'partly-paid' : 'issued',
        paid: printCents(paid),
        paid_on: isPaid ? on : null,
        credited: printCents(credited),
        term_end: termEnd,
      };
    });
    await change.rows(sql`insert into invoice (number, year, sequence, kind, account_name, issued_on, due_on, period_from, period_to, currency, org_name, economy,
        billing_address, attention, tax_number, po_number, fee_schedule_id, ipv4, ipv6, asns, subtotal, tax_rate, tax, total, state, paid, paid_on, credited, sha256)
      select number, year, sequence, 'renewal', account_name, issued_on, due_on, period_from, period_to, ${profile.currency}, org_name, economy,
        billing_address, attention, '', '', fee_schedule_id, ipv4, ipv6, asns, subtotal, tax_rate, tax, total, state, paid, paid_on, credited, ${sha256}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (number text, year integer, sequence integer, account_name text, issued_on date, due_on date,
        period_from date, period_to date, org_name text, economy text, billing_address text[], attention text, fee_schedule_id text, ipv4 numeric, ipv6 numeric,
        asns integer, subtotal numeric, tax_rate numeric, tax numeric, total numeric, state text, paid numeric, paid_on date, credited numeric)`);
    const lines = invoices.flatMap((invoice, place) =>
      invoice.lines.map((line, position) => ({ number: rows[place]!.number, position: position + 1, ...line })),
    );
    await change.rows(sql`insert into invoice_line (invoice_id, position, description, quantity, unit_price, amount)
      select i.invoice_id, w.position, w.description, w.quantity, w."unitPrice", w.amount from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as w (number text, position integer, description text, quantity integer, "unitPrice" numeric, amount numeric) join invoice i using (number)`);
    await writeSteps(change, region, rows);
    await writePayments(change, received, people);
    await writeNotes(change, given, people);
    return rows.length + lines.length + 3 * rows.length + 2 * received.length + 2 * given.length;
  };

/** The steps of the terms up to their invoices, each on its day. */
async function writeSteps(
  change: Change,
  { profile }: Region,
  rows: readonly { account_name: string; term_end: string; ipv4: string; ipv6: string; asns: number }[],
): Promise<void> {
  const { reminderDays, invoiceDays } = profile.billingCalendar;
  await change.rows(sql`insert into billing_step (account_name, term_end, step, day, done_at, ipv4, ipv6, asns)
    select w.account_name, w.term_end, s.step, w.term_end + s.after, (w.term_end + s.after)::timestamp at time zone 'UTC',
      case when s.step = 'holdings' then w.ipv4 end, case when s.step = 'holdings' then w.ipv6 end, case when s.step = 'holdings' then w.asns end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (account_name text, term_end date, ipv4 numeric, ipv6 numeric, asns integer)
    cross join (values ('reminder', ${-reminderDays}::integer), ('holdings', 0), ('invoice', ${invoiceDays}::integer)) s (step, after)`);
}

/** Numbers for so many acts under a limit. */
const idsOfActs = async (change: Change, count: number): Promise<string[]> =>
  (
    await change.rows<{ id: string }>(
      sql`select nextval(pg_get_serial_sequence('limited_act', 'limited_act_id'))::text as id from generate_series(1, ${count}::integer)`,
    )
  ).map(({ id }) => id);

/** Bank transfers, which one person recorded and another one approved: a history of years is recorded in a day. */
async function writePayments(change: Change, received: readonly Received[], { by, second }: { by: string; second: string }): Promise<void> {
  const ids = await idsOfActs(change, received.length);
  const rows = JSON.stringify(received.map((row, place) => ({ ...row, act: ids[place] })));
  await change.rows(sql`insert into limited_act (limited_act_id, name, account_name, amount, made_by, second_person, made_at, activity_id) overriding system value
    select act, 'received', "accountName", amount, ${by}, ${second}, "on"::timestamp at time zone 'UTC', ${change.activityId}::bigint
    from jsonb_to_recordset(${rows}::jsonb) as w (act bigint, "accountName" text, amount numeric, "on" date)`);
  await change.rows(sql`insert into payment (account_name, invoice_id, method, amount, received_on, reference, recorded_by, recorded_at, limited_act_id)
    select w."accountName", i.invoice_id, 'bank transfer', w.amount, w."on", w.reference, ${by}, w."on"::timestamp at time zone 'UTC', w.act
    from jsonb_to_recordset(${rows}::jsonb) as w (act bigint, number text, "accountName" text, amount numeric, "on" date, reference text) join invoice i using (number)`);
}

async function writeNotes(change: Change, given: readonly Given[], { by, second }: { by: string; second: string }): Promise<void> {
  const ids = await idsOfActs(change, given.length);
  const rows = JSON.stringify(given.map((row, place) => ({ ...row, act: ids[place] })));
  await change.rows(sql`insert into limited_act (limited_act_id, name, account_name, amount, made_by, second_person, made_at, activity_id) overriding system value
    select act, 'given', "accountName", total, ${by}, ${second}, "on"::timestamp at time zone 'UTC', ${change.activityId}::bigint
    from jsonb_to_recordset(${rows}::jsonb) as w (act bigint, "accountName" text, total numeric, "on" date)`);
  await change.rows(sql`insert into credit_note (number, year, sequence, account_name, invoice_id, issued_on, subtotal, tax, total, reason, issued_by, issued_at, limited_act_id)
    select w.note, extract(year from w."on")::integer, w.sequence, w."accountName", i.invoice_id, w."on", w.subtotal, w.tax, w.total, 'Numbers were returned before the term began',
      ${by}, w."on"::timestamp at time zone 'UTC', w.act
    from jsonb_to_recordset(${rows}::jsonb) as w (act bigint, number text, note text, sequence integer, "accountName" text, "on" date, subtotal numeric, tax numeric, total numeric)
      join invoice i using (number)`);
}

/** Five years of invoices, payments and credit notes, a year in one change, so that its numbers have no gaps. */
const invoices: RegionStage = {
  name: 'invoices',
  title: 'Invoices, payments and credit notes',
  parts: async region => {
    const people = await region.db.read.rows<{ username: string; loginId: string }>(
      sql`select username, login_id from login where username in ('stella', 'stan') order by username desc`,
    );
    const [by, second] = people.map(({ loginId }) => loginId) as [string, string];
    const byYear = Map.groupBy(await issuedUntil(region), ({ issuedOn }) => Number(issuedOn.slice(0, 4)));
    return [...byYear].map(([year, issued]) => writeInvoices(region, issued, year, { by, second }));
  },
};

export const regionStages: readonly RegionStage[] = [invoices];
