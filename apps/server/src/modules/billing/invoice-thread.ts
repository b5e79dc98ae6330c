import { parentPort, workerData } from 'node:worker_threads';
import { type InvoicePaper, invoicePdf } from './invoice-pdf.ts';

// Typesets one invoice and hands it over.
const pdf = await invoicePdf(workerData as InvoicePaper);
parentPort!.postMessage(pdf, [pdf.buffer as ArrayBuffer]);
