import type { Download } from '@portal/contract';
import type { AdvanceRenewal, renewals } from '@portal/contract/billing/renewals';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { BillingCalendar, Profile } from '../../../profile.ts';
import { accountNamed, lockAccount } from '../../accounts/index.ts';
import { holdingsOn, scheduleOn } from '../fees/fee-schedules.ts';
import type { Holdings } from '../fees/fees.ts';
import { composeRenewal, type InvoiceContent, priceOfRenewal } from '../invoices/invoice-content.ts';
import { printInvoice } from '../invoices/invoice-printer.ts';
import { type Term, termOf } from '../membership/term.ts';

type Day = { today: string; profile: Profile };

/** Maximum number of quotes for one renewal. */
const MAX_QUOTES = 20;

type QuoteRow = { number: string; termEnd: string; issuedOn: string; content: InvoiceContent };

/** Returns why no advance invoice is possible today; null if one is. */
function refusalOf(term: Term | undefined, today: string, { advanceDays }: BillingCalendar): string | null {
  if (!term) return 'no term of this account is billed';
  if (term.invoice) return 'its invoice was issued already';
  if (term.advance) return `its invoice was asked for on ${dayInFull(term.advance)}`;
  if (today > term.termEnd) return 'the term has ended, and its invoice follows';
  if (term.feesAnnounced === null) return 'the registry hasn’t announced the fees of the next term yet';
  const opens = daysAfter(term.termEnd, -advanceDays);
  return today < opens ? `this begins on ${dayInFull(opens)}, ${advanceDays} days before the term ends` : null;
}

/** Returns the holdings that would be counted today for the coming renewal. @throws Failure FEES_NOT_ANNOUNCED */
async function countedNow(read: Read, { accountName, termEnd }: Term, { today, profile }: Day): Promise<Holdings> {
  const { accountType } = await accountNamed(read, accountName);
  // Counted at the end of today, so that today's delegations count.
  return holdingsOn({
    read,
    accountName,
    day: daysAfter(today, 1),
    schedule: await scheduleOn(read, accountType, daysAfter(termEnd, 1)),
    timeZone: profile.timeZone,
  });
}

/** The figures in which a quote and the invoice after it agree. */
type Price = Pick<InvoiceContent, 'currency' | 'ipv4' | 'ipv6' | 'asns' | 'lines' | 'total'>;

const inFigures = ({ currency, ipv4, ipv6, asns, lines, total }: Price): string =>
  JSON.stringify([currency, ipv4, ipv6, asns, total, lines.map(({ quantity, unitPrice, amount }) => [quantity, unitPrice, amount])]);

/** Returns the price that the coming renewal has today; null while its fees are not announced. */
async function priceNow(read: Read, term: Term, day: Day): Promise<Price | null> {
  if (term.feesAnnounced === null) return null;
  const { accountName, termEnd } = term;
  return priceOfRenewal(read, { accountName, termEnd, holdings: await countedNow(read, term, day) }, day.profile);
}

/** Returns the quotes for the coming renewal and whether more can be asked for. */
export async function getRenewal({
  read,
  account: { accountName },
  registry,
}: {
  read: Read;
  account: { accountName: string };
  registry: Day;
}): Promise<AdvanceRenewal> {
  const { today, profile } = registry;
  const calendar = profile.billingCalendar;
  const term = await termOf(read, calendar, accountName);
  if (!term) return { termEnd: null, opensOn: null, open: false, invoiceAskedOn: null, estimate: null, quotes: [] };
  const [rows, now] = await Promise.all([
    read.rows<QuoteRow>(sql`select number, term_end, issued_on, content from renewal_quote
      where account_name = ${accountName} and term_end = ${term.termEnd}::date order by renewal_quote_id desc limit ${MAX_QUOTES}`),
    priceNow(read, term, registry),
  ]);
  return {
    termEnd: term.termEnd,
    opensOn: daysAfter(term.termEnd, -calendar.advanceDays),
    open: refusalOf(term, today, calendar) === null,
    invoiceAskedOn: term.advance,
    estimate: now && { currency: now.currency, total: now.total },
    quotes: rows.map(row => {
      const { number, termEnd, issuedOn, content } = row;
      const { currency, total } = content;
      return { number, issuedOn, validUntil: termEnd, currency, total, outdated: now === null || inFigures(content) !== inFigures(now) };
    }),
  };
}

