/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label -- drawn as cards, table elements lose their roles unless they are written out */
import type { MouseEvent, ReactNode, Ref } from 'react';
import { Checkbox } from '../form/Checkbox.tsx';
import { classNames } from '../text/class-names.ts';
import styles from './DataTable.module.css';
import { TableCell } from './TableCell.tsx';
import type { Column } from './table-columns.ts';
import { type CellPlace, isControl } from './table-keys.ts';
import type { Line } from './table-lines.ts';
import type { Ticks } from './table-ticks.ts';

export type TableRowProps<Row> = {
  line: Line<Row>;
  /** Its number on the page. */
  index: number;
  /** Number of the page's first row among all. */
  from: number;
  measure?: Ref<HTMLTableRowElement> | undefined;
  columns: readonly Column<Row>[];
  columnCount: number;
  /** Undefined in a table without boxes. */
  ticks: Ticks | undefined;
  isCurrent: boolean;
  cellProps: (row: number, column: number) => CellPlace;
  rowLabel: ((row: Row) => string) | undefined;
  onOpen: ((row: Row) => void) | undefined;
  rowActions: ((row: Row) => ReactNode) | undefined;
  showsActions: ((row: Row) => boolean) | undefined;
};

/** One row: a box, its cells, its buttons; or the heading of a group. */
export function TableRow<Row>(props: TableRowProps<Row>) {
  const { line, index, from, measure, columns, columnCount, ticks, isCurrent, cellProps, onOpen } = props;
  const ticked = ticks?.isTicked(line.id) ?? false;
  const press = (event: MouseEvent) => {
    if (isControl(event.target) || document.getSelection()?.toString()) return;
    if (line.look === undefined || line.look === 'pending') onOpen?.(line.row);
  };
  return (
    <tr
      role="row"
      data-index={index}
      ref={measure}
      aria-rowindex={from + index + 1}
      aria-selected={ticks && line.canSelect ? ticked : undefined}
      aria-current={isCurrent || undefined}
      className={classNames(
        line.look && styles[line.look],
        ticked && styles.ticked,
        isCurrent && styles.current,
        onOpen && !line.look && styles.opens,
      )}
      onClick={press}
    >
      {line.look === 'group' ? (
        <td role="gridcell" colSpan={columnCount} {...cellProps(index, 0)}>
          {columns[0]?.cell(line.row)}
        </td>
      ) : (
        <RowCells {...props} />
      )}
    </tr>
  );
}

function RowCells<Row>({ line, index, columns, ticks, cellProps, rowLabel, rowActions, showsActions }: TableRowProps<Row>) {
  const lead = ticks ? 1 : 0;
  /** A press beside the box counts as one on the box. */
  const pick = (event: MouseEvent) => {
    event.stopPropagation();
    if (line.canSelect && !isControl(event.target)) ticks?.select([line.id], !ticks.isTicked(line.id));
  };
  return (
    <>
      {ticks && (
        <td role="gridcell" className={styles.pick} {...cellProps(index, 0)} onClick={pick}>
          {line.canSelect && (
            <Checkbox
              aria-label={`Select ${rowLabel?.(line.row) ?? line.id}`}
              checked={ticks.isTicked(line.id)}
              tabIndex={-1}
              onChange={event => ticks.select([line.id], event.target.checked)}
            />
          )}
        </td>
      )}
      {columns.map((column, columnIndex) => (
        <TableCell
          key={column.id}
          column={column}
          row={line.row}
          isFirst={columnIndex === 0}
          place={cellProps(index, columnIndex + lead)}
        />
      ))}
      {rowActions && (
        <td role="gridcell" className={classNames(styles.number, styles['card-actions'])} {...cellProps(index, columns.length + lead)}>
          <span className={classNames(styles.actions, showsActions?.(line.row) && styles.stay)}>{rowActions(line.row)}</span>
        </td>
      )}
    </>
  );
}
