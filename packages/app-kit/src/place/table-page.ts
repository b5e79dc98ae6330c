import { emptyTableState, type TableState } from '@portal/ui/table/table-state';
import { useAddress } from './address.ts';

export type TablePage = {
  /** Number of the page, from 1. */
  page: number;
  /** The part of a query that asks for the rows of the page. */
  query: { offset: number; limit: number };
  /** Props of the `DataTable`. */
  table: { state: TableState; onStateChange: (next: TableState) => void; pageSize: number };
};

/** Returns the page of a table that the server divides into pages. Its number is `page` of the address; a number that can't be one means the first page. */
export function useTablePage(pageSize: number): TablePage {
  const address = useAddress();
  const asked = Number(address.get('page'));
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1;
  return {
    page,
    query: { offset: (page - 1) * pageSize, limit: pageSize },
    table: {
      state: { ...emptyTableState, page },
      onStateChange: next => address.set({ page: next.page > 1 ? String(next.page) : null }, { step: true }),
      pageSize,
    },
  };
}
