import { api } from '@portal/contract/api';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { reactivationOf } from '../membership/open-reactivation.ts';
import { completeReactivations } from './reactivation.ts';
import { ledgerAccounts, ledgerOf } from '../invoices/ledger.ts';
import { issueTransferFees } from '../issuing/transfer-fees.ts';
import { cents } from '../money.ts';

const account = 'CAMPUS-JP';
const reason = 'They asked within a month';
const profile = readProfile('');

/** Periodic work of reactivations on a day. */
async function minute(portal: BillingPortal, day = today): Promise<void> {
  const now = new Date(`${day}T12:00:00Z`);
  await issueTransferFees(portal.db, { now, profile, store: portal.store, fonts: [] });
  await completeReactivations(portal.db, { now, profile });
}

/** A registry in which the account was closed for an unpaid renewal. */
async function closedAccount(kind: Parameters<typeof billingPortal>[0]) {
  const portal = await billingPortal(kind, { [account]: daysAfter(today, -70) });
  await portal.on(today);
  const stella = await portal.as('stella');
  let references = 0;
  const pay = (invoiceNumber: string, amount: string) =>
    stella(api.billing.recordPayment, {
      invoiceNumber,
      body: { amount, receivedOn: today, reference: `REACT-PAYMENT-${(references += 1)}` },
    });
  return {
    portal,
    pay,
    start: (waiveFee?: boolean) => stella(api.reactivations.startReactivation, { accountName: account, body: { reason, waiveFee } }),
    end: () => stella(api.reactivations.endReactivation, { accountName: account, body: { reason } }),
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

describe.each(kindsForRules)('reactivation on %s', kind => {
  test('a closed account opens again when its fee and its debt are paid, for the term that was billed', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const closed = await portal.billingOf(account);
    expect(closed.reactivation).toMatchObject({ state: 'possible', fee: '1000.00', owed: closed.invoices[0]!.balance });
    const [renewal] = closed.invoices;
    expect(await desk.pay(renewal!.number, renewal!.balance)).toMatchObject({ status: 409, errors: [{ code: 'INVOICE_NOT_PAYABLE' }] });
    await portal.newMails();

    expect(await desk.start()).toMatchObject({ status: 200, data: { reactivation: { state: 'open' } } });
    expect(await desk.start()).toMatchObject({ status: 409, errors: [{ code: 'REACTIVATION_REFUSED' }] });
    await minute(portal);
    await minute(portal);
    const { invoices } = await portal.billingOf(account);
    const fee = invoices.find(({ kind: of }) => of === 'reactivation')!;
    expect(fee).toMatchObject({ subtotal: '1000.00', dueOn: daysAfter(today, profile.reactivationDays) });
    expect(new Set(await portal.newMails())).toEqual(
      new Set([
        `hana: ${account} can be opened again`,
        ...['accounts', 'hana'].map(who => `${who}: ${account}: invoice ${fee.number}, AUD\u00a01\u00a0000.00`),
      ]),
    );

    expect((await desk.pay(renewal!.number, renewal!.balance)).status).toBe(200);
    await minute(portal);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('closed');
    expect((await desk.pay(fee.number, fee.balance)).status).toBe(200);
    await minute(portal);
    expect(await portal.accountStateOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: renewal!.periodTo });
    const open = await portal.billingOf(account);
    expect(open).toMatchObject({ reactivation: null, accountStatus: 'open' });
    // The clock of memberships goes on with the new term.
    expect(open.next).toEqual({ step: 'reminder', day: daysAfter(renewal!.periodTo, -30) });
  });

  test('the contacts of a closed account still have its invoices, and who may change billing opens it again by paying', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const hana = await portal.as('hana');
    const { data: closed } = await hana(api.billing.getBilling, { account });
    const [renewal] = closed!.invoices;
    expect(closed).toMatchObject({
      accountStatus: 'closed',
      reactivation: { state: 'possible', fee: '1000.00', owed: renewal!.balance, byMember: true },
    });
    const { address } = (await hana(api.billing.openInvoice, { account, invoiceNumber: renewal!.number })).data!;
    expect((await hana(api.files.downloadFile, { address })).status).toBe(200);
    expect((await hana(api.billing.downloadStatement, { account, query: {} })).status).toBe(200);
    expect((await hana(api.invoiceDocuments.downloadInvoices, { account, query: {} })).status).toBe(200);
    // All else stays hidden, also what is about billing but not about its invoices.
    const body = { version: closed!.details.version, poNumber: 'PO-1' };
    const hidden = { status: 404, errors: [{ code: 'ACCOUNT_NOT_FOUND' }] };
    expect(await hana(api.billing.updateBillingDetails, { account, body })).toMatchObject(hidden);
    expect(await hana(api.contacts.listContacts, { account, query: {} })).toMatchObject(hidden);
    expect(await (await portal.as('olive'))(api.billing.getBilling, { account })).toMatchObject(hidden);
    expect(await (await portal.as('olive'))(api.reactivations.reactivateAccount, { account })).toMatchObject(hidden);
    const withoutFactor = await portal.as('hana', { mfa: false });
    expect((await withoutFactor(api.reactivations.reactivateAccount, { account })).status).toBe(401);

    const started = await hana(api.reactivations.reactivateAccount, { account });
    expect(started).toMatchObject({ status: 200, data: { reactivation: { state: 'open', owed: renewal!.balance } } });
    expect(await hana(api.reactivations.reactivateAccount, { account })).toMatchObject({
      status: 409,
      errors: [{ code: 'REACTIVATION_REFUSED', message: expect.stringContaining('open already') }],
    });
    expect(await portal.lastActivity()).toMatchObject({ accountName: account });
    await minute(portal);
    for (const { number, balance } of (await portal.billingOf(account)).invoices) await desk.pay(number, balance);
    await minute(portal);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
    expect(await hana(api.reactivations.reactivateAccount, { account })).toMatchObject({
      status: 409,
      errors: [{ message: expect.stringContaining('isn’t closed') }],
    });
  });

  test('an account that staff closed, or that closed on request, is reactivated by staff alone', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const hana = await portal.as('hana');
    const line = (action: string) => ({ action, summary: 'test', traceId: '0'.repeat(32), accountName: account });
    const status = (action: string, accountStatus: 'open' | 'closed') =>
      portal.db.change(line(action), change =>
        change.updateTable('account').set({ accountStatus }).where('accountName', '=', account).execute(),
      );
    await status('test', 'open');
    await status('organisations.closeAccount', 'closed');
    expect((await hana(api.billing.getBilling, { account })).data!.reactivation).toMatchObject({ state: 'possible', byMember: false });
    expect(await hana(api.reactivations.reactivateAccount, { account })).toMatchObject({
      status: 409,
      errors: [{ code: 'REACTIVATION_REFUSED', message: expect.stringContaining('Write to') }],
    });
    expect((await desk.start()).status).toBe(200);
  });

  test('without a fee it opens when the debt is paid; a debt is not written off meanwhile', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    await desk.start(true);
    const [renewal] = (await portal.billingOf(account)).invoices;
    const dora = await portal.as('dora');
    expect(await dora(api.corrections.writeOffInvoice, { invoiceNumber: renewal!.number, body: { reason } })).toMatchObject({
      status: 409,
      errors: [{ code: 'INVOICE_SETTLED', message: expect.stringContaining('reactivation') }],
    });
    await desk.pay(renewal!.number, renewal!.balance);
    await minute(portal);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('open');
    expect((await portal.billingOf(account)).invoices).toHaveLength(1);
  });

  test('a reactivation ends when it is not paid in time or staff end it, and payments of its fee become credit', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    await desk.start();
    await minute(portal);
    const fee = async () => (await portal.billingOf(account)).invoices.find(({ kind: of }) => of === 'reactivation')!;
    await desk.pay((await fee()).number, '400');
    await minute(portal, daysAfter(today, profile.reactivationDays + 1));
    expect(await portal.billingOf(account)).toMatchObject({
      accountStatus: 'closed',
      credit: '400.00',
      reactivation: { state: 'possible' },
    });
    expect((await fee()).state).toBe('cancelled');
    expect((await desk.end()).status).toBe(409);
    await desk.start();
    expect((await desk.end()).status).toBe(200);
    await minute(portal);
    expect((await portal.billingOf(account)).reactivation).toMatchObject({ state: 'possible' });
  });

  test('a fee that was credited in part, and then ends, leaves nothing owed in the ledger', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    await desk.start();
    await minute(portal);
    const fee = async () => (await portal.billingOf(account)).invoices.find(({ kind: of }) => of === 'reactivation')!;
    const invoiceNumber = (await fee()).number;
    const body = { amount: '333.33', reason };
    expect((await (await portal.as('stella'))(api.corrections.issueCreditNote, { invoiceNumber, body })).status).toBe(200);
    await desk.pay(invoiceNumber, '400');
    expect((await desk.end()).status).toBe(200);
    const sums = (await ledgerOf(portal.db.read, account)).reduce(
      (sum, entry) => ledgerAccounts.map((side, place) => sum[place]! + cents(entry[side])),
      ledgerAccounts.map(() => 0n),
    );
    const { invoices, credit } = await portal.billingOf(account);
    const [receivable, inCredit, bank, revenue, tax] = sums;
    expect(sums.reduce((all, each) => all + each, 0n)).toBe(0n);
    expect(receivable).toBe(invoices.reduce((all, { balance }) => all + cents(balance), 0n));
    expect([credit, inCredit, bank]).toEqual(['400.00', -40_000n, 40_000n]);
    // Of the fee nothing is left as income.
    const [renewal] = invoices.filter(({ kind: of }) => of === 'renewal');
    expect([revenue, tax]).toEqual([-cents(renewal!.subtotal), -cents(renewal!.tax)]);
  });

  test('three months after closing is too late, and an open account can’t be reactivated', async () => {
    await using desk = await closedAccount(kind);
    const { portal } = desk;
    const stella = await portal.as('stella');
    for (const [accountName, why] of [
      ['GONE-VU', 'isn’t known here'],
      ['OTHER-SG', 'it isn’t closed'],
    ] as const)
      expect(await stella(api.reactivations.startReactivation, { accountName, body: { reason } })).toMatchObject({
        status: 409,
        errors: [{ code: 'REACTIVATION_REFUSED', message: expect.stringContaining(why) }],
      });
    const on = async (day: string) => (await reactivationOf(portal.db.read, account, { today: day, profile }))!.state;
    const last = monthsAfter(today, profile.reactivationMonths);
    expect([await on(last), await on(daysAfter(last, 1))]).toEqual(['possible', 'too-late']);
    expect((await portal.billingOf('OTHER-SG')).reactivation).toBe(null);
  });
});
