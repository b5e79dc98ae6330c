/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label -- drawn as cards, table elements lose their roles unless they are written out */
import styles from './DataTable.module.css';

const skeletonWidths = [110, 70, 56, 84, 64];

/** Placeholders for loading rows; with checkboxes, the first column is as narrow as they are. */
export const SkeletonRows = ({ rows, columns, hasBoxes }: { rows: number; columns: number; hasBoxes: boolean }) =>
  Array.from({ length: rows }, (_, row) => (
    <tr key={row} role="row" className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: columns }, (_none, column) => (
        <td key={column} role="gridcell">
          <i style={{ width: column === 0 && hasBoxes ? 15 : skeletonWidths[(row + column * 2) % 5] }} />
        </td>
      ))}
    </tr>
  ));
