import { parentPort, workerData } from 'node:worker_threads';
import { certificatePdf, type CertificateText } from './certificate-pdf.ts';

// Typesets one certificate and hands it over.
const pdf = await certificatePdf(workerData as CertificateText);
parentPort!.postMessage(pdf, [pdf.buffer as ArrayBuffer]);
