import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import type { FileStore } from '../../documents/index.ts';
import type { InvoiceContent } from './invoice-content.ts';
import { printInvoice } from './invoice-printer.ts';

/** More than an invoice has. */
const LARGEST = 4 * 1024 * 1024;

/** The store of the files, and the profile and fonts of what is printed. */
export type Printing = { store: FileStore; profile: Profile; fonts: readonly string[] };
type Kept = { number: string; sha256: string };

/** Prints an invoice and stores the file. A file that no invoice ends up naming is removed by the sweep. */
export async function printAndKeep(
  invoice: InvoiceContent,
  { profile, store, fonts }: Printing,
): Promise<{ sha256: string; bytes: number }> {
  const pdf = await printInvoice({ invoice, profile, fonts: [...fonts] });
  const incoming = await store.receive(
    (async function* () {
      yield pdf;
    })(),
    { largest: LARGEST, firstBytes: () => {} },
  );
  await incoming.keep();
  return { sha256: incoming.sha256, bytes: pdf.length };
}

/**
 * Returns the PDF of an invoice as it was issued. One that is lost or damaged is printed again from its row, and kept if it is the same to the byte.
 * @throws Failure INVOICE_FILE_LOST where it isn't: the profile or a font is another one since
 */
export async function storedInvoice(read: Read, printing: Printing, { number, sha256 }: Kept): Promise<AsyncIterable<Uint8Array>> {
  const { store } = printing;
  const isIntact = (await store.inspect(sha256))?.sha256 === sha256;
  if (!isIntact && (await printAndKeep((await contentOf(read, number))!, printing)).sha256 !== sha256)
    throw refuse('INVOICE_FILE_LOST', { number });
  const chunks = await store.read(sha256);
  if (!chunks) throw refuse('INVOICE_FILE_LOST', { number });
  return chunks;
}

/** Returns the contents of an issued invoice, as they were printed; undefined where there is none. */
export async function contentOf(read: Read, number: string): Promise<InvoiceContent | undefined> {
  const [row] = await read.rows<InvoiceContent>(sql`
    select i.number, i.year, i.sequence, i.kind, i.account_name, i.issued_on::text, i.due_on::text, i.period_from::text, i.period_to::text, i.currency, i.org_name, i.economy,
      i.billing_address, i.attention, i.tax_number, i.po_number, i.fee_schedule_id, i.ipv4::text, i.ipv6::text, i.asns, i.subtotal::text, i.tax_rate::text, i.tax::text, i.total::text,
      (select json_agg(json_build_object('description', l.description, 'quantity', l.quantity, 'unitPrice', l.unit_price::text, 'amount', l.amount::text) order by l.position)
        from invoice_line l where l.invoice_id = i.invoice_id) as lines,
      (select coalesce(sum(p.amount), 0)::numeric(14, 2)::text from payment p where p.invoice_id = i.invoice_id and p.method = 'credit' and p.received_on = i.issued_on) as credit
    from invoice i where i.number = ${number}`);
  return row;
}
