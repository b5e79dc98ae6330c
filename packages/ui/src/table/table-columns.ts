import type { ReactNode } from 'react';

/** A column of a table: its head, its cells, and its place in a card. */
export type Column<Row> = {
  id: string;
  /** The head of the column and, in cards, the label before the value. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** Text that copying the cell gives; by default the words on the screen. */
  text?: (row: Row) => string;
  sortable?: boolean;
  /** Numbers and money end right. */
  align?: 'start' | 'end';
  /** Mono for what a machine reads; quiet for what is rarely read. */
  look?: 'mono' | 'quiet';
  /** Lets the words break over lines. */
  wrap?: boolean;
  width?: number | string;
  /** Place in a card (windows of 991 px and less): key top left, state top right, a value with its label, or left out. */
  card?: 'key' | 'state' | 'value' | 'wide' | 'none';
  /** Always shows. */
  fixed?: boolean;
};

/** The columns in the order of the state; those it does not name come last, in their own order. */
export function inOrder<Row>(columns: readonly Column<Row>[], order: readonly string[]): readonly Column<Row>[] {
  if (order.length === 0) return columns;
  const place = (column: Column<Row>) => {
    const named = order.indexOf(column.id);
    return named < 0 ? order.length : named;
  };
  return columns.toSorted((a, b) => place(a) - place(b));
}
