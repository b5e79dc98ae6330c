/** Facts of the migrated database that the analysis asks for. */
export type Catalog = {
  /** Columns of tables by `oid of the table.number`. */
  columns: ReadonlyMap<string, { type: number; notNull: boolean; words: readonly string[] | null }>;
  /** The query trees of views by the oid of the view. */
  views: ReadonlyMap<string, string>;
  /** The trees of the checks of tables by the oid of the table. */
  checks: ReadonlyMap<string, readonly string[]>;
  /** `compares` says that it is behind an operator that answers yes or no, such as `=` and `like`. */
  functions: ReadonlyMap<string, { name: string; strict: boolean; compares: boolean }>;
  types: ReadonlyMap<
    number,
    { name: string; category: string; element: number; base: number; labels: readonly string[] | null; notNull: boolean }
  >;
};
