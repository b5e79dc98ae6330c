import type { KeptFiles } from './modules/documents/index.ts';
import { modules } from './modules.ts';

/** Every kind of file that is kept on disk for a row of the database. */
export const keptFiles: readonly KeptFiles[] = modules.flatMap(module => module.keptFiles ?? []);
