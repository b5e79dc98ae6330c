import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import type { ReversalKind } from '@portal/contract/billing/reversals';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { confirmLast } from '../../../../test/deciding-requests.ts';
import { billingInvariants } from '../invariants.ts';
import { ledgerAccounts, ledgerOf } from '../invoices/ledger.ts';
import { cents, printCents } from '../money.ts';
import { receiveProviderNews } from './provider-reports.ts';

const [account, other] = ['EXAMPLE-AU', 'KELP-WS'] as const;
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** Two accounts with an invoice each. */
async function registryWithPayments() {
  const portal = await billingPortal(undefined, { [account]: daysAfter(today, -10), [other]: daysAfter(today, -10) });
  await portal.on(today);
  const stella = await portal.as('stella');
  const invoiceOf = async (of: string) => (await portal.billingOf(of)).invoices[0]!;
  let references = 0;
  const pay = async (of: string, amount: string) => {
    const { number } = await invoiceOf(of);
    const body = { amount, receivedOn: today, reference: `REV-${(references += 1)}` };
    const { data, errors } = await stella(api.billing.recordPayment, { invoiceNumber: number, body });
    expect(errors).toBeUndefined();
    return data!.payments.at(-1)!.receipt;
  };
  const reverse = (receiptNumber: string, kind: ReversalKind, moveTo?: string) =>
    stella(api.reversals.reversePayment, { receiptNumber, body: { kind, reason: 'The bank says so', ...(moveTo && { moveTo }) } });
  /** The ledger of both accounts balances, and says what the pages say. */
  const books = async () => {
    for (const of of [account, other]) {
      const entries = await ledgerOf(portal.db.read, of);
      const sum = (sides: readonly (typeof ledgerAccounts)[number][]) =>
        entries.reduce((all, entry) => sides.reduce((part, side) => part + cents(entry[side]), all), 0n);
      const { invoices, credit } = await portal.billingOf(of);
      expect(sum(ledgerAccounts)).toBe(0n);
      expect(sum(['receivable'])).toBe(invoices.reduce((all, { balance }) => all + cents(balance), 0n));
      expect(-sum(['credit'])).toBe(cents(credit));
    }
    const { db, context } = portal;
    const scope = {
      read: db.read,
      accounts: null,
      profile: context.profile,
      modules: context.modules,
      secrets: context.config,
      now: new Date(),
    };
    for (const { name, check } of billingInvariants) expect(await check(scope), name).toEqual([]);
  };
  return Object.assign(portal, { stella, invoiceOf, pay, reverse, books });
}

test('a bounced payment leaves its invoice due again and the term as it was, with time to pay, a number of its own and a notice', async () => {
  await using portal = await registryWithPayments();
  const issued = await portal.invoiceOf(account);
  const termBefore = (await portal.billingOf(account)).expiryDate;
  const receipt = await portal.pay(account, issued.total);
  expect((await portal.billingOf(account)).expiryDate).toBe(issued.periodTo);
  await portal.newMails();
  const reversed = await portal.reverse(receipt, 'bounced');
  expect(reversed).toMatchObject({
    status: 200,
    data: { state: 'unpaid', paid: '0.00', balance: issued.total, paidOn: null, extendedUntil: daysAfter(today, 14) },
  });
  expect(reversed.data!.payments).toMatchObject([{ receipt, reversed: { number: `RV-${today.slice(0, 4)}-000001`, on: today } }]);
  expect((await portal.billingOf(account)).expiryDate).toBe(termBefore);
  expect(await portal.newMails()).toContain(`bill: ${account}: a payment for ${issued.number} was reversed`);
  await portal.books();
  // The clock goes on from there: it neither bills the term again nor suspends the account before its time.
  await portal.on(daysAfter(today, 13));
  expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
  expect((await portal.billingOf(account)).invoices.filter(({ periodFrom }) => periodFrom === issued.periodFrom)).toHaveLength(1);
  // Paid again it is more than one person records for an account.
  const again = { amount: issued.total, receivedOn: today, reference: 'REV-AGAIN' };
  expect(await portal.stella(api.billing.recordPayment, { invoiceNumber: issued.number, body: again })).toMatchObject({ status: 409 });
  expect((await confirmLast(portal)).status).toBe(200);
  expect((await portal.billingOf(account)).expiryDate).toBe(issued.periodTo);
  await portal.books();
});

