import type { AdmittedAccount, Caller } from './http/caller.ts';
import type { Read } from './database/index.ts';

/** The reader of a home page, and the time. */
export type AttentionSubject = { read: Read; caller: Caller; account: AdmittedAccount; now: Date };

export { dayInWords } from './day-words.ts';
