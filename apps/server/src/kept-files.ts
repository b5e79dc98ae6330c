import { invoiceFiles } from './modules/billing/index.ts';
import { documentFiles, type KeptFiles } from './modules/documents/index.ts';

/** Every kind of file that is kept on disk for a row of the database. */
export const keptFiles: readonly KeptFiles[] = [documentFiles, invoiceFiles];
