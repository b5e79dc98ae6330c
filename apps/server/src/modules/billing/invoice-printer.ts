import { printerIn } from '../../platform/pdf/printing.ts';
import type { InvoicePrint } from './invoice-pdf.ts';

/** The PDF of an invoice: of the same content always the same bytes. @throws Error when it cannot be typeset */
export const printInvoice = printerIn<InvoicePrint>(new URL('./invoice-thread.ts', import.meta.url));
