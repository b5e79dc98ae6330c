import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { confirmLast } from '../../../../test/deciding-requests.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { journalOf, ledgerAccounts } from '../invoices/ledger.ts';
import { cents, printCents } from '../money.ts';
import { bookInvariants } from './book-invariants.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const account = 'EXAMPLE-AU';
/** The latest month that can be closed, and its last day. */
const until = daysAfter(`${daysAfter(today, -2).slice(0, 7)}-01`, -1).slice(0, 7);
const lastDay = daysAfter(monthsAfter(`${until}-01`, 1), -1);
const firstOpen = daysAfter(lastDay, 1);

/** A registry with an invoice that was issued in the month and paid in part. */
async function registryWithMonth(kind?: (typeof kindsForRules)[number]) {
  const portal = await billingPortal(kind, { [account]: daysAfter(lastDay, -12) });
  await portal.on(daysAfter(lastDay, -5));
  const [stella, stan, bill] = await Promise.all([portal.as('stella'), portal.as('stan'), portal.as('bill')]);
  const invoice = async () => (await portal.billingOf(account)).invoices[0]!;
  let references = 0;
  const pay = async (receivedOn: string, more: { amount?: string; isEarly?: boolean } = {}) =>
    stella(api.billing.recordPayment, {
      invoiceNumber: (await invoice()).number,
      body: { amount: '10.00', receivedOn, reference: `BOOKS-${(references += 1)}`, ...more },
    });
  expect((await pay(daysAfter(lastDay, -2))).status).toBe(200);
  const close = (month = until) => stella(api.books.closeMonths, { body: { until: month } });
  const journal = async (month = until): Promise<Buffer> =>
    Buffer.from(await (await stella(api.books.exportJournal, { month })).data!.blob.arrayBuffer());
  const statement = async (): Promise<string> =>
    (await bill(api.billing.exportStatement, { account, query: { to: lastDay, format: 'csv' } })).data!.blob.text();
  return Object.assign(portal, { stella, stan, bill, invoice, pay, close, journal, statement });
}
type Books = Awaited<ReturnType<typeof registryWithMonth>>;

const violations = ({ db, context }: BillingPortal) =>
  bookInvariants[0]!.check({
    read: db.read,
    accounts: null,
    profile: context.profile,
    modules: context.modules,
    secrets: context.config,
    now: new Date(),
  });

const inDatabase = ({ db }: Books, statement: RawBuilder<unknown>) => db.change(line, change => statement.execute(change));

