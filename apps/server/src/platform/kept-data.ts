import type { Retention } from '../profile.ts';
import type { Tables } from './database/index.ts';

/** Kinds of people whose data is kept, in the order of the privacy page. */
export const dataSubjects = {
  login: 'People with a login',
  contact: 'Contacts of members and applicants',
  customer: 'Customers of members',
  voter: 'People who vote and attend',
  writer: 'People who write to the registry',
  published: 'People named in public data',
} as const;

/** Tables whose rows end when their time is over, and how. */
export type EndingRows<T extends keyof Tables = keyof Tables> = {
  [Table in T]: {
    table: Table;
    /** The column from which the time runs; a row without a value doesn’t end. */
    after: keyof Tables[Table] & string;
    /** Only rows with one of these values. */
    only?: { readonly [C in keyof Tables[Table] & string]?: readonly string[] };
    /** Not rows with one of these values. */
    except?: { readonly [C in keyof Tables[Table] & string]?: readonly string[] };
    /** The column with the document whose account answers for the row: a legal hold on it keeps the row. */
    ofDocument?: keyof Tables[Table] & string;
    /** A period of their own, with what these rows are. */
    period?: { ends: keyof Retention; data: string };
    /** Only rows with a value in one of these columns. */
    filled?: readonly (keyof Tables[Table] & string)[];
    /** Tables of the same module whose rows end with theirs, first those that refer to others: each with the column that refers to the row’s key. */
    with?: readonly EndingPart[];
  };
}[T];
export type EndingPart<T extends keyof Tables = keyof Tables> = {
  [Table in T]: {
    table: Table;
    by: keyof Tables[Table] & string;
    /** The column by which its history is found (`forgotten_tables` of the database), where that is another one. */
    found?: keyof Tables[Table] & string;
  };
}[T];

/**
 * Personal data that a module keeps. The privacy page is made of these lines; a test refuses a table with names, addresses or telephone numbers of
 * people that no line covers.
 */
export type KeptData = {
  of: keyof typeof dataSubjects;
  /** The data, as its person would call it. */
  data: string;
  /** Its purpose. */
  purpose: string;
  /** The tables that hold it, of this module or of the platform. */
  tables: readonly (keyof Tables)[];
} & (
  | {
      /** The time or event after which it is deleted or becomes history. */
      until: string;
      /** Why no period of the profile ends it: work of its module deletes it, its person or account changes or removes it, the law asks for it, or it is a record of what was decided. */
      ends: 'deleted by its module' | 'changed' | 'law' | 'record';
    }
  | {
      /** From when its time runs, such as `after it was written`. */
      from: string;
      /** The period, of `retention` in the profile; `modules/privacy` deletes what is over. */
      ends: keyof Retention;
      over: readonly EndingRows[];
    }
);
/** Personal data that ends after a period of the profile. */
export type EndingData = Extract<KeptData, { over: unknown }>;
export const isEnding = (kept: KeptData): kept is EndingData => 'over' in kept;

/** Returns until when data is kept, in words. */
export const keptUntil = (kept: KeptData, retention: Retention): string =>
  isEnding(kept)
    ? [
        `${monthsInWords(retention[kept.ends])} ${kept.from}`,
        ...kept.over.flatMap(({ period }) => (period ? [`${period.data}: ${monthsInWords(retention[period.ends])}`] : [])),
      ].join('. ')
    : kept.until;

/** Returns a period in words: `2 years`, `18 months`. */
const monthsInWords = (months: number): string =>
  months % 12 === 0 ? `${months / 12} ${months === 12 ? 'year' : 'years'}` : `${months} ${months === 1 ? 'month' : 'months'}`;

/** `until` of what a person or an account can change or remove: earlier versions stay in the registry's history. */
export const untilRemoved = 'Until it is changed or removed. Earlier versions stay in the history of the account';
/** `until` of what belongs to a decision or document of the registry. */
export const forGood = 'Permanently, as a record of the registry’s decisions';
