/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label -- drawn as cards, table elements lose their roles unless they are written out */
import { Checkbox } from '../form/Checkbox.tsx';
import { ColumnHead } from './ColumnHead.tsx';
import styles from './DataTable.module.css';
import type { Column } from './table-columns.ts';
import type { TableState } from './table-state.ts';
import type { Ticks } from './table-ticks.ts';

type Props<Row> = {
  columns: readonly Column<Row>[];
  sort: TableState['sort'];
  onSort: (column: Column<Row>) => void;
  /** Undefined in a table without boxes. */
  ticks: Ticks | undefined;
  hasActions: boolean;
};

/** The row of headings, with the box for all rows. */
export function TableHead<Row>({ columns, sort, onSort, ticks, hasActions }: Props<Row>) {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {ticks && (
          <th role="columnheader" scope="col" className={styles.pick}>
            <Checkbox key={ticks.isMixed ? 'some' : 'all'} aria-label="Select all rows on this page" {...ticks.allBox} />
          </th>
        )}
        {columns.map(column => (
          <ColumnHead key={column.id} column={column} sort={sort} onSort={() => onSort(column)} />
        ))}
        {hasActions && (
          <th role="columnheader" scope="col">
            <span className="vh">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
