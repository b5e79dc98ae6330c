import { typesetEach } from '../../platform/pdf/printing-thread.ts';
import { certificatePdf } from './certificate-pdf.ts';

typesetEach(certificatePdf);
