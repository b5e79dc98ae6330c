import type { Tables } from './database/index.ts';

/** How a column names a person: by their login or by one of their contacts of accounts. Never by an address: it may have been someone else’s before. */
export type PersonLink = 'login' | 'contact';

type Column<T extends keyof Tables> = keyof Tables[T] & string;

/**
 * The substitute for a value of a person who was erased: `Erased person`, a random name, an address of it that reaches no one, an empty text, false or nothing. `erased_tables()` of the database knows
 * the same kinds.
 */
export type ErasedAs = 'person' | 'token' | 'address' | 'empty' | 'false' | 'null';

/**
 * The fate of the rows of a person in an erasure (decision 310): all are deleted; some are, and the others kept, with the reason; some columns are replaced, and the others stay, each named, so
 * that a column that is added is decided about; or all is kept, with the reason.
 */
export type ErasedRows<T extends keyof Tables> =
  | 'deleted'
  | { deleted: string; kept: string }
  | { replaced: { readonly [C in Column<T>]?: ErasedAs }; stays: readonly Column<T>[] }
  | { kept: string };

/**
 * How a table speaks of people. A test compares it with the schema: a column that references a login or contact, or whose name says that it is about a person, has to be in one of these lists; of a
 * table with `own`, every column. So no column is added without a decision whether its person gets it, and what is left of it once they are erased.
 */
export type PersonalTable<T extends keyof Tables> = {
  /** A column of `own` by which only rows with this value are their person's; the others are listed among what the person did. */
  when?: { readonly [C in Column<T>]?: readonly [column: Column<T>, value: string | boolean] };
  /** Columns that the copy holds. A list of what is given, so that a secret added later stays out. */
  gives?: readonly Column<T>[];
  /** Columns that the copy leaves out, with the reason. */
  withholds?: { readonly [C in Column<T>]?: string };
  /** Columns of people who did something with a row that is about something else: the copy says that they did. */
  acts?: { readonly [C in Column<T>]?: PersonLink };
  /** Why no row is in a copy, though the privacy page has a line about the table. */
  absent?: string;
  /** Columns that look personal and are no one's with a login, with the reason. */
  others?: { readonly [C in Column<T>]?: string };
} & (
  | {
      /** Columns by which a row is about its person: it is in the copy of their data. */
      own: { readonly [C in Column<T>]?: PersonLink };
      /** Its fate when the person is erased. */
      erased: ErasedRows<T>;
    }
  | { own?: undefined; erased?: undefined }
);

/** The tables of a module that speak of people. */
export type PersonalTables = { readonly [T in keyof Tables]?: PersonalTable<T> };

/** Reasons to leave a column out of a copy of personal data. */
export const isSecret = 'Opens or proves something, so no one reads it';
export const isBookkeeping = 'A mark of the program, which says nothing about the person';
/** The reason that a column is not a person's: the account answers for it, and its contacts see it. */
export const ofAccount = 'Of an account or organisation, whose contacts see it';

/** Reasons to keep data of a person who is erased. */
export const keptAsRecord = 'It names “Erased person”, but for names on documents';
export const keptAsVote = 'Elections have to stay verifiable';
export const keptForItsPeriod = 'Until its own period is over';

declare module './module.ts' {
  interface Contributions {
    /** How its tables speak of people: copies of a person's data are made of it. */
    personal?: PersonalTables;
  }
}
