/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label -- drawn as cards, table elements lose their roles unless they are written out */
import { type HTMLAttributes, memo, type ReactNode } from 'react';
import type { Column } from './table-columns.ts';
import styles from './DataTable.module.css';
import { classNames } from '../text/class-names.ts';

type Props<Row> = {
  column: Column<Row>;
  row: Row;
  isFirst: boolean;
  /** Attributes that make the cell a place of the grid: its coordinates, and whether the focus is on it. */
  place: HTMLAttributes<HTMLTableCellElement>;
};

/** One value of a row; in a card with the label of its column. */
export function TableCell<Row>({ column, row, isFirst, place }: Props<Row>) {
  const card = column.card ?? (isFirst ? 'key' : 'value');
  return (
    <td
      role="gridcell"
      className={classNames(
        column.align === 'end' && styles.number,
        column.look === 'mono' && styles.mono,
        column.look === 'quiet' && styles.quiet,
        column.wrap && styles.breaks,
        styles[`card-${card}`],
      )}
      data-label={card === 'value' || card === 'wide' ? column.label : undefined}
      {...place}
    >
      <Content draw={column.cell} row={row} />
    </td>
  );
}

/** Content of a cell; rendered again only for another row or another column, not when the focus moves. */
const Content = memo(function Content<Row>({ draw, row }: { draw: (row: Row) => ReactNode; row: Row }) {
  return draw(row);
}) as <Row>(props: { draw: (row: Row) => ReactNode; row: Row }) => ReactNode;
