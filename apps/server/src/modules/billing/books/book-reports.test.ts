import { api } from '@portal/contract/api';
import type { LedgerAccount, PostingFormat } from '@portal/contract/billing/books';
import { daysAfter, daysBetween } from '@portal/contract/days';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { confirmLast } from '../../../../test/deciding-requests.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { cellsOf } from '../../../platform/csv-cells.ts';
import { journalOf } from '../invoices/ledger.ts';
import { cents } from '../money.ts';
import { daysOfMonth } from './journal.ts';
import { postingsOf } from './postings.ts';

const names = ['EXAMPLE-AU', 'OTHER-SG', 'CAMPUS-JP', 'KELP-WS'];
const month = today.slice(0, 7);
const days = daysOfMonth(month);
const sumOf = (amounts: readonly string[]): bigint => amounts.reduce((all, each) => all + cents(each), 0n);

/** Accounts with invoices of this month and the last one, and whatever members and staff do with them. */
async function registryWithActs(kind?: (typeof kindsForRules)[number]): Promise<BillingPortal> {
  const portal = await billingPortal(kind, Object.fromEntries(names.map((name, place) => [name, daysAfter(today, -2 - 12 * place)])));
  await portal.on(today);
  const stella = await portal.as('stella');
  const invoiceOf = async (name: string) => (await portal.billingOf(name)).invoices[0]!;
  const acts = fc.sample(
    fc.record({
      name: fc.constantFrom(...names),
      act: fc.constantFrom('pay', 'credit', 'reverse'),
      amount: fc.integer({ min: 1, max: 30_000 }),
    }),
    { numRuns: 14, seed: 7 },
  );
  for (const [place, { name, act, amount }] of acts.entries()) {
    const { number, payments } = await invoiceOf(name);
    const inWords = (amount / 100).toFixed(2);
    const standing = payments.find(({ reversed, method }) => reversed === null && method !== 'credit');
    const { status } =
      act === 'pay'
        ? await stella(api.billing.recordPayment, {
            invoiceNumber: number,
            body: { amount: inWords, receivedOn: today, reference: `ACT-${place}` },
          })
        : act === 'credit'
          ? await stella(api.corrections.issueCreditNote, { invoiceNumber: number, body: { amount: inWords, reason: 'A mistake' } })
          : standing
            ? await stella(api.reversals.reversePayment, { receiptNumber: standing.receipt, body: { kind: 'bounced', reason: 'The bank' } })
            : { status: 200 };
    if (status === 409) await confirmLast(portal);
  }
  return portal;
}