describe.each(kindsForRules)('a closed month on %s', kind => {
  let portal: Books;
  let kept: { journal: Buffer; statement: string };
  beforeAll(async () => {
    portal = await registryWithMonth(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('is closed by one person and confirmed by another, who sees what it comes to', async () => {
    kept = { journal: await portal.journal(), statement: await portal.statement() };
    expect(await portal.close()).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    const before = (await portal.stella(api.books.getBooks, {})).data!;
    expect(before).toMatchObject({ closable: until, firstOpenDay: null });
    const { waiting } = (await portal.stan(api.proposals.listStaffProposals, {})).data!;
    expect(waiting.at(-1)!.shown.map(({ label }) => label)).toEqual(expect.arrayContaining(['Months', 'Entries', 'Hash']));
    expect(await confirmLast(portal, 'stella')).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
    expect((await confirmLast(portal)).status).toBe(200);
    const after = (await portal.stella(api.books.getBooks, {})).data!;
    expect(after).toMatchObject({ firstOpenDay: firstOpen, closable: null });
    expect(after.months.find(({ month }) => month === until)!.closed).toMatchObject({
      closedBy: 'Stella Kowalski',
      confirmedBy: 'Stan Petrov',
      sha256: createHash('sha256').update(kept.journal).digest('hex'),
    });
  });

  test('takes no payment and no refund, and says which day is open', async () => {
    const period = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${until}-01`));
    const closed = { code: 'PERIOD_CLOSED', message: `${period} is closed. The first open day is ${firstOpen}` };
    expect(await portal.pay(lastDay)).toMatchObject({ status: 409, errors: [{ ...closed, field: 'receivedOn' }] });
    const body = { amount: '1.00', refundedOn: lastDay, reference: 'BACK', reason: 'Asked for' };
    expect(await (await portal.as('dora'))(api.corrections.recordRefund, { accountName: account, body })).toMatchObject({
      status: 409,
      errors: [{ ...closed, field: 'refundedOn' }],
    });
    // Long before the first entry too.
    expect(await portal.pay('1999-01-01', { isEarly: true })).toMatchObject({ status: 409, errors: [{ code: 'PERIOD_CLOSED' }] });
  });

  test('is held by the database, also against what writes past the program', async () => {
    for (const statement of [
      sql`update payment set amount = amount + 1 where received_on = ${daysAfter(lastDay, -2)}::date`,
      sql`update payment set received_on = current_date where received_on = ${daysAfter(lastDay, -2)}::date`,
      sql`delete from payment where received_on = ${daysAfter(lastDay, -2)}::date`,
      sql`update invoice set subtotal = subtotal + 1, total = total + 1 where issued_on <= ${lastDay}::date`,
      sql`update invoice set issued_on = current_date where issued_on <= ${lastDay}::date`,
      sql`insert into payment (account_name, invoice_id, method, amount, received_on, reference, recorded_at)
        select account_name, invoice_id, 'card', 1, ${lastDay}::date, 'card-1', now() from invoice limit 1`,
      sql`insert into account_credit (account_name, amount, payment_id, at) select account_name, 1, payment_id, now() from payment
        where received_on = ${daysAfter(lastDay, -2)}::date limit 1`,
    ])
      await expect(inDatabase(portal, statement)).rejects.toThrow('is closed');
    for (const statement of [sql`delete from closed_month`, sql`update closed_month set entries = 0`])
      await expect(inDatabase(portal, statement)).rejects.toThrow('A closed month stays closed');
  });

  test('keeps the bytes of its journal and of statements, whatever is recorded later', async () => {
    expect((await portal.pay(today)).status).toBe(200);
    const { number } = await portal.invoice();
    const note = { invoiceNumber: number, body: { amount: '20.00', reason: 'A mistake' } };
    expect((await portal.stella(api.corrections.issueCreditNote, note)).status).toBe(200);
    expect((await portal.pay(today, { amount: (await portal.invoice()).balance })).status).toBe(200);
    expect((await portal.stella(api.corrections.issueCreditNote, note)).status).toBe(200);
    expect((await portal.journal()).equals(kept.journal)).toBe(true);
    expect(await portal.statement()).toBe(kept.statement);
    expect(await violations(portal)).toEqual([]);
    const { accounts, checks } = (await portal.stella(api.books.getBookMonth, { month: today.slice(0, 7) })).data!;
    const cents = (text: string): bigint => BigInt(text.replace('.', ''));
    expect(accounts.reduce((sum, { after }) => sum + cents(after), 0n)).toBe(0n);
    expect(checks.map(({ passed }) => passed)).toEqual([true, true, true]);
  });

  test('is not closed again, and no month before it has ended', async () => {
    for (const month of [until, today.slice(0, 7)])
      expect(await portal.close(month)).toMatchObject({ status: 400, errors: [{ field: 'until' }] });
    expect((await portal.stella(api.books.getBookMonth, { month: '2999-01' })).status).toBe(404);
    expect((await portal.bill(api.books.getBooks, {})).status).toBe(404);
  });
});

test('a month with transfers that no one has matched isn’t closed', async () => {
  await using portal = await registryWithMonth();
  const content = `Date,Amount,Description\n${lastDay},5.00,Unknown\n`;
  await portal.stella(api.bankStatements.importBankStatement, { body: { fileName: 'bank.csv', content } });
  expect(await portal.close()).toMatchObject({
    status: 409,
    errors: [{ code: 'MONTH_OPEN', message: expect.stringContaining('1 transfer is left') }],
  });
});

test('a month with an invoice that was issued later than one of the next month, as its clock was late, has no gap', async () => {
  await using portal = await registryWithMonth();
  const endTerm = (accountName: string, expiryDate: string) =>
    portal.db.change(line, change =>
      change.updateTable('account').set({ expiryDate, accountStatus: 'open' }).where('accountName', '=', accountName).execute(),
    );
  await endTerm('KELP-WS', lastDay);
  await portal.on(today);
  const late = 'OTHER-SG';
  await endTerm(late, daysAfter(lastDay, -12));
  await portal.on(today);
  const numberOf = async (of: string) => (await portal.billingOf(of)).invoices[0]!;
  const [first, second] = [await numberOf('KELP-WS'), await numberOf(late)];
  expect(second.issuedOn <= lastDay && first.issuedOn > lastDay && second.number > first.number).toBe(true);
  const { checks } = (await portal.stella(api.books.getBookMonth, { month: until })).data!;
  expect(checks.find(({ check }) => check === 'numbers')).toMatchObject({ passed: true });
  await inDatabase(
    portal,
    sql`insert into payment_reversal (number, year, sequence, account_name, payment_id, kind, reversed_on, amount, from_credit, reason, reversed_by, reversed_at, limited_act_id)
      select 'RV-' || ${until.slice(0, 4)} || '-000002', ${until.slice(0, 4)}::int, 2, account_name, payment_id, 'bounced', ${lastDay}::date, amount, 0, 'A gap', recorded_by, now(), limited_act_id
      from payment where method = 'bank transfer' limit 1`,
  );
  expect(await portal.close()).toMatchObject({ status: 409, errors: [{ message: expect.stringContaining('1 number is missing') }] });
});

test('a month says what each account held before it, and what rose and fell in it', async () => {
  await using portal = await registryWithMonth();
  const entries = await journalOf(portal.db.read, { from: '0001-01-01', to: lastDay });
  const sum = (of: (typeof ledgerAccounts)[number], which: (day: string, amount: bigint) => boolean): bigint =>
    entries.reduce((all, entry) => (which(entry.day, cents(entry[of])) ? all + cents(entry[of]) : all), 0n);
  const since = `${until}-01`;
  const sheet = (await portal.stella(api.books.getBookMonth, { month: until })).data!;
  expect(sheet.entries).toBe(entries.filter(({ day }) => day >= since).length);
  expect(sheet.entries).toBeGreaterThan(1);
  expect(sheet.accounts).toEqual(
    ledgerAccounts.map(name => {
      const before = sum(name, day => day < since);
      const debit = sum(name, (day, amount) => day >= since && amount > 0n);
      const credit = -sum(name, (day, amount) => day >= since && amount < 0n);
      const [inWords, after] = [printCents(before), printCents(before + debit - credit)];
      return { account: name, codes: expect.any(Array), before: inWords, debit: printCents(debit), credit: printCents(credit), after };
    }),
  );
});

test('a payment before its invoice was issued is asked about', async () => {
  await using portal = await registryWithMonth();
  const early = daysAfter((await portal.invoice()).issuedOn, -1);
  expect(await portal.pay(early)).toMatchObject({ status: 409, errors: [{ code: 'PAYMENT_EARLY', field: 'receivedOn' }] });
  expect((await portal.pay(early, { isEarly: true })).status).toBe(200);
});

test('a payment at the moment of closing is refused, or what the second person was shown no longer holds', async () => {
  await using portal = await registryWithMonth();
  await portal.close();
  const [confirmed, ...paid] = await Promise.all([confirmLast(portal), ...Array.from({ length: 4 }, () => portal.pay(lastDay))]);
  const isClosed = confirmed.status === 200;
  expect([undefined, 'PROPOSAL_OUTDATED']).toContain(confirmed.errors?.[0]?.code);
  for (const { status, errors } of paid) expect(isClosed ? ['PERIOD_CLOSED'] : [undefined], String(status)).toContain(errors?.[0]?.code);
  const { firstOpenDay } = (await portal.stella(api.books.getBooks, {})).data!;
  expect(firstOpenDay).toBe(isClosed ? firstOpen : null);
  expect(await violations(portal)).toEqual([]);
});

test('a renewal that is caught up with after its month was closed is billed in the open one', async () => {
  const late = 'OTHER-SG';
  await using portal = await registryWithMonth();
  await portal.close();
  expect((await confirmLast(portal)).status).toBe(200);
  await portal.db.change(line, change =>
    change
      .updateTable('account')
      .set({ expiryDate: daysAfter(lastDay, -20), accountStatus: 'open' })
      .where('accountName', '=', late)
      .execute(),
  );
  await portal.on(today);
  expect((await portal.billingOf(late)).invoices[0]).toMatchObject({ issuedOn: firstOpen });
  expect(await violations(portal)).toEqual([]);
});
