import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type BillingPortal, billingPortal, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { delegate } from '../../resources/index.ts';
import { ledgerAccounts, ledgerOf } from '../invoices/ledger.ts';
import { cents, printCents } from '../money.ts';
import { anyNumbers } from '../../../../test/any-numbers.ts';

type Line = { balance: string; description: string };
const reason = 'Charged by mistake';
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** Calls by staff and a member about the latest invoice of an account. */
async function deskOf(portal: BillingPortal, account: string, member: string) {
  const [stella, dora, contact] = await Promise.all([portal.as('stella'), portal.as('dora'), portal.as(member)]);
  let references = 0;
  const latest = async () => (await portal.billingOf(account)).invoices[0]!;
  return {
    stella,
    dora,
    contact,
    latest,
    credit: async (amount: string) =>
      stella(api.corrections.issueCreditNote, { invoiceNumber: (await latest()).number, body: { amount, reason } }),
    pay: async (amount: string) =>
      stella(api.billing.recordPayment, {
        invoiceNumber: (await latest()).number,
        body: { amount, receivedOn: today, reference: `${account}-PAID-${(references += 1)}` },
      }),
    refund: async (amount: string, reference = `${account}-BACK-${(references += 1)}`, refundedOn = today) =>
      dora(api.corrections.recordRefund, { accountName: account, body: { amount, refundedOn, reference, reason } }),
    writeOff: async () => dora(api.corrections.writeOffInvoice, { invoiceNumber: (await latest()).number, body: { reason } }),
    statement: async (): Promise<Line[]> => {
      const file = await contact(api.billing.exportStatement, { account, query: { format: 'json' } });
      return JSON.parse(await file.data!.blob.text()) as Line[];
    },
  };
}

