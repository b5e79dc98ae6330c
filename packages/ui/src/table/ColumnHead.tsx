/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label -- drawn as cards, table elements lose their roles unless they are written out */
import type { Column } from './table-columns.ts';
import styles from './DataTable.module.css';
import type { TableState } from './table-state.ts';
import { Icon } from '../text/Icon.tsx';

type Props<Row> = { column: Column<Row>; sort: TableState['sort']; onSort: () => void };

/** The head of a column; one that can be sorted is a button and says how it is sorted. */
export function ColumnHead<Row>({ column, sort, onSort }: Props<Row>) {
  const sorted = sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined;
  return (
    <th
      role="columnheader"
      scope="col"
      className={column.align === 'end' ? styles.number : undefined}
      style={column.width ? { width: column.width } : undefined}
      aria-sort={sorted ?? (column.sortable ? 'none' : undefined)}
    >
      {column.sortable ? (
        <button type="button" onClick={onSort}>
          {column.label}
          <Icon name={sorted === 'descending' ? 'chevron-down' : 'chevron-up'} className={sorted ? undefined : styles.unsorted} />
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}
