import { parentPort, workerData } from 'node:worker_threads';
import { type InvoicePrint, invoicePdf } from './invoice-pdf.ts';

// Typesets one invoice and hands it over.
const pdf = await invoicePdf(workerData as InvoicePrint);
parentPort!.postMessage(pdf, [pdf.buffer as ArrayBuffer]);
