import type { Caller } from './caller.ts';
import type { Read } from './database/index.ts';
import type { AdmittedAccount } from './endpoints.ts';

/** The reader of a home page, and the time. */
export type AttentionSubject = { read: Read; caller: Caller; account: AdmittedAccount; now: Date };

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns a day or instant as it is written in a sentence: 21 Dec 2026. */
export const dayInWords = (day: string): string => days.format(new Date(day.length === 10 ? `${day}T00:00:00Z` : day));
