import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { forgetFees, lastFees } from '../../../../test/example-fees.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { announce } from '../fees/announcing.ts';
import { nextStep } from '../membership/term.ts';
import { readProfile } from '../../../profile.ts';

const { billingCalendar: calendar } = readProfile('');

const account = 'EXAMPLE-AU';

test('with an advance invoice the steps before it happen on the day of the request, without a reminder', () => {
  const term = {
    accountName: account,
    termEnd: '2026-12-31',
    done: {},
    advance: '2026-11-02',
    feesAnnounced: '2000-01-01',
    invoice: null,
    holidays: [],
  };
  expect(nextStep(term, calendar)).toEqual({ step: 'holdings', day: '2026-11-02' });
  const counted = { ...term, done: { holdings: '2026-11-02' } };
  expect(nextStep(counted, calendar)).toEqual({ step: 'invoice', day: '2026-11-02' });
  const invoice = { number: 'INV-2026-000001', dueOn: '', settled: false, extendedUntil: null };
  expect(nextStep({ ...counted, done: { ...counted.done, invoice: '2026-11-02' }, invoice }, calendar)).toEqual({
    step: 'suspension',
    day: '2027-01-30',
  });
});

describe.each(kindsForRules)('renewals in advance on %s', kind => {
  test('a quote has the amounts of the future invoice, is the same file every time, and becomes outdated when holdings change', async () => {
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, 60) });
    const bill = await portal.as('bill');
    expect((await bill(api.renewals.getRenewal, { account })).data).toMatchObject({ open: true, quotes: [], invoiceAskedOn: null });
    const { quotes } = (await bill(api.renewals.askForQuote, { account })).data!;
    expect(quotes).toMatchObject([
      { number: expect.stringMatching(/^QUO-\d{4}-000001$/), validUntil: daysAfter(today, 60), outdated: false },
    ]);
    const quoteNumber = quotes[0]!.number;
    const pdf = async () => Buffer.from(await (await bill(api.renewals.downloadQuote, { account, quoteNumber })).data!.blob.arrayBuffer());
    const first = await pdf();
    expect(first.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await pdf()).equals(first)).toBe(true);
    expect((await bill(api.renewals.downloadQuote, { account, quoteNumber: 'QUO-2026-999999' })).status).toBe(404);

    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.updateTable('delegation').set({ status: 'closed' }).where('accountName', '=', account).where('kind', '=', 'asn').execute(),
    );
    expect((await bill(api.renewals.getRenewal, { account })).data!.quotes[0]!.outdated).toBe(true);
    const olive = await portal.as('olive');
    expect((await olive(api.renewals.downloadQuote, { account: 'OTHER-SG', quoteNumber })).status).toBe(404);
  });

  test('a quote becomes outdated when its fees are withdrawn and others are announced on the same day, and not when the same come back', async () => {
    const end = daysAfter(today, 60);
    await using portal = await billingPortal(kind, { [account]: end });
    const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
    const bill = await portal.as('bill');
    expect((await bill(api.renewals.askForQuote, { account })).data!.quotes).toMatchObject([{ outdated: false }]);
    const announcedToday = async (baseFee: string) => {
      await forgetFees(portal.db);
      const [validFrom, validUntil] = [daysAfter(end, 1), daysAfter(end, 30)];
      const fees = { member: { ...lastFees.member, baseFee } };
      await portal.db.change(line, change => announce(change, { validFrom, validUntil, announcedOn: today, fees }));
      return (await bill(api.renewals.getRenewal, { account })).data!.quotes[0]!.outdated;
    };
    expect(await announcedToday('2000.00')).toBe(true);
    expect((await bill(api.renewals.askForQuote, { account })).data!.quotes).toMatchObject([{ outdated: false }, { outdated: true }]);
    expect(await announcedToday('2000.00')).toBe(false);
    expect(await announcedToday('2001.00')).toBe(true);
  });

  test('an advance invoice is issued once, at the next run, is due on the usual day, and renews the term when paid', async () => {
    const D = daysAfter(today, 60);
    await using portal = await billingPortal(kind, { [account]: D });
    const bill = await portal.as('bill');
    const { quotes } = (await bill(api.renewals.askForQuote, { account })).data!;
    expect((await bill(api.renewals.askForInvoice, { account })).data).toMatchObject({ open: false, invoiceAskedOn: today });
    expect(await bill(api.renewals.askForInvoice, { account })).toMatchObject({ status: 409, errors: [{ code: 'RENEWAL_NOT_OPEN' }] });
    await portal.on(today);
    await portal.on(today);
    const { invoices, expiryDate } = await portal.billingOf(account);
    expect(invoices).toMatchObject([
      { issuedOn: today, dueOn: daysAfter(D, 30), periodFrom: daysAfter(D, 1), total: quotes[0]!.total, state: 'unpaid' },
    ]);
    expect([invoices.length, expiryDate]).toEqual([1, D]);
    const { number, total, periodTo } = invoices[0]!;
    const stella = await portal.as('stella');
    await stella(api.billing.recordPayment, { invoiceNumber: number, body: { amount: total, receivedOn: today, reference: 'EARLY-1' } });
    expect((await portal.accountStateOf(account)).expiryDate).toBe(periodTo);
    await portal.on(daysAfter(D, 80));
    expect((await portal.billingOf(account)).invoices).toHaveLength(1);
  });

  test.each([
    ['91 days before the end of the term', daysAfter(today, 91)],
    ['after its end', daysAfter(today, -1)],
    ['for an account without a term', null],
  ])('nothing can be requested in advance %s', async (_, end) => {
    await using portal = await billingPortal(kind, { [account]: end });
    const bill = await portal.as('bill');
    for (const asked of [api.renewals.askForQuote, api.renewals.askForInvoice])
      expect(await bill(asked, { account })).toMatchObject({ status: 409, errors: [{ code: 'RENEWAL_NOT_OPEN' }] });
    const tess = await portal.as('tess');
    expect((await tess(api.renewals.askForQuote, { account })).status).toBe(403);
  });
});
