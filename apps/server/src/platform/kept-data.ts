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
  /** The time or event after which it is deleted or becomes history. */
  until: string;
  /** The tables that hold it, of this module or of the platform. */
  tables: readonly (keyof Tables)[];
};

/** `until` of what a person or an account can change or remove: earlier versions stay in the registry's history. */
export const untilRemoved = 'Until it is changed or removed. Earlier versions stay in the history of the account';
/** `until` of what belongs to a decision or document of the registry. */
export const forGood = 'Permanently, as a record of the registry’s decisions';
