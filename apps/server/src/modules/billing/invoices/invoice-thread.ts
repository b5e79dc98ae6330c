import { typesetEach } from '../../../platform/pdf/printing-thread.ts';
import { creditNotePdf } from '../documents/credit-note-pdf.ts';
import { estimatePdf } from '../fees/estimate-pdf.ts';
import { invoicePdf } from './invoice-pdf.ts';
import type { BillingPrint } from './invoice-printer.ts';
import { receiptPdf } from '../documents/receipt-pdf.ts';
import { statementPdf } from './statement-pdf.ts';

typesetEach<BillingPrint>(printed =>
  'invoice' in printed
    ? invoicePdf(printed)
    : 'creditNote' in printed
      ? creditNotePdf(printed)
      : 'receipt' in printed
        ? receiptPdf(printed)
        : 'statement' in printed
          ? statementPdf(printed)
          : estimatePdf(printed),
);
