import { printerIn } from '../../../platform/pdf/printing.ts';
import type { CreditNotePrint } from '../documents/credit-note-pdf.ts';
import type { InvoicePrint } from './invoice-pdf.ts';
import type { EstimatePrint } from '../fees/estimate-pdf.ts';
import type { ReceiptPrint } from '../documents/receipt-pdf.ts';
import type { StatementPrint } from './statement-pdf.ts';

export type BillingPrint = InvoicePrint | CreditNotePrint | ReceiptPrint | EstimatePrint | StatementPrint;

/** Prints an invoice, credit note, receipt, statement or estimate as a PDF. The same content always gives the same bytes. @throws Error when it cannot be typeset */
export const printInvoice = printerIn<BillingPrint>(new URL('./invoice-thread.ts', import.meta.url));
