import { Button } from '../action/Button.tsx';
import { Checkbox } from '../form/Checkbox.tsx';
import styles from './ColumnList.module.css';
import toolStyles from './ToolList.module.css';

export type ColumnListProps = {
  /** In the current order. */
  columns: readonly { id: string; label: string; hidden: boolean; fixed: boolean }[];
  onHiddenChange: (columnId: string, hidden: boolean) => void;
  onOrderChange: (columnIds: string[]) => void;
};

/** The columns of a table with a box and the ways to move each. */
export function ColumnList({ columns, onHiddenChange, onOrderChange }: ColumnListProps) {
  const move = (from: number, to: number) => {
    const ids = columns.map(column => column.id);
    const [moved] = ids.splice(from, 1);
    if (moved === undefined) return;
    ids.splice(to, 0, moved);
    onOrderChange(ids);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex -- keeps the focus inside when something without focus is pressed
    <div className={toolStyles.list} data-floats role="group" aria-label="Columns" tabIndex={-1}>
      {columns.map((column, index) => (
        <div key={column.id} className={styles.line}>
          <Checkbox checked={!column.hidden} disabled={column.fixed} onChange={event => onHiddenChange(column.id, !event.target.checked)}>
            {column.label}
          </Checkbox>
          <span className={styles.moves}>
            {index > 0 && (
              <Button
                variant="quiet"
                size="s"
                icon="arrow-up"
                aria-label={`Move ${column.label} before ${columns[index - 1]?.label}`}
                onClick={() => move(index, index - 1)}
              />
            )}
            {index < columns.length - 1 && (
              <Button
                variant="quiet"
                size="s"
                icon="arrow-down"
                aria-label={`Move ${column.label} after ${columns[index + 1]?.label}`}
                onClick={() => move(index, index + 1)}
              />
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
