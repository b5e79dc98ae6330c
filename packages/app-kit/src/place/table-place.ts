import type { TableState } from '@portal/ui/table/DataTable';
import { useTableState } from '../settings/personal-settings.ts';
import { type AddressValues, useAddress } from './address.ts';

export type TablePlaceOptions<Sort extends string> = {
  /** Under this name the person's columns are kept: `resources.ipv4`. */
  id: string;
  sorts: readonly [Sort, ...Sort[]];
  /** Columns that do not show until they are asked for. */
  hidden?: readonly string[];
  /** Names of the filters in the address. */
  filters: readonly string[];
};

/** The rows of a table as an address asks for them. */
export type TableRows<Sort extends string> = {
  sort: Sort;
  direction: 'asc' | 'desc';
  /** Number of the page, from 1. */
  page: number;
  /** A filter's value; empty when it is off. */
  filter: (name: string) => string;
};

/** Returns the rows that an address asks for; by default the first page in the default order. */
export function tableRows<Sort extends string>(
  address: AddressValues,
  { sorts, filters }: Pick<TablePlaceOptions<Sort>, 'sorts' | 'filters'>,
): TableRows<Sort> {
  const page = Number(address.get('page'));
  return {
    sort: address.oneOf('sort', sorts),
    direction: address.oneOf('direction', ['asc', 'desc']),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    filter: name => (filters.includes(name) ? (address.get(name) ?? '') : ''),
  };
}

/** A table's state and how to change it: sorting, filters and page are part of the address, columns are stored for the person. */
export type TablePlace<Sort extends string> = TableRows<Sort> & {
  state: TableState;
  onStateChange: (next: TableState) => void;
  /** Sets filters and goes back to the first page. */
  setFilters: (change: Readonly<Record<string, string | null>>) => void;
};

const noneSaved = [] as const;
/** Where a list continues, however its pages are counted. */
const fromTheStart = { page: null, after: null, before: null } as const;

export function useTablePlace<Sort extends string>({ id, sorts, hidden = [], filters }: TablePlaceOptions<Sort>): TablePlace<Sort> {
  const address = useAddress();
  const [kept, keep] = useTableState(id);
  const rows = tableRows(address, { sorts, filters });
  const { sort, direction } = rows;
  const state: TableState = {
    sort: { column: sort, descending: direction === 'desc' },
    hidden: kept.hidden ?? hidden,
    order: kept.order ?? [],
    filters: Object.fromEntries(filters.flatMap(name => (address.get(name) ? [[name, address.get(name) ?? '']] : []))),
    page: rows.page,
    ...(filters.length > 0 && { saved: kept.saved ?? noneSaved }),
  };
  return {
    ...rows,
    state,
    setFilters: change => address.set({ ...change, page: null }),
    onStateChange(next) {
      if (next.saved !== state.saved) return keep({ ...kept, saved: next.saved?.map(each => ({ ...each, filters: { ...each.filters } })) });
      if (next.filters !== state.filters)
        return address.set({ ...fromTheStart, ...Object.fromEntries(filters.map(name => [name, next.filters[name] ?? null])) });
      if (next.hidden !== state.hidden || next.order !== state.order) keep({ ...kept, hidden: [...next.hidden], order: [...next.order] });
      const column = next.sort?.column ?? sorts[0];
      const change = {
        sort: column === sorts[0] ? null : column,
        direction: next.sort?.descending ? 'desc' : null,
        page: next.page > 1 ? String(next.page) : null,
      };
      const same = column === sort && Boolean(next.sort?.descending) === (direction === 'desc') && next.page === state.page;
      if (!same) address.set(change);
    },
  };
}