test('a payment of the wrong invoice is moved to the right one of another account, once', async () => {
  await using portal = await registryWithPayments();
  const [wrong, right] = [await portal.invoiceOf(account), await portal.invoiceOf(other)];
  const receipt = await portal.pay(account, '300.00');
  for (const [moveTo, refused] of [
    [undefined, { status: 400, errors: [{ field: 'moveTo' }] }],
    [wrong.number, { status: 400, errors: [{ field: 'moveTo' }] }],
    ['INV-1999-000001', { status: 404, errors: [{ code: 'NOT_FOUND' }] }],
  ] as const)
    expect(await portal.reverse(receipt, 'wrong-invoice', moveTo)).toMatchObject(refused);
  expect(await portal.reverse(receipt, 'bounced', right.number)).toMatchObject({ status: 400, errors: [{ field: 'moveTo' }] });
  expect((await portal.reverse(receipt, 'wrong-invoice', right.number)).data).toMatchObject({ state: 'unpaid', balance: wrong.total });
  expect(await portal.invoiceOf(other)).toMatchObject({ state: 'partly-paid', paid: '300.00' });
  expect(await portal.reverse(receipt, 'recalled')).toMatchObject({
    status: 409,
    errors: [{ code: 'PAYMENT_NOT_REVERSIBLE', message: expect.stringContaining('reversed it already') }],
  });
  await portal.books();
});

test('what became credit is taken back, and a payment of which the credit was used can’t be reversed', async () => {
  await using portal = await registryWithPayments();
  const { total } = await portal.invoiceOf(account);
  const receipt = await portal.pay(account, printCents(cents(total) + 5000n));
  const refund = { amount: '20.00', refundedOn: today, reference: 'BACK-1', reason: 'Asked for' };
  expect((await (await portal.as('dora'))(api.corrections.recordRefund, { accountName: account, body: refund })).status).toBe(200);
  expect(await portal.reverse(receipt, 'recalled')).toMatchObject({
    status: 409,
    errors: [{ code: 'PAYMENT_NOT_REVERSIBLE', message: expect.stringContaining('of which AUD\u00a030.00 is left') }],
  });
  const more = await portal.pay(other, printCents(cents((await portal.invoiceOf(other)).total) + 5000n));
  expect((await portal.billingOf(other)).credit).toBe('50.00');
  expect((await portal.reverse(more, 'recalled')).status).toBe(200);
  expect((await portal.billingOf(other)).credit).toBe('0.00');
  await portal.books();
});

test('reversals count as money given, and beyond the limit a second person approves', async () => {
  await using portal = await registryWithPayments();
  const receipt = await portal.pay(account, '10.00');
  const note = { invoiceNumber: (await portal.invoiceOf(account)).number, body: { amount: '5.00', reason: 'A mistake' } };
  expect((await portal.stella(api.corrections.issueCreditNote, note)).status).toBe(200);
  const limits = portal.context.profile.limitsAlone;
  portal.context.profile.limitsAlone = { ...limits, given: { ...limits.given, account: '14.99' } };
  try {
    expect(await portal.reverse(receipt, 'bounced')).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    expect((await confirmLast(portal)).status).toBe(200);
  } finally {
    portal.context.profile.limitsAlone = limits;
  }
  expect((await portal.invoiceOf(account)).paid).toBe('0.00');
  await portal.books();
  for (const statement of [sql`delete from payment_reversal`, sql`update payment_reversal set amount = 1`])
    await expect(portal.db.change(line, change => statement.execute(change))).rejects.toThrow('A reversal stays as it was recorded');
  expect((await (await portal.as('bill'))(api.reversals.listProviderReports, {})).status).toBe(404);
});

