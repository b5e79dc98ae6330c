import { printerIn } from '../../platform/pdf/printing.ts';
import type { CertificateText } from './certificate-pdf.ts';

/** The PDF of a certificate. @throws Error when it cannot be typeset */
export const printCertificate = printerIn<CertificateText>(new URL('./certificate-thread.ts', import.meta.url));
