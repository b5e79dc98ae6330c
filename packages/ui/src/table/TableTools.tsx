import type { ReactNode } from 'react';
import { ColumnChooser } from './ColumnChooser.tsx';
import { SavedFilters } from './SavedFilters.tsx';
import styles from './DataTable.module.css';
import type { Column } from './table-columns.ts';
import type { TableState } from './table-state.ts';

type Props = {
  /** All columns, in the person's order. */
  columns: readonly Column<never>[];
  state: TableState;
  onStateChange: ((state: TableState) => void) | undefined;
  tools: ReactNode;
  exportMenu: ReactNode;
  countLabel: ReactNode;
};

/** Above the rows: filters on the left; count, export and the choice of columns on the right. */
export function TableTools({ columns, state, onStateChange, tools, exportMenu, countLabel }: Props) {
  const choosable = onStateChange !== undefined && columns.some(column => !column.fixed);
  // Nothing to save and nothing saved: no button.
  const hasSaved =
    onStateChange !== undefined && state.saved !== undefined && (state.saved.length > 0 || Object.keys(state.filters).length > 0);
  const chooserColumns = columns.map(column => ({
    id: column.id,
    label: column.label,
    hidden: state.hidden.includes(column.id),
    fixed: Boolean(column.fixed),
  }));
  return (
    <div className={styles.tools} hidden={!tools && !exportMenu && !countLabel && !choosable && !hasSaved}>
      {tools}
      <span className={styles.end}>
        {countLabel && <span className={styles.count}>{countLabel}</span>}
        {exportMenu}
        {hasSaved && (
          <SavedFilters
            saved={state.saved!}
            filters={state.filters}
            onApply={filters => onStateChange?.({ ...state, filters, page: 1 })}
            onSavedChange={saved => onStateChange?.({ ...state, saved })}
          />
        )}
        {choosable && (
          <ColumnChooser
            columns={chooserColumns}
            onHiddenChange={(column, hidden) =>
              onStateChange?.({ ...state, hidden: hidden ? [...state.hidden, column] : state.hidden.filter(each => each !== column) })
            }
            onOrderChange={order => onStateChange?.({ ...state, order })}
          />
        )}
      </span>
    </div>
  );
}
