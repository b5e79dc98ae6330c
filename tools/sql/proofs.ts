/** Columns that aren't null, relations that aren't rows of nulls, and the words that columns are, or are not. */
export type Proofs = {
  columns: ReadonlySet<string>;
  relations: ReadonlySet<string>;
  only: ReadonlyMap<string, readonly string[]>;
  never: ReadonlyMap<string, readonly string[]>;
  /** Columns that the checks of their table keep from being null in rows of it. */
  checked: ReadonlySet<string>;
  /** Expressions that aren't null, as texts of their trees. */
  expressions: ReadonlySet<string>;
};

/** Nothing is proved. */
export const nothing: Proofs = {
  columns: new Set(),
  relations: new Set(),
  only: new Map(),
  never: new Map(),
  checked: new Set(),
  expressions: new Set(),
};
/** Several proofs together. */
export const both = (...all: Proofs[]): Proofs => {
  const only = new Map<string, readonly string[]>();
  const never = new Map<string, readonly string[]>();
  for (const each of all) {
    for (const [key, words] of each.only) only.set(key, only.get(key)?.filter(word => words.includes(word)) ?? words);
    for (const [key, words] of each.never) never.set(key, [...(never.get(key) ?? []), ...words]);
  }
  return {
    columns: new Set(all.flatMap(each => [...each.columns])),
    relations: new Set(all.flatMap(each => [...each.relations])),
    only,
    never,
    checked: new Set(all.flatMap(each => [...each.checked])),
    expressions: new Set(all.flatMap(each => [...each.expressions])),
  };
};
/** The proofs that several have in common. */
export const common = (all: readonly Proofs[]): Proofs => {
  const [first = nothing, ...others] = all;
  const inAll = <Kind extends 'only' | 'never'>(kind: Kind): [string, readonly string[]][] =>
    [...first[kind]].filter(([key]) => others.every(each => each[kind].has(key)));
  return {
    columns: new Set([...first.columns].filter(each => others.every(({ columns }) => columns.has(each)))),
    relations: new Set([...first.relations].filter(each => others.every(({ relations }) => relations.has(each)))),
    only: new Map(inAll('only').map(([key, words]) => [key, [...new Set([...words, ...others.flatMap(each => each.only.get(key)!)])]])),
    never: new Map(
      inAll('never').map(([key, words]) => [key, words.filter(word => others.every(each => each.never.get(key)!.includes(word)))]),
    ),
    checked: new Set([...first.checked].filter(each => others.every(({ checked }) => checked.has(each)))),
    expressions: new Set([...first.expressions].filter(each => others.every(({ expressions }) => expressions.has(each)))),
  };
};
