import type { ActivityCategory } from '@portal/contract/activity-log/activity-log';
import { allEndpoints } from '@portal/contract/api';
import type { PartWords, TableWords } from '../../platform/activity-words.ts';
import type { Module } from '../../platform/module.ts';

/** The words of all modules, for the log. */
export type Vocabulary = {
  /** Returns the words of an action; null if there are none. */
  wordsOf: (action: string) => string | null;
  categoryOf: (action: string) => ActivityCategory;
  /** The actions of a category: those named, and for actions without words the parts they begin with. */
  actionsOf: (category: ActivityCategory) => { named: string[]; parts: string[] };
  namedActions: readonly string[];
  /** Patterns (LIKE) of the actions that are listed in no account's log, but for those of `listedWithin`. */
  unlistedActions: readonly string[];
  /** Patterns of listed actions whose names begin as those of an unlisted part: votes of an account (`elections.ballots`) beside what sets elections up (`elections`). */
  listedWithin: readonly string[];
  /** Patterns (LIKE) of the actions that are listed for registry staff only. */
  staffActions: readonly string[];
  /** The actions whose words contain the text, ignoring case. */
  actionsSaying: (text: string) => string[];
  /** The history of rows as members read it: a table or column missing here is not shown. */
  tables: Readonly<Record<string, TableWords>>;
  /** Tables whose history isn't shown in any account's log, with the reason. */
  otherTables: Readonly<Record<string, string>>;
};

/** Returns the words declared by modules, collected on first use. */
export function vocabularyOf(modules: readonly Module[]): Vocabulary {
  const vocabulary = vocabularies.get(modules) ?? collected(modules);
  vocabularies.set(modules, vocabulary);
  return vocabulary;
}
const vocabularies = new WeakMap<readonly Module[], Vocabulary>();

function collected(modules: readonly Module[]): Vocabulary {
  const parts = modules.flatMap(({ words }) => Object.entries<PartWords>(words?.activities ?? {}));
  const categories = new Map(parts.map(([part, { category }]) => [part, category]));
  const actions = parts.flatMap(([part, { category, actions: acts }]) =>
    Object.entries(acts).map(([act, given]) => ({
      action: `${part}.${act}`,
      ...(typeof given === 'string' ? { words: given, category } : { category, ...given }),
    })),
  );
  const unlistedParts = parts.flatMap(([part, { unlisted }]) => (unlisted ? [part] : []));
  const byName = new Map(actions.map(action => [action.action, action]));
  return {
    wordsOf: action => byName.get(action)?.words ?? null,
    categoryOf: action => byName.get(action)?.category ?? categories.get(action.slice(0, action.lastIndexOf('.'))) ?? 'system',
    actionsOf: category => ({
      named: actions.filter(action => action.category === category).map(({ action }) => action),
      parts: [...categories].filter(([, of]) => of === category).map(([part]) => part),
    }),
    namedActions: actions.map(({ action }) => action),
    unlistedActions: unlistedParts.map(part => `${part}.%`),
    listedWithin: parts.flatMap(([part, { unlisted }]) =>
      !unlisted && unlistedParts.some(outer => part.startsWith(`${outer}.`)) ? [`${part}.%`] : [],
    ),
    staffActions: parts.flatMap(([part, { staffOnly, actions: acts }]) =>
      staffOnly
        ? [`${part}.%`]
        : Object.entries(acts).flatMap(([act, given]) => (typeof given !== 'string' && given.staffOnly ? [`${part}.${act}`] : [])),
    ),
    actionsSaying: text => actions.filter(({ words }) => words.toLowerCase().includes(text.toLowerCase())).map(({ action }) => action),
    tables: Object.assign({}, ...modules.map(({ words }) => words?.rows ?? {})) as Record<string, TableWords>,
    otherTables: Object.assign({}, ...modules.map(({ words }) => words?.unshown ?? {})) as Record<string, string>,
  };
}

/** Actions by people who aren't contacts of the account: asking to join. All other non-contacts are registry staff. */
export const nonMemberActions: readonly string[] = allEndpoints
  .filter(({ activity, access }) => activity !== undefined && access.who === 'signed-in')
  .map(({ id }) => id);
