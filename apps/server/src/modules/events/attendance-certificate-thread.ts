import { parentPort, workerData } from 'node:worker_threads';
import { type AttendanceText, attendanceCertificatePdf } from './attendance-certificate-pdf.ts';

// Typesets one certificate and hands it over.
const pdf = await attendanceCertificatePdf(workerData as AttendanceText);
parentPort!.postMessage(pdf, [pdf.buffer as ArrayBuffer]);
