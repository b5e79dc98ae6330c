import { printerIn } from '../../platform/paper/printing.ts';
import type { InvoicePaper } from './invoice-pdf.ts';

/** The PDF of an invoice: of the same content always the same bytes. @throws Error when it cannot be typeset */
export const printInvoice = printerIn<InvoicePaper>(new URL('./invoice-thread.ts', import.meta.url));