describe.each(kindsForRules)('the reports of a month on %s', kind => {
  let portal: BillingPortal;
  beforeAll(async () => {
    portal = await registryWithActs(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const read = async () => {
    const dora = await portal.as('dora');
    return {
      dora,
      reports: (await dora(api.books.getBookReports, { month })).data!,
      sheet: (await dora(api.books.getBookMonth, { month })).data!,
    };
  };
  const accountIn = (sheet: Awaited<ReturnType<typeof read>>['sheet'], of: LedgerAccount) =>
    sheet.accounts.find(({ account }) => account === of)!;

  test('receivables by age are the receivables of the ledger, and each number leads to its invoices', async () => {
    const { dora, reports, sheet } = await read();
    expect(reports.owed).toBe(accountIn(sheet, 'receivable').after);
    expect(sumOf(reports.receivables.map(({ amount }) => amount))).toBe(cents(reports.owed));
    for (const { age, invoices, amount } of reports.receivables) {
      const { count, sum, rows } = (await dora(api.books.listBookDocuments, { month, query: { age } })).data!;
      expect([count, sum]).toEqual([invoices, amount]);
      for (const { document, accountName, amount: owed } of rows) {
        const invoice = (await portal.billingOf(accountName)).invoices.find(({ number }) => number === document)!;
        expect(owed).toBe(invoice.balance);
        const overdue = daysBetween(invoice.dueOn, days.to);
        expect(age).toBe(overdue <= 0 ? 'not-due' : overdue <= 30 ? 'to-30' : overdue <= 60 ? 'to-60' : overdue <= 90 ? 'to-90' : 'older');
      }
    }
  });

  test('all invoices of which something is owed are one list too, and what follows is counted from the day they are due', async () => {
    const { dora, reports } = await read();
    const { count, sum } = (await dora(api.books.listBookDocuments, { month, query: { age: 'all' } })).data!;
    expect([count, sum]).toEqual([reports.receivables.reduce((all, { invoices }) => all + invoices, 0), reports.owed]);
    const { dueDays, suspensionDays, closingDays } = portal.context.profile.billingCalendar;
    expect(reports.steps.at(0)).toEqual({ step: 'suspension', days: suspensionDays - dueDays });
    expect(reports.steps.at(-1)).toEqual({ step: 'closing', days: closingDays - dueDays });
  });

  test('a month counts its invoices from the first number to the last, and each account has its codes of the general ledger', async () => {
    const { dora, sheet } = await read();
    const invoices = await portal.db.read.rows<{ number: string; month: string }>(
      sql`select number, to_char(issued_on, 'YYYY-MM') as month from invoice order by year, sequence`,
    );
    // On the first of a month nothing is issued in it yet, so each month that has invoices is asked for.
    const months = Map.groupBy(invoices, each => each.month);
    expect(months.size).toBeGreaterThan(0);
    for (const [of, numbers] of months)
      expect((await dora(api.books.getBookMonth, { month: of })).data!.invoices).toEqual({
        count: numbers.length,
        first: numbers[0]!.number,
        last: numbers.at(-1)!.number,
      });
    const { accountCodes } = portal.context.profile;
    expect(accountIn(sheet, 'receivable')).toMatchObject({ codes: [accountCodes.receivable] });
    expect(accountIn(sheet, 'bank')).toMatchObject({ codes: [accountCodes.bank, accountCodes.card] });
  });

  test('fees are earned day by day over their term: what was deferred, charged and earned comes to what is left, which is earned in the months ahead', async () => {
    const { deferred } = (await read()).reports;
    const entries = await journalOf(portal.db.read, { from: '0001-01-01', to: days.to });
    const invoices = await portal.db.read
      .selectFrom('invoice')
      .leftJoin('creditNote', 'creditNote.invoiceId', 'invoice.invoiceId')
      .select(['invoice.number', 'invoice.periodFrom', 'invoice.periodTo', 'creditNote.number as note'])
      .where('invoice.kind', 'in', ['renewal', 'sign-up'])
      .execute();
    /** In whole cents, half a cent up: what was earned of all terms until a day. */
    const earnedUntil = (day: string): bigint => {
      let earned = 0n;
      for (const number of new Set(invoices.map(each => each.number))) {
        const ofInvoice = invoices.filter(each => each.number === number);
        const documents = new Set([number, ...ofInvoice.map(({ note }) => note)]);
        const [{ periodFrom, periodTo }] = ofInvoice as [(typeof ofInvoice)[number]];
        const net = -sumOf(entries.filter(entry => entry.day <= day && documents.has(entry.document)).map(({ revenue }) => revenue));
        const all = BigInt(daysBetween(periodFrom, periodTo) + 1);
        const last = day < periodTo ? day : periodTo;
        const gone = last < periodFrom ? 0n : BigInt(daysBetween(periodFrom, last) + 1);
        earned += (2n * net * gone + all) / (2n * all);
      }
      return earned;
    };
    const before = daysAfter(days.from, -1);
    expect(cents(deferred.earned)).toBe(earnedUntil(days.to) - earnedUntil(before));
    expect(cents(deferred.before) + cents(deferred.charged) - cents(deferred.earned)).toBe(cents(deferred.after));
    expect(sumOf(deferred.ahead.map(({ amount }) => amount))).toBe(cents(deferred.after));
    expect(deferred.ahead.length).toBeGreaterThan(10);
  });

  test('the tax report comes to the tax of the ledger, and each rate leads to its documents', async () => {
    const { dora, reports, sheet } = await read();
    const { debit, credit } = accountIn(sheet, 'tax');
    expect(sumOf(reports.tax.map(({ tax }) => tax))).toBe(cents(credit) - cents(debit));
    const revenue = accountIn(sheet, 'revenue');
    expect(sumOf(reports.tax.map(({ net }) => net))).toBe(cents(revenue.credit) - cents(revenue.debit));
    for (const { rate, documents, net, tax } of reports.tax) {
      const found = (await dora(api.books.listBookDocuments, { month, query: { rate: rate ?? 'none' } })).data!;
      expect([found.count, found.sum]).toEqual([documents, tax]);
      expect(cents(tax)).toBe(rate === null ? 0n : found.rows.length > 0 ? cents(tax) : 0n);
      if (rate !== null) expect(Math.abs(Number(tax) - Number(net) * Number(rate))).toBeLessThan(0.01 * documents);
    }
  });

  test('each side of an account leads to the documents that come to it', async () => {
    const { dora, sheet } = await read();
    for (const { account, debit, credit } of sheet.accounts)
      for (const [side, amount] of [
        ['debit', debit],
        ['credit', credit],
      ] as const)
        expect((await dora(api.books.listBookDocuments, { month, query: { account, side } })).data!.sum, `${account} ${side}`).toBe(amount);
    for (const query of [{}, { account: 'tax', age: 'older' }] as const)
      expect((await dora(api.books.listBookDocuments, { month, query })).status).toBe(400);
    expect((await dora(api.books.listBookDocuments, { month: '2999-01', query: { account: 'tax' } })).status).toBe(404);
  });

  test('the general ledger balances entry by entry and agrees with the ledger of members, account by account', async () => {
    const { sheet } = await read();
    const postings = await postingsOf(portal.db.read, month, 'AUD');
    for (const [entry, lines] of Map.groupBy(postings, each => each.entry))
      expect(sumOf(lines.map(({ amount }) => amount)), entry).toBe(0n);
    const moved = (...of: string[]) => sumOf(postings.filter(({ account }) => of.includes(account)).map(({ amount }) => amount));
    for (const [account, of] of [
      ['receivable', ['receivable']],
      ['credit', ['credit']],
      ['bank', ['bank', 'card']],
      ['revenue', ['deferred', 'membershipFees', 'transferFees', 'otherFees']],
      ['tax', ['tax']],
      ['badDebt', ['badDebt']],
    ] as const) {
      const { debit, credit } = accountIn(sheet, account);
      expect(moved(...of), account).toBe(cents(debit) - cents(credit));
    }
  });

  test('files for accounting programs balance, with numbers that are numbers and the codes of the profile', async () => {
    const { dora } = await read();
    const file = async (format: PostingFormat) => {
      const text = await (await dora(api.books.exportPostings, { month, query: { format } })).data!.blob.text();
      const [head, ...rows] = cellsOf(text).rows.map(({ cells }) => cells);
      return rows.map(cells => Object.fromEntries(head!.map((name, place) => [name, cells[place] ?? ''])));
    };
    const known = new Set(Object.values(portal.context.profile.accountCodes));
    const total = (rows: Record<string, string>[], column: string) =>
      sumOf(
        rows
          .map(row => row[column]!)
          .filter(amount => amount !== '')
          .map(amount => (expect(amount).toMatch(/^-?\d+\.\d\d$/), amount)),
      );
    for (const [format, debit, credit, code] of [
      ['csv', 'debit', 'credit', 'accountCode'],
      ['odoo', 'line_ids/debit', 'line_ids/credit', 'line_ids/account_id'],
      ['erpnext', 'Debit (Accounting Entries)', 'Credit (Accounting Entries)', 'Account (Accounting Entries)'],
    ] as const) {
      const rows = await file(format);
      expect(total(rows, debit), format).toBe(total(rows, credit));
      expect(total(rows, debit)).toBeGreaterThan(0n);
      for (const row of rows) expect(known.has(row[code]!)).toBe(true);
    }
    const xero = await file('xero');
    expect(total(xero, '*Amount')).toBe(0n);
    expect(xero.length).toBeLessThan(300);
    expect(xero[0]).toMatchObject({ '*Date': days.to.split('-').reverse().join('/'), '*TaxRate': 'BAS Excluded' });
    const parents = (await file('odoo')).filter(({ date }) => date !== '');
    expect(parents.length).toBe(new Set((await postingsOf(portal.db.read, month, 'AUD')).map(({ entry }) => entry)).size);
    const several = await dora(api.books.exportPostings, { month: '2000-01', query: { until: month } });
    expect(several).toMatchObject({ status: 400, errors: [{ field: 'until', message: 'Choose at most 24 months' }] });
    expect((await dora(api.books.exportPostings, { month, query: { until: '2000-01' } })).status).toBe(400);
    expect((await (await portal.as('bill'))(api.books.getBookReports, { month })).status).toBe(404);
  });
});
