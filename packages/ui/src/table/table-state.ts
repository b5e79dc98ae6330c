/** All of a table's state that belongs in the address: pages keep it and answer it with rows. `page` counts from 1. */
export type TableState = {
  sort: { column: string; descending: boolean } | null;
  hidden: readonly string[];
  order: readonly string[];
  filters: Readonly<Record<string, string>>;
  page: number;
  /** Filters that the person named; left out where none can be saved. */
  saved?: readonly SavedFilter[];
};

/** Values of a table's filters under a name. */
export type SavedFilter = { name: string; filters: Readonly<Record<string, string>> };

/** As a table is first shown. */
export const emptyTableState: TableState = { sort: null, hidden: [], order: [], filters: {}, page: 1 };
