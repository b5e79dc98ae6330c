import { typesetEach } from '../../platform/pdf/printing-thread.ts';
import { boardReportPdf } from './report-pdf.ts';

typesetEach(boardReportPdf);