test('days to pay again count as more time: a cent that is paid and taken back again and again needs a second person', async () => {
  await using portal = await registryWithPayments();
  const more = async (until: number) => {
    const { number } = await portal.invoiceOf(account);
    const body = { until: daysAfter(today, until), reason: 'They asked' };
    return portal.stella(api.billing.extendInvoice, { invoiceNumber: number, body });
  };
  expect((await portal.reverse(await portal.pay(account, '0.01'), 'bounced')).status).toBe(200);
  // 14 of 60 days are used, and the same days don't count twice.
  expect((await portal.reverse(await portal.pay(account, '0.01'), 'bounced')).status).toBe(200);
  expect((await more(60)).status).toBe(200);
  expect((await more(10)).status).toBe(200);
  const receipt = await portal.pay(account, '0.01');
  expect(await portal.reverse(receipt, 'bounced')).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
  expect((await confirmLast(portal)).status).toBe(200);
  expect((await portal.invoiceOf(account)).extendedUntil).toBe(daysAfter(today, 14));
});

test('a report of money that went back, or that came and is recorded nowhere, isn’t noted away beyond what one person may give', async () => {
  await using portal = await registryWithPayments();
  const { number } = await portal.invoiceOf(account);
  await portal.db.change(line, change =>
    sql`insert into payment (account_name, invoice_id, method, amount, received_on, reference, recorded_at)
      select account_name, invoice_id, 'card', total, ${today}::date, 'pi_1', now() from invoice where number = ${number}`.execute(change),
  );
  let reports = 0;
  const resolve = async (kind: 'disputed' | 'dispute-won' | 'dispute-lost' | 'unknown-checkout', payment: string, amount: number) => {
    await receiveProviderNews(
      portal.db,
      { eventId: `evt_${(reports += 1)}`, kind, payment, currency: 'AUD', amount },
      portal.context.profile,
    );
    const { reportId } = (await portal.stella(api.reversals.listProviderReports, {})).data!.reports.at(-1)!;
    return portal.stella(api.reversals.resolveProviderReport, { reportId, body: { note: 'Dealt with it' } });
  };
  const two = { status: 409, errors: [{ code: 'SECOND_PERSON' }] };
  for (const kind of ['disputed', 'dispute-won'] as const) expect((await resolve(kind, 'pi_1', 9_000_000)).status).toBe(200);
  expect((await resolve('dispute-lost', 'pi_1', 999_999)).status).toBe(200);
  expect(await resolve('dispute-lost', 'pi_1', 2)).toMatchObject(two);
  expect((await confirmLast(portal)).status).toBe(200);
  // Of a payment that isn't in the books, nothing is given.
  expect((await resolve('dispute-lost', 'pi_unknown', 9_000_000)).status).toBe(200);
  expect(await resolve('unknown-checkout', 'pi_2', 50_000_001)).toMatchObject(two);
});

test('what the card provider reports is a task of the desk, once, until someone says what was done', async () => {
  await using portal = await registryWithPayments();
  const { number } = await portal.invoiceOf(account);
  await portal.db.change(line, change =>
    sql`insert into payment (account_name, invoice_id, method, amount, received_on, reference, recorded_at)
      select account_name, invoice_id, 'card', total, ${today}::date, 'pi_1', now() from invoice where number = ${number}`.execute(change),
  );
  await portal.newMails();
  const news = { eventId: 'evt_1', kind: 'disputed', payment: 'pi_1', currency: 'AUD', amount: 12_345 } as const;
  for (const each of [news, news, { ...news, eventId: 'evt_2', kind: 'refunded' as const, payment: 'pi_unknown' }])
    await receiveProviderNews(portal.db, each, portal.context.profile);
  const { reports } = (await portal.stella(api.reversals.listProviderReports, {})).data!;
  expect(reports).toMatchObject([
    { kind: 'disputed', amount: '123.45', invoice: { number, accountName: account } },
    { kind: 'refunded', payment: 'pi_unknown', invoice: null },
  ]);
  expect(await portal.newMails()).toEqual([
    `billing: Disputed by the payer: AUD\u00a0123.45 of ${number}`,
    'billing: Refunded at the provider: AUD\u00a0123.45',
  ]);
  const { reportId } = reports[0]!;
  const resolve = () => portal.stella(api.reversals.resolveProviderReport, { reportId, body: { note: 'Reversed it' } });
  expect((await resolve()).data!.reports).toMatchObject([{ kind: 'refunded' }]);
  expect((await resolve()).status).toBe(404);
});
