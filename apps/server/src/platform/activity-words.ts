import type { ActivityCategory } from '@portal/contract/activity-log/activity-log';
import type { IsRecorded, Permission } from '@portal/contract';

/**
 * Summary of an activity, in words that also fit a refused attempt; with a category if it differs from its part's. `staffOnly`: listed in an account's log for registry staff only, as
 * for a whole part.
 */
type ActWords = string | { words: string; category?: ActivityCategory; staffOnly?: true };

/** Words for the activities of one part of the registry: the part precedes the last dot of an activity's id. */
export type PartWords<Act extends PropertyKey = never> = {
  category: ActivityCategory;
  actions: { readonly [A in Act]: ActWords } & Readonly<Record<string, ActWords>>;
  /** System work that changes nothing in an account; not listed in any account's log. */
  unlisted?: true;
  /** Work among registry staff, listed in an account's log for them only. */
  staffOnly?: true;
};

/** How a column is shown: database words are translated, ids of contacts become names, keys of permissions become labels. */
export type Shape = 'text' | 'word' | 'state' | 'yes-no' | 'list' | 'permission' | 'permissions' | 'contact' | 'time' | 'date';

export type ColumnWords = { label: string; shape: Shape; needs?: Permission };
export type TableWords = {
  /** Name of one row. */
  what: string;
  /** Columns that distinguish its rows. */
  key: readonly string[];
  /** The column with the owner: the account's name, or the id of a contact of the account. */
  owner: 'account_name' | 'contact_id';
  /** Permission to see the rows; by default everyone who may see the log. */
  needs?: Permission;
  /** Columns that name a row, the first that is filled. */
  name: readonly string[];
  columns: Readonly<Record<string, ColumnWords>>;
  /** Columns that are not shown: internal numbers, and data that would reveal people outside the account. */
  unsaid: readonly string[];
};

/** The endpoints of a group that are logged. */
type ChangesOf<Group> = { [Act in keyof Group]: IsRecorded<Group[Act]> extends true ? Act : never }[keyof Group];

/**
 * How the activity log describes the activities and tables of a module. `Groups` are its groups of endpoints by their ids: the compiler demands
 * words for each endpoint that changes something. Only rows and columns with words are ever shown.
 */
export type ModuleWords<Groups = unknown> = {
  activities?: { readonly [Part in keyof Groups]: PartWords<ChangesOf<Groups[Part]>> } & Readonly<Record<string, PartWords>>;
  /** By table. A table or column with history that is missing here and is not deliberately left out fails the tests. */
  rows?: Readonly<Record<string, TableWords>>;
  /** Tables with a history that belongs in no account's log, and why. */
  unshown?: Readonly<Record<string, string>>;
};

/** The words of all modules, for the compiler: each `activity-words.ts` adds its own. */
export interface WordsOfModules {}
type IdsIn<Words> = Words extends { activities: infer Parts }
  ? { [Part in keyof Parts & string]: Parts[Part] extends { actions: infer Acts } ? `${Part}.${keyof Acts & string}` : never }[keyof Parts &
      string]
  : never;
/** Every activity that has words; the registry's own programs use no others. */
export type WordedActivity = { [Name in keyof WordsOfModules]: IdsIn<WordsOfModules[Name]> }[keyof WordsOfModules];
/** The acts of a part, with their words. */
export type ActOf<Part extends string, Id = WordedActivity> = Id extends `${Part}.${infer Act}` ? Act : never;

/** Returns the words of acts by the ids of their endpoints, such as "Invite a contact". */
export function wordsOfActs(modules: readonly { words?: ModuleWords }[]): ReadonlyMap<string, string> {
  const parts = modules.flatMap(({ words }) => Object.entries<PartWords>(words?.activities ?? {}));
  return new Map(
    parts.flatMap(([part, { actions }]) =>
      Object.entries(actions).map(([act, given]) => [`${part}.${act}`, typeof given === 'string' ? given : given.words] as const),
    ),
  );
}

const column =
  (shape: Shape) =>
  (label: string, needs?: Permission): ColumnWords => ({ label, shape, ...(needs && { needs }) });
export const text = column('text');
export const word = column('word');
/** The state of a case. */
export const stateWord = column('state');
export const yesNo = column('yes-no');
export const list = column('list');
export const permissionOf = column('permission');
export const permissionsOf = column('permissions');
export const contact = column('contact');
export const time = column('time');
export const date = column('date');
