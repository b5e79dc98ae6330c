import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { testContext } from '../../../../test/context.ts';
import { eInvoiceRows, profileFile } from '../../../../test/e-invoice-profile.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { checkInvariants } from '../../../platform/invariants.ts';
import { openFileStore } from '../../documents/index.ts';
import { attachmentsOf } from '../../mail/attachment.ts';
import { lockInvoice } from '../invoices/invoices.ts';
import { notifyAboutPayment, settleInvoice } from '../payments/payments.ts';
import { ledgerAccounts, ledgerOf } from '../invoices/ledger.ts';
import { cancelTransferFee, chargeTransferFee, issueTransferFees } from './transfer-fees.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const account = 'OTHER-SG';

describe.each(kindsForRules)('fees of cases on %s', kind => {
  test.each([
    ['unpaid', null],
    ['paid in part', '25.00'],
    ['credited in part', '1.00'],
  ])(
    'the %s fee of a case that ended is taken back by a credit note, as document and e-invoice, in the books and by mail',
    async (what, part) => {
      await using portal = await billingPortal(kind, {}, { REGISTRY_PROFILE: await profileFile(eInvoiceRows) });
      const { db, context, config } = portal;
      const { profile } = context;
      await db.change(line, async change => {
        await change.updateTable('organisation').set({ registrationNumber: '200904322N' }).where('accountName', '=', account).execute();
        await chargeTransferFee(change, {
          accountName: account,
          reference: 'REQ-9001',
          description: 'Transfer fee',
          amount: '260.00',
          days: 30,
        });
      });
      await issueTransferFees(db, { now: context.clock(), profile, store: openFileStore(config.filesDir), fonts: [] });
      const [olive, stella] = await Promise.all([portal.as('olive'), portal.as('stella')]);
      const { number, total } = (await portal.billingOf(account)).invoices[0]!;
      if (what === 'paid in part')
        await stella(api.billing.recordPayment, {
          invoiceNumber: number,
          body: { amount: part!, receivedOn: today, reference: 'TT part' },
        });
      if (what === 'credited in part')
        await stella(api.corrections.issueCreditNote, { invoiceNumber: number, body: { amount: part!, reason: 'Too much' } });
      // As the case ends: the line is that of the other party, which reads nothing of this account's invoice.
      await db.change({ ...line, accountName: 'EXAMPLE-AU' }, change => cancelTransferFee(change, 'REQ-9001', { profile, today }));
      const noted = await db.read.rows(
        sql`select 1 from activity where account_name = 'EXAMPLE-AU' and details::text like ${`%${number}%`}`,
      );
      expect(noted).toEqual([]);

      const { invoices, credit } = await portal.billingOf(account);
      const ended = invoices.find(each => each.number === number)!;
      expect(ended).toMatchObject({ state: 'cancelled', credited: total, balance: '0.00' });
      const note = ended.creditNotes.at(-1)!;
      expect(note.reason).toBe('REQ-9001 ended without a transfer');
      expect(credit).toBe(what === 'paid in part' ? part : '0.00');

      // The document, its e-invoice, and the mail that carries both.
      const pdf = await olive(api.corrections.downloadCreditNote, { account, creditNoteNumber: note.number });
      expect(pdf.data!.fileName).toBe(`${note.number}.pdf`);
      const xml = await (await olive(api.invoiceDocuments.downloadEInvoice, { account, documentNumber: note.number })).data!.blob.text();
      expect(xml).toContain('<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>');
      expect(xml).toContain(`<cac:InvoiceDocumentReference><cbc:ID>${number}</cbc:ID>`);
      expect(xml).toContain(`<cbc:PayableAmount currencyID="AUD">${note.total}</cbc:PayableAmount>`);
      const mail = (await portal.mailsTo('olive@other-sg.example')).at(-1)!;
      expect(mail.subject).toBe(`${account}: ${number} is cancelled`);
      expect(mail.body).toContain(`with credit note ${note.number}`);
      const files = await attachmentsOf(testContext(portal), db.read, `issued-credit-note:${note.number}`);
      expect(files.map(({ fileName }) => fileName)).toEqual([`${note.number}.pdf`, `${note.number}.xml`]);

      // Each entry balances, and nothing is owed of the fee.
      const ledger = await ledgerOf(db.read, account);
      for (const entry of ledger) expect(ledgerAccounts.reduce((sum, side) => sum + Math.round(Number(entry[side]) * 100), 0)).toBe(0);
      expect(ledger.find(({ document }) => document === note.number)).toMatchObject({ day: today, cancels: true });
      expect(ledger.some(({ description }) => description.startsWith('Cancelled:'))).toBe(false);
      expect((await checkInvariants(context, null)).filter(({ violations }) => violations.length > 0)).toEqual([]);

      // Money that was on its way is credit, and its receipt promises nothing.
      const received = { method: 'card', amount: total, receivedOn: today, reference: 'late' } as const;
      await db.change(line, async change => {
        await lockInvoice(change, number);
        await notifyAboutPayment(change, number, { received, ...(await settleInvoice(change, number, received)) });
      });
      const receipt = (await portal.mailsTo('olive@other-sg.example')).at(-1)!;
      expect(receipt.subject.replaceAll('\u00a0', ' ')).toBe(
        `${account}: AUD ${total} for ${number}, which is cancelled, is account credit`,
      );
      expect(receipt.body).toContain(`${number} was cancelled, so nothing is due for it`);
      expect(receipt.body).not.toMatch(/is paid|completes|overpaid/);

      // A second end takes back nothing more.
      await db.change(line, change => cancelTransferFee(change, 'REQ-9001', { profile, today }));
      expect((await portal.billingOf(account)).invoices.find(each => each.number === number)!.creditNotes).toHaveLength(
        what === 'credited in part' ? 2 : 1,
      );
    },
  );

  test('only the fee of a case is credited without a person and a limit', async () => {
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -10) });
    await portal.on(today);
    const uncounted = sql`insert into credit_note (number, year, sequence, account_name, invoice_id, issued_on, subtotal, tax, total, reason, issued_at)
      select 'CN-2026-000900', 2026, 900, account_name, invoice_id, ${today}::date, 1, 0, 1, 'x', now() from invoice where kind in ('renewal', 'sign-up') limit 1`;
    await expect(portal.db.change(line, change => change.rows(uncounted))).rejects.toThrow('counted under a limit');
  });
});