/** Locks and returns the term of an account that asks for something in advance. @throws Failure RENEWAL_NOT_OPEN */
async function lockAdvance(change: Change, accountName: string, { today, profile: { billingCalendar } }: Day): Promise<Term> {
  await lockAccount(change, accountName);
  const term = await termOf(change, billingCalendar, accountName);
  const why = refusalOf(term, today, billingCalendar);
  if (why !== null) throw refuse('RENEWAL_NOT_OPEN', { why });
  return term!;
}

/** Writes a quote for the coming renewal. @throws Failure RENEWAL_NOT_OPEN, TOO_MANY_QUOTES */
export async function askForQuote({
  change,
  account: { accountName },
  caller,
  registry,
}: Act<typeof renewals.askForQuote>): Promise<AdvanceRenewal> {
  const term = await lockAdvance(change, accountName, registry);
  await lockByName(change, 'billing.quoteNumbers');
  const year = Number(registry.today.slice(0, 4));
  const [{ next, mine }] = (await change.rows<{ next: number; mine: number }>(sql`
    select coalesce(max(sequence) filter (where year = ${year}), 0) + 1 as next,
      (count(*) filter (where account_name = ${accountName} and term_end = ${term.termEnd}::date))::integer as mine from renewal_quote`)) as [
    { next: number; mine: number },
  ];
  if (mine >= MAX_QUOTES) throw refuse('TOO_MANY_QUOTES', { most: String(MAX_QUOTES) });
  const number = `QUO-${year}-${String(next).padStart(6, '0')}`;
  const holdings = await countedNow(change, term, registry);
  const content = await composeRenewal(
    change,
    { accountName, termEnd: term.termEnd, issuedOn: registry.today, holdings },
    registry.profile,
  );
  await change
    .insertInto('renewalQuote')
    .values({
      number,
      year,
      sequence: next,
      accountName,
      termEnd: term.termEnd,
      issuedOn: registry.today,
      content: JSON.stringify({ ...content, number, credit: '0.00' }),
      requestedBy: caller.loginId,
    })
    .execute();
  await change.note({ quote: number, total: content.total });
  return getRenewal({ read: change, account: { accountName }, registry: registry });
}

/** Returns a quote as a PDF, generated from its row. @throws Failure NOT_FOUND */
export async function downloadQuote({
  read,
  account: { accountName },
  params: { quoteNumber: number },
  registry: {
    profile,
    config: { certificateFonts: fonts },
  },
}: Act<typeof renewals.downloadQuote>): Promise<Download> {
  const [row] = await read.rows<QuoteRow>(
    sql`select number, term_end, issued_on, content from renewal_quote where account_name = ${accountName} and number = ${number}`,
  );
  if (!row) throw refuse('NOT_FOUND', { what: `Quote ${number}` });
  const pdf = await printInvoice({ invoice: row.content, profile, fonts: [...fonts], quoteUntil: row.termEnd });
  return {
    fileName: `${number}.pdf`,
    contentType: 'application/pdf',
    bytes: pdf.length,
    chunks: (async function* () {
      yield pdf;
    })(),
  };
}

/** Requests the invoice of the coming renewal: the membership clock issues it within the hour. @throws Failure RENEWAL_NOT_OPEN */
export async function askForInvoice({
  change,
  account: { accountName },
  caller,
  registry,
}: Act<typeof renewals.askForInvoice>): Promise<AdvanceRenewal> {
  const { termEnd } = await lockAdvance(change, accountName, registry);
  await change
    .insertInto('advanceInvoice')
    .values({ accountName, termEnd, requestedOn: registry.today, requestedBy: caller.loginId })
    .execute();
  await change.note({ termEnds: termEnd });
  return getRenewal({ read: change, account: { accountName }, registry: registry });
}
