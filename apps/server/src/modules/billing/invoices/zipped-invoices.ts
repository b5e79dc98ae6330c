import type { Download } from '@portal/contract';
import type { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { sql } from 'kysely';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { zipOf } from '../../../platform/zip.ts';
import { fileStorage } from '../../documents/index.ts';
import { storedInvoice } from './stored-invoice.ts';

/**
 * Returns invoices of an account, each as it was issued, as one ZIP file: the named ones, those issued in a year, or all. With both filters an
 * invoice must match both. @throws Failure NOT_FOUND that names the missing invoice, or the year without invoices
 */
export async function downloadInvoices({
  read,
  account: { accountName },
  query: { year, numbers },
  registry,
}: Act<typeof invoiceDocuments.downloadInvoices>): Promise<Download> {
  const printing = { store: registry.outside(fileStorage), profile: registry.profile, fonts: registry.config.certificateFonts };
  const named = numbers?.split(',') ?? null;
  const rows = await read.rows<{ number: string; issuedOn: string; sha256: string }>(sql`
    select number, issued_on::text, sha256 from invoice where account_name = ${accountName}
      ${named === null ? sql`` : sql`and number = any(${named}::text[])`}
      ${year === undefined ? sql`` : sql`and extract(year from issued_on) = ${Number(year)}`}
    order by invoice_id`);
  const missing = named?.find(number => !rows.some(row => row.number === number));
  if (missing !== undefined) throw refuse('NOT_FOUND', { what: `Invoice ${missing}` });
  if (rows.length === 0) throw refuse('NOT_FOUND', { what: year === undefined ? 'An invoice' : `An invoice of ${year}` });
  return {
    fileName: `invoices-${accountName}${year === undefined ? '' : `-${year}`}.zip`,
    contentType: 'application/zip',
    chunks: zipOf(
      rows.map(({ number, issuedOn, sha256 }) => ({
        name: `${number}.pdf`,
        day: issuedOn,
        open: () => storedInvoice(read, printing, { number, sha256 }),
      })),
    ),
  };
}
