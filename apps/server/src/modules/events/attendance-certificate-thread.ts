import { typesetEach } from '../../platform/pdf/printing-thread.ts';
import { attendanceCertificatePdf } from './attendance-certificate-pdf.ts';

typesetEach(attendanceCertificatePdf);
