import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { cents, printCents } from '../money.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('billing of several accounts on %s', kind => {
  const ends = Object.fromEntries(['EXAMPLE-AU', 'SOUTHSITE-NZ', 'OTHER-SG'].map(name => [name, daysAfter(today, -2)]));
  let portal: BillingPortal;
  const numbers: Record<string, string> = {};
  const corin = () => portal.as('corin');
  const together = async (name = 'corin', options = {}) =>
    (await (await portal.as(name, options))(api.jointBilling.getJointBilling, {})).data!;
  const combine = async (invoiceNumbers: string[], name = 'corin') =>
    (await portal.as(name))(api.jointBilling.combineInvoices, { body: { invoiceNumbers } });
  beforeAll(async () => {
    portal = await billingPortal(kind, ends);
    await portal.on(today);
    for (const accountName of Object.keys(ends)) numbers[accountName] = (await portal.billingOf(accountName)).invoices[0]!.number;
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('a person sees the accounts whose billing that person may view, and no other', async () => {
    const { accounts, due, leftOut } = await together();
    expect(accounts.map(({ accountName, mayPay }) => [accountName, mayPay])).toEqual([
      ['EXAMPLE-AU', true],
      ['LABNET-AU', true],
      ['SOUTHSITE-NZ', true],
    ]);
    expect(due.map(({ number }) => number)).toEqual([numbers['EXAMPLE-AU']!, numbers['SOUTHSITE-NZ']!].toSorted());
    expect(leftOut).toEqual([]);
    for (const { accountName, owed } of accounts) expect(owed).toBe(due.find(each => each.accountName === accountName)?.balance ?? '0.00');
    expect(await together('tess')).toMatchObject({ accounts: [], due: [], leftOut: [{ accountName: 'EXAMPLE-AU', why: 'permission' }] });
    expect((await together('olive')).due.map(({ accountName }) => accountName)).toEqual(['OTHER-SG']);
    expect(await together('nadia')).toMatchObject({ accounts: [], due: [], leftOut: [] });
  });

  test('an account that demands a second factor is left out without one', async () => {
    await portal.db.change(line, change =>
      change.rows(sql`insert into account_safety (account_name, second_factor_from) values ('EXAMPLE-AU', ${daysAfter(today, -3)})
        on conflict (account_name) do update set second_factor_from = excluded.second_factor_from`),
    );
    const { accounts, leftOut, due } = await together('bill', { mfa: false });
    expect([accounts, due, leftOut]).toEqual([[], [], [{ accountName: 'EXAMPLE-AU', why: 'second-factor' }]]);
    await portal.db.change(line, change => change.rows(sql`update account_safety set second_factor_from = null`));
    expect((await together('bill', { mfa: false })).accounts).toHaveLength(1);
  });

  test('the statements of all accounts are one file, each account with its own statement', async () => {
    const saved = await (await corin())(api.jointBilling.exportJointStatement, { query: { format: 'csv' } });
    const [head, ...rows] = (await saved.data!.blob.text()).trimEnd().split('\r\n');
    expect(head).toBe('account,day,document,description,currency,charged,received,balance');
    expect(rows.map(row => row.split(',')[0])).toEqual(['EXAMPLE-AU', 'SOUTHSITE-NZ']);
    const early = { from: '2027-01-02', to: '2027-01-01', format: 'csv' } as const;
    expect(await (await corin())(api.jointBilling.exportJointStatement, { query: early })).toMatchObject({
      status: 400,
      errors: [{ field: 'to', message: 'Choose a date on or after 2027-01-02' }],
    });
  });

  test('invoices of several accounts get one reference, the same each time; invoices of other people’s accounts are not found', async () => {
    const both = [numbers['EXAMPLE-AU']!, numbers['SOUTHSITE-NZ']!];
    const [one, other] = await Promise.all([combine(both), combine(both.toReversed())]);
    expect(one.data!.number).toMatch(/^PAY-\d{4}-000001$/);
    expect(other.data!.number).toBe(one.data!.number);
    const { due, payments } = await together();
    expect(payments.map(({ number, amount }) => [number, amount])).toEqual([
      [one.data!.number, printCents(due.reduce((sum, { balance }) => sum + cents(balance), 0n))],
    ]);
    for (const [given, name] of [
      [[...both, numbers['OTHER-SG']!], 'corin'],
      [[...both, 'INV-1999-000001'], 'corin'],
      [both, 'tess'],
      [both, 'olive'],
    ] as const)
      expect(await combine([...given], name)).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
    expect(await combine([both[0]!, both[0]!])).toMatchObject({ status: 400, errors: [{ field: 'invoiceNumbers' }] });
    expect(await combine([both[0]!])).toMatchObject({ status: 400, errors: [{ message: 'Choose at least 2 invoices' }] });
    expect(await combine(Array.from({ length: 51 }, (_, place) => `INV-2026-${String(place).padStart(6, '0')}`))).toMatchObject({
      status: 400,
      errors: [{ message: 'Choose at most 50 invoices' }],
    });
    // No one else discards or pays it.
    const stranger = await portal.as('olive');
    const paymentNumber = one.data!.number;
    expect((await stranger(api.jointBilling.discardJointPayment, { paymentNumber })).status).toBe(404);
    expect(await stranger(api.jointBilling.startJointCheckout, { paymentNumber })).toMatchObject({
      status: 409,
      errors: [{ code: 'CHECKOUT_OFF' }],
    });
    expect((await stranger(api.jointBilling.getJointCheckout, { checkoutId: '1' })).status).toBe(404);
  });

  test('an account that the person lost access to vanishes, with the payments that it is a part of', async () => {
    const set = (permissions: string) =>
      portal.db.change(line, change =>
        change.rows(
          sql`update contact set permissions = ${permissions}::text[] where account_name = 'SOUTHSITE-NZ' and full_name like 'Corin%'`,
        ),
      );
    const [{ permissions }] = (await portal.db.read.rows<{ permissions: string[] }>(
      sql`select permissions from contact where account_name = 'SOUTHSITE-NZ' and full_name like 'Corin%'`,
    )) as [{ permissions: string[] }];
    await set('{member-billing-view}');
    expect(await together()).toMatchObject({ payments: [], accounts: [{}, {}, { accountName: 'SOUTHSITE-NZ', mayPay: false }] });
    expect(await combine([numbers['EXAMPLE-AU']!, numbers['SOUTHSITE-NZ']!])).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringContaining('ask a corporate contact of SOUTHSITE-NZ') }],
    });
    await set('{}');
    const { accounts, due, payments, leftOut } = await together();
    expect([accounts.length, due.map(({ accountName }) => accountName), payments]).toEqual([2, ['EXAMPLE-AU'], []]);
    expect(leftOut).toEqual([{ accountName: 'SOUTHSITE-NZ', why: 'permission' }]);
    expect((await combine([numbers['EXAMPLE-AU']!, numbers['SOUTHSITE-NZ']!])).status).toBe(404);
    await portal.db.change(line, change =>
      change.rows(sql`update contact set status = 'removed' where account_name = 'SOUTHSITE-NZ' and full_name like 'Corin%'`),
    );
    expect(await together()).toMatchObject({ leftOut: [], accounts: [{ accountName: 'EXAMPLE-AU' }, { accountName: 'LABNET-AU' }] });
    await portal.db.change(line, change =>
      change.rows(sql`update contact set status = 'active' where account_name = 'SOUTHSITE-NZ' and full_name like 'Corin%'`),
    );
    await set(`{${permissions.join(',')}}`);
    expect((await together()).payments).toHaveLength(1);
  });

  test('a transfer that quotes the reference pays all invoices, even after the reference was discarded', async () => {
    const [payment] = (await together()).payments;
    const { number, amount, invoices } = payment!;
    expect((await (await corin())(api.jointBilling.discardJointPayment, { paymentNumber: number })).status).toBe(204);
    expect((await together()).payments).toEqual([]);
    expect((await (await corin())(api.jointBilling.discardJointPayment, { paymentNumber: number })).status).toBe(404);
    const stella = await portal.as('stella');
    const content = `Date,Amount,Description,Payer,Bank reference\n${today},${amount},${number.replaceAll('-', ' ').toLowerCase()},Corin,TRN-J1\n`;
    await stella(api.bankStatements.importBankStatement, { body: { fileName: 'joint.csv', content } });
    const [transfer] = (await stella(api.bankStatements.listBankLines, { query: { state: 'open' } })).data!.rows;
    expect(transfer!.joint).toEqual({
      number,
      exact: true,
      invoices: invoices.map(({ number: invoiceNumber, accountName, balance }) => ({ invoiceNumber, accountName, balance })),
    });
    const parts = transfer!.joint!.invoices.map(({ invoiceNumber, balance }) => ({ invoiceNumber, amount: balance }));
    const recorded = await stella(api.bankStatements.recordBankLine, { bankLineId: transfer!.bankLineId, body: { parts } });
    expect(recorded).toMatchObject({ status: 200, data: { state: 'recorded', joint: null } });
    for (const name of ['EXAMPLE-AU', 'SOUTHSITE-NZ'])
      expect((await portal.billingOf(name)).invoices[0]).toMatchObject({ number: numbers[name], state: 'paid' });
    expect((await together()).due).toEqual([]);
    expect(await combine(invoices.map(each => each.number))).toMatchObject({ status: 409, errors: [{ code: 'INVOICE_NOT_PAYABLE' }] });
  });
});
