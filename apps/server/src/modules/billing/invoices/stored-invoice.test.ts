import { readFile, rm, writeFile } from 'node:fs/promises';
import { api } from '@portal/contract/api';
import { daysAfter } from '@portal/contract/days';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { billingPortal, today } from '../../../../test/billing-portal.ts';
import { testContext } from '../../../../test/context.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { attachmentsOf } from '../../mail/attachment.ts';
import { cents, printCents } from '../money.ts';
import { storedInvoice } from './stored-invoice.ts';

describe.each(kindsForRules)('an invoice whose file is lost on %s', kind => {
  test('is printed again as it was issued: for downloads, in the ZIP file and for e-mails; another one is never put in its place', async () => {
    const account = 'OTHER-SG';
    await using portal = await billingPortal(kind, { [account]: daysAfter(today, -10) });
    await portal.on(today);
    // Credit that an invoice uses is on its PDF.
    const first = (await portal.billingOf(account)).invoices[0]!;
    const paid = { amount: printCents(cents(first.total) + 20_00n), receivedOn: today, reference: 'MORE-1' };
    await (await portal.as('stella'))(api.billing.recordPayment, { invoiceNumber: first.number, body: paid });
    await portal.on(daysAfter(today, 366));
    const row = await portal.db.read
      .selectFrom('invoice')
      .select(['number', 'sha256', 'paid'])
      .where('accountName', '=', account)
      .orderBy('invoiceId', 'desc')
      .executeTakeFirstOrThrow();
    const { number, sha256 } = row;
    expect(Number(row.paid)).toBe(20);
    const place = portal.store.where(sha256);
    const issued = await readFile(place);
    const olive = await portal.as('olive');
    const opened = async () => {
      const { address } = (await olive(api.billing.openInvoice, { account, invoiceNumber: number })).data!;
      return Buffer.from(await (await olive(api.files.downloadFile, { address })).data!.blob.arrayBuffer());
    };
    const zipped = async () => {
      const { data } = await olive(api.invoiceDocuments.downloadInvoices, { account, query: {} });
      return unzipSync(new Uint8Array(await data!.blob.arrayBuffer()))[`${number}.pdf`]!;
    };
    await rm(place);
    expect((await opened()).equals(issued)).toBe(true);
    expect((await readFile(place)).equals(issued)).toBe(true);
    await rm(place);
    expect(Buffer.from(await zipped()).equals(issued)).toBe(true);
    // One that is there but damaged is as good as lost.
    await writeFile(place, 'not a PDF');
    const [{ content }] = await attachmentsOf(testContext(portal), portal.db.read, `invoice:${number}`);
    expect(Buffer.from(content).equals(issued)).toBe(true);

    // With another profile it would say something else.
    await rm(place);
    const { profile } = portal.context;
    const renamed = { store: portal.store, profile: { ...profile, invoiceName: 'Another Registry Limited' }, fonts: [] };
    await expect(storedInvoice(portal.db.read, renamed, { number, sha256 })).rejects.toMatchObject({ code: 'INVOICE_FILE_LOST' });
    await expect(readFile(place)).rejects.toThrow('ENOENT');
  });
});
