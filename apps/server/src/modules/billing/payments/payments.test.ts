import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daysAfter, HOUR_MS } from '@portal/contract/days';
import { type BillingPortal, billingPortal, type Terms, today } from '../../../../test/billing-portal.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { keptFiles } from '../../../kept-files.ts';
import { dayInWords } from '../../../platform/day-words.ts';
import { createLog } from '../../../platform/log.ts';
import { addContact } from '../../accounts/index.ts';
import { sweepFiles, verifyFiles } from '../../documents/index.ts';
import { cents, inCurrency, printCents } from '../money.ts';

describe.each(kindsForRules)('payments on %s', kind => {
  const account = 'EXAMPLE-AU';
  const ends: Terms = { [account]: daysAfter(today, -10), 'OTHER-SG': daysAfter(today, -10), 'CAMPUS-JP': daysAfter(today, -10) };
  let portal: BillingPortal;
  const invoiceOf = async (accountName: string) => (await portal.billingOf(accountName)).invoices[0]!;
  const pay = async (invoiceNumber: string, amount: string, reference: string, as = 'stella') =>
    (await portal.as(as))(api.billing.recordPayment, { invoiceNumber, body: { amount, receivedOn: today, reference } });
  beforeAll(async () => {
    portal = await billingPortal(kind, ends);
    await portal.on(today);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('acceptance scenario 13: the billing contact reads invoices and opens them, the technical contact may not', async () => {
    const [bill, tess, olive] = await Promise.all([portal.as('bill', { mfa: false }), portal.as('tess'), portal.as('olive')]);
    const { invoices, credit, renews } = (await bill(api.billing.getBilling, { account })).data!;
    expect([credit, renews]).toEqual(['0.00', true]);
    expect(invoices).toMatchObject([{ state: 'unpaid' }]);
    const { number } = invoices[0]!;
    for (const refused of [
      await tess(api.billing.getBilling, { account }),
      await tess(api.billing.openInvoice, { account, invoiceNumber: number }),
    ])
      expect(refused).toMatchObject({ status: 403, errors: [{ code: 'NO_PERMISSION' }] });
    expect((await olive(api.billing.openInvoice, { account: 'OTHER-SG', invoiceNumber: number })).status).toBe(404);

    const opened = (await bill(api.billing.openInvoice, { account, invoiceNumber: number })).data!;
    const bytes = async (address: string) => Buffer.from(await (await bill(api.files.downloadFile, { address })).data!.blob.arrayBuffer());
    const first = await bytes(opened.address);
    // It is the file as issued: the same bytes each time, with the hash in the row.
    const { sha256 } = await portal.db.read.selectFrom('invoice').select('sha256').where('number', '=', number).executeTakeFirstOrThrow();
    expect(createHash('sha256').update(first).digest('hex')).toBe(sha256);
    expect(await verifyFiles(portal.db.read, portal.store, keptFiles)).toEqual({ files: 3, problems: [] });
    await sweepFiles(portal.db, {
      store: portal.store,
      kinds: keptFiles,
      now: new Date(Date.now() + 48 * HOUR_MS),
      log: createLog('silent'),
    });
    expect((await bytes(opened.address)).equals(first)).toBe(true);
    expect((await olive(api.files.downloadFile, { address: opened.address })).status).toBe(404);
  });

  test('if two people record one transfer at the same time, one succeeds and the other learns who did', async () => {
    const { number } = await invoiceOf('OTHER-SG');
    const answers = await Promise.all([pay(number, '100', 'TWICE-1'), pay(number, '100.00', 'twice-1', 'stan')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.errors).toMatchObject([
      { code: 'PAYMENT_ALIKE', message: expect.stringMatching(/was recorded for .* by (Stella Kowalski|Stan Petrov)\./) },
    ]);
    expect((await invoiceOf('OTHER-SG')).paid).toBe('100.00');
  });

  test('a cancelled invoice keeps its number and takes no payment, and its term stays unchanged', async () => {
    const { number } = await invoiceOf('CAMPUS-JP');
    const stella = await portal.as('stella');
    const cancelled = await stella(api.billing.cancelInvoice, { invoiceNumber: number, body: { reason: 'Moved to a national registry' } });
    expect(cancelled.data).toMatchObject({ number, state: 'cancelled', balance: '0.00', cancelReason: 'Moved to a national registry' });
    expect(await pay(number, '5', 'CANCELLED-1')).toMatchObject({ status: 409, errors: [{ code: 'INVOICE_NOT_PAYABLE' }] });
    const again = await stella(api.billing.cancelInvoice, { invoiceNumber: number, body: { reason: 'Again' } });
    expect(again).toMatchObject({ status: 409, errors: [{ code: 'INVOICE_SETTLED' }] });
    expect((await portal.billingOf('CAMPUS-JP')).next).toBe(null);
    // An account without a term end is not billed.
    expect(await portal.billingOf('OLDNET-JP')).toMatchObject({ invoices: [], renews: false, next: null });
  });

  test.each([
    [{ amount: '0' }, 'amount', 'Enter an amount'],
    [{ amount: '-5' }, 'amount', 'Enter an amount'],
    [{ amount: '1,000' }, 'amount', 'Enter an amount'],
    [{ amount: '5.001' }, 'amount', 'Enter an amount'],
    [{ receivedOn: daysAfter(today, 2) }, 'receivedOn', 'Money arrives on'],
    [{ receivedOn: 'yesterday' }, 'receivedOn', 'Enter a date, such as 2027-06-30'],
    [{ reference: ' ' }, 'reference', ''],
  ])('a payment with %j is refused with an explanation, and nothing is stored', async (wrong, field, words) => {
    const { number, paid } = await invoiceOf('OTHER-SG');
    const stella = await portal.as('stella');
    const body = { amount: '5', receivedOn: today, reference: 'WRONG-1', ...wrong };
    expect(await stella(api.billing.recordPayment, { invoiceNumber: number, body })).toMatchObject({
      status: 400,
      errors: [{ code: 'INVALID_REQUEST', field, message: expect.stringContaining(words) }],
    });
    expect((await invoiceOf('OTHER-SG')).paid).toBe(paid);
  });

  test('registry staff who are contacts of a member can’t decide about its invoices', async () => {
    const { number, paid } = await invoiceOf('OTHER-SG');
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, async change => {
      const { loginId, fullName, email } = await change
        .selectFrom('login')
        .select(['loginId', 'fullName', 'email'])
        .where('username', '=', 'stan')
        .executeTakeFirstOrThrow();
      await addContact(change, { accountName: 'OTHER-SG', loginId, fullName, email, contactTypes: ['technical'] });
    });
    const stan = await portal.as('stan');
    for (const refused of [
      await pay(number, '5', 'OWN-1', 'stan'),
      await stan(api.billing.extendInvoice, { invoiceNumber: number, body: { until: daysAfter(today, 30), reason: 'Please' } }),
      await stan(api.billing.cancelInvoice, { invoiceNumber: number, body: { reason: 'Please' } }),
    ])
      expect(refused).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
    expect(await invoiceOf('OTHER-SG')).toMatchObject({ paid, extendedUntil: null });
    expect(await pay('INV-1999-000001', '5', 'NONE-1')).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
  });

  test('an extension ends after today, and within a year', async () => {
    const { number } = await invoiceOf('OTHER-SG');
    const stella = await portal.as('stella');
    for (const until of [today, daysAfter(today, 400)])
      expect((await stella(api.billing.extendInvoice, { invoiceNumber: number, body: { until, reason: 'They asked' } })).status).toBe(400);
  });

  describe('a transfer', () => {
    const typed = { amount: '5', receivedOn: today };
    const record = async (reference: string, more: { isAnother?: boolean; amount?: string } = {}, as = 'stella') =>
      (await portal.as(as))(api.billing.recordPayment, {
        invoiceNumber: (await invoiceOf('OTHER-SG')).number,
        body: { ...typed, reference, ...more },
      });
    /** Approves what stella proposed last, as stan. */
    const approve = async () => {
      const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
      // As who proposed it reads it: one who is a contact of the account doesn’t.
      const { proposalId, fingerprint, shown } = (await stella(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
      return { shown, ...(await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })) };
    };
    const removeStan = (status: 'active' | 'removed') =>
      portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
        change.updateTable('contact').set({ status }).where('accountName', '=', 'OTHER-SG').where('fullName', '=', 'Stan Petrov').execute(),
      );

    test('with the reference of a recorded one is asked about, in whatever way it is typed', async () => {
      expect((await record('Tr-0881 AÖ/7')).status).toBe(200);
      const { paid } = await invoiceOf('OTHER-SG');
      for (const again of [
        'TR-0881 AÖ/7',
        'tr 0881 ao 7',
        'TR0881AO7',
        'TR–0881—AÖ·7',
        'ＴＲ－０８８１ＡＯ７',
        'ТR-0881 АО/7',
        'Τr-0881 Αö7',
        'TR\u200b-0881\u00a0AO\u0308 7',
        'TR-٠٨٨١ AO7',
      ])
        expect(await record(again), again).toMatchObject({
          status: 409,
          errors: [
            {
              code: 'PAYMENT_ALIKE',
              field: 'reference',
              message: expect.stringMatching(/^A transfer that looks the same, Tr-0881 AÖ\/7, was recorded for INV-/),
            },
          ],
        });
      expect((await record('TR-0882 AÖ/7')).status).toBe(200);
      // Letters of scripts without look-alikes stay distinct.
      for (const other of ['振込一', '振込二', '—', '--']) expect((await record(other)).status, other).toBe(200);
      expect((await invoiceOf('OTHER-SG')).paid).toBe(printCents(cents(paid) + 2500n));
    });

    test('that looks like a recorded one needs a confirmation, and then a second person', async () => {
      const { paid } = await invoiceOf('OTHER-SG');
      expect(await record('TR-O88I AÖ/7')).toMatchObject({
        status: 409,
        errors: [{ code: 'PAYMENT_ALIKE', field: 'reference', message: expect.stringContaining('Tr-0881 AÖ/7') }],
      });
      expect(await record('TR-O88I AÖ/7', { isAnother: true })).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
      expect((await invoiceOf('OTHER-SG')).paid).toBe(paid);
      await removeStan('removed');
      const approved = await approve();
      expect([approved.status, approved.shown.find(({ label }) => label === 'Is another')?.value]).toEqual([200, 'yes']);
      expect((await invoiceOf('OTHER-SG')).paid).toBe(printCents(cents(paid) + 500n));
    });

    test('above the limit of one person waits for a second one who isn’t a contact of the account; its parts count together', async () => {
      const { paid, number } = await invoiceOf('OTHER-SG');
      const limit = cents('10000') - cents(paid);
      // Everything recorded for the account in these days counts, by one person or two.
      await removeStan('active');
      const big = printCents(limit + 1n);
      expect(await record('BIG-1', { amount: big })).toMatchObject({
        status: 409,
        errors: [{ code: 'SECOND_PERSON', message: expect.not.stringContaining('Stan Petrov') }],
        current: { accountName: 'OTHER-SG', what: 'Record a payment' },
      });
      expect((await record('BIG-1', { amount: big }, 'stan')).errors).toMatchObject([{ code: 'OWN_REQUEST' }]);
      // Invalid payments are refused immediately.
      expect((await record('tr 0882 ao7', { amount: big })).errors).toMatchObject([{ code: 'PAYMENT_ALIKE' }]);
      expect(await approve()).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
      await removeStan('removed');
      const approved = await approve();
      expect(approved.shown).toEqual(
        expect.arrayContaining([
          { label: 'Invoice', value: number },
          { label: 'Amount', value: big },
          { label: 'Reference', value: 'BIG-1' },
          { label: 'Received on', value: dayInWords(today) },
        ]),
      );
      expect(approved.status).toBe(200);
      const { payments } = (await portal.billingOf('OTHER-SG')).invoices[0]!;
      expect(payments.filter(({ reference }) => reference === 'BIG-1')).toMatchObject([{ amount: big, recordedBy: 'Stella Kowalski' }]);
    });
  });

  test('paying too little leaves the missing amount; paying the rest settles it, and an excess becomes credit for the next invoice', async () => {
    const { number, total, periodTo } = await invoiceOf(account);
    const missing = cents(total) - cents('1000');
    await portal.newMails();
    expect((await pay(number, '1000', 'PART-1')).data).toMatchObject({
      state: 'partly-paid',
      balance: printCents(missing),
      paid: '1000.00',
    });
    expect(await portal.newMails()).toContain(`bill: ${account}: ${inCurrency('AUD', missing)} of ${number} still due`);
    const stella = await portal.as('stella');
    expect(await stella(api.billing.cancelInvoice, { invoiceNumber: number, body: { reason: 'A mistake' } })).toMatchObject({
      status: 409,
      errors: [{ code: 'INVOICE_SETTLED', message: `${number} can no longer be changed: 1000.00 was already paid for it` }],
    });
    expect((await pay(number, printCents(missing + 5000n), 'PART-2')).data).toMatchObject({
      state: 'paid',
      balance: '0.00',
      payments: [{ amount: '1000.00', recordedBy: 'Stella Kowalski' }, { reference: 'PART-2' }],
    });
    expect(await portal.billingOf(account)).toMatchObject({ credit: '50.00', expiryDate: periodTo, accountStatus: 'open' });
    expect(await pay(number, '1', 'PART-3')).toMatchObject({ status: 409, errors: [{ code: 'INVOICE_NOT_PAYABLE' }] });

    // A year later.
    await portal.on(daysAfter(periodTo, 1));
    const next = await invoiceOf(account);
    expect(next).toMatchObject({ paid: '50.00', payments: [{ method: 'credit', amount: '50.00', recordedBy: null }] });
    expect((await portal.billingOf(account)).credit).toBe('0.00');
  });
});
