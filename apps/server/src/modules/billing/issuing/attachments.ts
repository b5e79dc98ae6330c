import { buffer } from 'node:stream/consumers';
import type { Download } from '@portal/contract';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import type { FileStore } from '../../documents/index.ts';
import type { AttachmentSource } from '../../mail/index.ts';
import { eInvoiceFile } from '../invoices/e-invoices.ts';
import { downloadCreditNote, downloadReceipt } from '../invoices/invoice-documents.ts';
import { invoiceDownload } from './invoice-acts.ts';
import { invoiceByNumber } from '../invoices/invoices.ts';

type Context = { profile: Profile; fonts: string[]; store: () => FileStore };

/**
 * Invoices as they were issued, credit notes and receipts, for the mails that are about them; the mail that issues an invoice or a credit note (`issued-…`) also carries its
 * e-invoice where there is one. It goes once: programs that book what arrives would book it again with each reminder.
 */
export function billingAttachments({ profile, fonts, store }: Context): readonly AttachmentSource[] {
  const source = (what: string, download: (read: Read, number: string) => Promise<Download>): AttachmentSource[] => [
    withFiles(what, download, false),
    withFiles(`issued-${what}`, download, true),
  ];
  const withFiles = (what: string, download: (read: Read, number: string) => Promise<Download>, issues: boolean): AttachmentSource => ({
    what,
    open: async (read, number) => {
      const { fileName, contentType, chunks } = await download(read, number);
      const eInvoice = issues ? await eInvoiceFile(read, number) : null;
      return [
        { fileName, contentType, content: await buffer(chunks) },
        ...(eInvoice ? [{ ...eInvoice, contentType: 'application/xml' }] : []),
      ];
    },
  });
  return [
    ...source('invoice', async (read, number) =>
      invoiceDownload(read, { profile, fonts, store: store() }, await invoiceByNumber(read, number)),
    ),
    ...source('credit-note', (read, number) =>
      downloadCreditNote({
        read,
        account: 'any',
        params: { creditNoteNumber: number },
        registry: { profile, config: { certificateFonts: fonts } },
      }),
    ),
    withFiles(
      'receipt',
      (read, number) =>
        downloadReceipt({
          read,
          account: 'any',
          params: { receiptNumber: number },
          registry: { profile, config: { certificateFonts: fonts } },
        }),
      false,
    ),
  ];
}
