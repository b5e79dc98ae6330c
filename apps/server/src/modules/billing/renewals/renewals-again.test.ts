import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { issueRenewalsAgain } from './renewals-again.ts';

const profile = readProfile('');

describe.each(kindsForRules)('a cancelled renewal on %s', kind => {
  test('is billed again when staff say so, once, due in 30 days, and followed up from then on', async () => {
    const account = 'OTHER-SG';
    const D = daysAfter(today, -20);
    await using portal = await billingPortal(kind, { [account]: D });
    await portal.on(today);
    const stella = await portal.as('stella');
    const again = (name = 'stella', reason = 'The wrong invoice was cancelled') =>
      portal.as(name).then(call => call(api.renewals.billAgain, { accountName: account, body: { reason } }));
    const issue = () => issueRenewalsAgain(portal.db, { now: new Date(`${today}T12:00:00Z`), profile, store: portal.store, fonts: [] });
    expect(await again()).toMatchObject({
      status: 409,
      errors: [{ message: 'A renewal can’t be asked for now: no invoice of the coming term was cancelled or written off' }],
    });
    const [first] = (await portal.billingOf(account)).invoices;
    await stella(api.billing.cancelInvoice, { invoiceNumber: first!.number, body: { reason: 'Wrong economy' } });
    expect(await portal.billingOf(account)).toMatchObject({ again: 'possible', next: null });

    expect((await again('olive')).status).toBe(404);
    expect((await again('stella', ' ')).status).toBe(400);
    const answers = await Promise.all([again(), again('stan')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await portal.billingOf(account)).toMatchObject({ again: 'asked' });
    await issue();
    await issue();
    const { invoices, again: now, next } = await portal.billingOf(account);
    expect(now).toBe(null);
    expect(invoices.map(({ state, total }) => [state, total])).toEqual([
      ['unpaid', first!.total],
      ['cancelled', first!.total],
    ]);
    const [second] = invoices;
    expect(second).toMatchObject({
      issuedOn: today,
      dueOn: daysAfter(today, 30),
      periodFrom: first!.periodFrom,
      periodTo: first!.periodTo,
    });
    expect(Number(second!.number.slice(9))).toBe(Number(first!.number.slice(9)) + 1);
    // It is suspended when this invoice is due, not 30 days after its term.
    expect(next).toEqual({ step: 'suspension', day: daysAfter(today, 30) });
    await stella(api.billing.recordPayment, {
      invoiceNumber: second!.number,
      body: { amount: second!.balance, receivedOn: today, reference: 'AGAIN-1' },
    });
    expect(await portal.accountStateOf(account)).toMatchObject({ accountStatus: 'open', expiryDate: second!.periodTo });
  });

  test('is not billed again when its account was closed meanwhile', async () => {
    const account = 'OTHER-SG';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -20) });
    await portal.on(today);
    const stella = await portal.as('stella');
    const [first] = (await portal.billingOf(account)).invoices;
    await stella(api.billing.cancelInvoice, { invoiceNumber: first!.number, body: { reason: 'They leave' } });
    await stella(api.renewals.billAgain, { accountName: account, body: { reason: 'They stay' } });
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.updateTable('account').set({ accountStatus: 'closed' }).where('accountName', '=', account).execute(),
    );
    await issueRenewalsAgain(portal.db, { now: new Date(), profile, store: portal.store, fonts: [] });
    expect((await portal.billingOf(account)).invoices.map(({ state }) => state)).toEqual(['cancelled']);
  });
});