describe.each(kindsForRules)('corrections of invoices on %s', kind => {
  test('for any order of invoices, payments, credits, notes and refunds the sum of the ledger is zero, and the balance shown equals it', async () => {
    const accounts = { 'OTHER-SG': 'olive', 'EXAMPLE-AU': 'bill', 'CAMPUS-JP': null };
    await using portal = await billingPortal(kind, Object.fromEntries(Object.keys(accounts).map(name => [name, daysAfter(today, -10)])));
    await portal.on(today);
    const acts = fc.record({
      act: fc.constantFrom('pay', 'credit', 'refund', 'year', 'writeOff'),
      share: fc.integer({ min: 1, max: 130 }),
    });
    const counts = { taken: 0, refused: 0 };
    for (const [place, account] of Object.keys(accounts).entries()) {
      const desk = await deskOf(portal, account, 'corin');
      const [orders] = fc.sample(fc.array(acts, { minLength: 14, maxLength: 14 }), { numRuns: 1, seed: 11 + place });
      for (const { act, share } of orders!) {
        const { total } = await desk.latest();
        const { credit: before, expiryDate } = await portal.billingOf(account);
        const part = (of: string): string => printCents((cents(of) * BigInt(share)) / 100n + 1n);
        if (act === 'year') await portal.on(daysAfter(expiryDate!, 1));
        else {
          const { status } = await (act === 'pay'
            ? desk.pay(part(total))
            : act === 'credit'
              ? desk.credit(part(total))
              : act === 'refund'
                ? desk.refund(part(before))
                : desk.writeOff());
          counts[status === 200 ? 'taken' : 'refused'] += 1;
        }
        const { invoices, credit } = await portal.billingOf(account);
        const entries = await ledgerOf(portal.db.read, account);
        const sum = (sides: readonly (typeof ledgerAccounts)[number][]) =>
          entries.reduce((total, entry) => sides.reduce((all, side) => all + cents(entry[side]), total), 0n);
        expect(sum(ledgerAccounts)).toBe(0n);
        const owed = invoices.reduce((total, { balance }) => total + cents(balance), 0n);
        expect(sum(['receivable'])).toBe(owed);
        expect(-sum(['credit'])).toBe(cents(credit));
        expect(cents(credit)).toBeGreaterThanOrEqual(0n);
        for (const { total, paid, credited, balance, tax, subtotal } of invoices) {
          expect(cents(subtotal) + cents(tax)).toBe(cents(total));
          expect(cents(total) - cents(paid) - cents(credited)).toBeGreaterThanOrEqual(cents(balance));
        }
      }
    }
    expect(counts.taken).toBeGreaterThan(8);
    expect(counts.refused).toBeGreaterThan(5);
    // The statement a member saves ends with the balance that the page shows.
    const desk = await deskOf(portal, 'EXAMPLE-AU', 'bill');
    const { invoices, credit } = await portal.billingOf('EXAMPLE-AU');
    const owed = invoices.reduce((total, { balance }) => total + cents(balance), 0n) - cents(credit);
    expect((await desk.statement()).at(-1)!.balance).toBe(printCents(owed));
    const notes = await portal.db.read.rows<{ sequence: number }>(sql`select sequence from credit_note order by sequence`);
    expect(notes.map(({ sequence }) => sequence)).toEqual(notes.map((_, place) => place + 1));
  });

  test('a credit note lowers the debt, with its share of tax; paying the rest settles the invoice, and a later note frees credit that can be refunded', async () => {
    const account = 'EXAMPLE-AU';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -10) });
    await portal.on(today);
    const desk = await deskOf(portal, account, 'bill');
    const issued = await desk.latest();
    await portal.newMails();
    const credited = await desk.credit('110');
    expect(credited).toMatchObject({
      status: 200,
      data: { state: 'unpaid', credited: '110.00', balance: printCents(cents(issued.total) - 11000n), total: issued.total },
    });
    const { number, total } = credited.data!.creditNotes[0]!;
    expect([number, total]).toEqual([`CN-${today.slice(0, 4)}-000001`, '110.00']);
    expect(await portal.db.read.selectFrom('creditNote').select(['subtotal', 'tax']).execute()).toEqual([
      { subtotal: '100.00', tax: '10.00' },
    ]);
    expect(await portal.newMails()).toContain(`bill: ${account}: AUD\u00a0110.00 of ${issued.number} is credited`);

    expect((await desk.pay(credited.data!.balance)).data).toMatchObject({ state: 'paid', balance: '0.00' });
    expect((await portal.billingOf(account)).expiryDate).toBe(issued.periodTo);
    expect((await desk.credit('50')).data).toMatchObject({ state: 'paid', credited: '160.00' });
    expect((await portal.billingOf(account)).credit).toBe('50.00');
    expect(await desk.refund('50.01')).toMatchObject({
      status: 400,
      errors: [{ field: 'amount', message: `The credit of ${account} is AUD\u00a050.00` }],
    });
    expect(await desk.refund('20', 'BACK-1', daysAfter(today, 1))).toMatchObject({ status: 400, errors: [{ field: 'refundedOn' }] });
    expect((await desk.refund('20', 'BACK-1')).data).toMatchObject({
      credit: '30.00',
      refunds: [{ amount: '20.00', reference: 'BACK-1' }],
    });
    // An empty request is answered with what is required.
    const empty = await desk.dora(api.corrections.recordRefund, { accountName: account, body: {} as never });
    expect(empty.errors!.map(({ field, message }) => [field, message])).toEqual([
      ['amount', 'Enter an amount, such as 2137.32, without currency or commas'],
      ['refundedOn', 'Enter a date, such as 2027-06-30'],
      ['reference', 'This field is required'],
      ['reason', 'Enter a few words'],
    ]);
    expect(await desk.refund('20', 'back 1')).toMatchObject({ status: 409, errors: [{ code: 'REFUND_RECORDED', field: 'reference' }] });
    expect((await portal.billingOf(account)).credit).toBe('30.00');
    const left = printCents(cents(issued.total) - 16000n);
    expect(await desk.credit(printCents(cents(left) + 1n))).toMatchObject({ status: 400, errors: [{ field: 'amount' }] });

    // Documents have the same bytes every time, and only the account can read them.
    const bytes = async (call: Promise<{ data?: { blob: Blob } | undefined }>) => Buffer.from(await (await call).data!.blob.arrayBuffer());
    const note = () => bytes(desk.contact(api.corrections.downloadCreditNote, { account, creditNoteNumber: number }));
    const first = await note();
    expect(first.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await note()).equals(first)).toBe(true);
    expect((await bytes(desk.stella(api.corrections.downloadStaffCreditNote, { creditNoteNumber: number }))).equals(first)).toBe(true);
    const { receipt } = (await desk.latest()).payments[0]!;
    expect(receipt).toBe(`REC-${issued.number.slice(4)}-1`);
    expect((await bytes(desk.contact(api.corrections.downloadReceipt, { account, receiptNumber: receipt }))).length).toBeGreaterThan(1000);
    const olive = await portal.as('olive');
    for (const answer of [
      await olive(api.corrections.downloadCreditNote, { account: 'OTHER-SG', creditNoteNumber: number }),
      await olive(api.corrections.downloadReceipt, { account: 'OTHER-SG', receiptNumber: receipt }),
      await desk.contact(api.corrections.downloadReceipt, { account, receiptNumber: `${receipt}0` }),
    ])
      expect(answer).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
    const tess = await portal.as('tess');
    expect((await tess(api.corrections.downloadCreditNote, { account, creditNoteNumber: number })).status).toBe(403);

    // Credited in full, the invoice is cancelled, and its notes add up to it, tax included.
    const whole = await desk.credit(left);
    const done = whole.status === 200 ? whole.data : null;
    if (done) expect(done).toMatchObject({ state: 'cancelled', credited: issued.total, balance: '0.00' });
    else expect(whole).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
  });

  test('an amount above one person’s limit waits for a second person, and notes of one invoice count together', async () => {
    const account = 'OTHER-SG';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -10) });
    await portal.db.change(line, change =>
      delegate(change, { accountName: account, resource: '44.0.0.0/10', type: 'allocated', delegatedOn: '2020-01-01' }, anyNumbers),
    );
    await portal.on(today);
    const desk = await deskOf(portal, account, 'olive');
    const { total, number } = await desk.latest();
    expect(cents(total)).toBeGreaterThan(cents('10000'));
    expect((await desk.credit('6000')).status).toBe(200);
    expect(await desk.credit('4000.01')).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    const stan = await portal.as('stan');
    const { proposalId, fingerprint, shown } = (await stan(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
    expect(shown).toEqual(
      expect.arrayContaining([
        { label: 'Invoice', value: number },
        { label: 'Amount', value: '4000.01' },
        { label: 'Reason', value: reason },
      ]),
    );
    expect((await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).status).toBe(200);
    expect((await desk.latest()).credited).toBe('10000.01');
    // Cancelling credits the rest.
    expect((await desk.stella(api.billing.cancelInvoice, { invoiceNumber: number, body: { reason } })).errors).toMatchObject([
      { code: 'SECOND_PERSON' },
    ]);
  });

  test('a debt is written off only when its account is closed, and can’t be paid or credited afterwards', async () => {
    const account = 'CAMPUS-JP';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -70) });
    await portal.on(daysAfter(today, -30));
    const desk = await deskOf(portal, account, 'corin');
    expect(await desk.writeOff()).toMatchObject({
      status: 409,
      errors: [{ code: 'INVOICE_SETTLED', message: expect.stringContaining('isn’t closed') }],
    });
    await portal.on(today);
    expect((await portal.accountStateOf(account)).accountStatus).toBe('closed');
    expect(await desk.writeOff()).toMatchObject({ status: 200, data: { state: 'written-off', balance: '0.00', cancelReason: reason } });
    for (const refused of [await desk.writeOff(), await desk.credit('5')])
      expect(refused).toMatchObject({
        status: 409,
        errors: [{ code: 'INVOICE_SETTLED', message: expect.stringContaining('was written off') }],
      });
    expect(await desk.pay('5')).toMatchObject({ status: 409, errors: [{ code: 'INVOICE_NOT_PAYABLE' }] });
  });
});
