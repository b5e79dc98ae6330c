/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label -- drawn as cards, table elements lose their roles unless they are written out */
import {
  type ChangeEvent,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { withRetries } from '../code/with-retries.ts';
import { Button } from '../action/Button.tsx';
import { Checkbox } from '../form/Checkbox.tsx';
import { classNames } from '../text/class-names.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { formatCount } from '../text/Count.tsx';
import styles from './DataTable.module.css';
import { useNarrow } from '../layout/narrow.ts';
import type { Reveal } from './RowWindow.tsx';
import { ColumnHead } from './ColumnHead.tsx';
import { SkeletonRows } from './SkeletonRows.tsx';
import { TableCell } from './TableCell.tsx';
import { TablePager } from './TablePager.tsx';
import { type Column, inOrder } from './table-columns.ts';
import type { Line, RowLook } from './table-lines.ts';
import { useOverflow } from './table-overflow.ts';
import { placeAfter } from './table-place.ts';
import type { TableState } from './table-state.ts';

export type { Column } from './table-columns.ts';
export type { RowLook } from './table-lines.ts';
export { emptyTableState, type TableState } from './table-state.ts';

export type DataTableProps<Row> = {
  /** Name of the table's contents, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Names a row where its box is ticked. */
  rowLabel?: (row: Row) => string;
  rowLook?: (row: Row) => RowLook;
  state: TableState;
  /** Left out where all rows are given and nothing is chosen: no sorting, no paging, no choice of columns. */
  onStateChange?: (state: TableState) => void;
  /** Rows that match, over all pages. */
  total?: number;
  pageSize?: number;
  /** Rows are on their way: skeleton rows when there are none yet, else the old ones, dimmed. */
  loading?: boolean;
  /** Shown in place of rows if there are none. */
  empty?: ReactNode;
  /** Filters, left above the rows. */
  tools?: ReactNode;
  /** Export and the like, right above the rows. */
  exportMenu?: ReactNode;
  /** The count in words: "19 blocks". */
  countLabel?: ReactNode;
  selection?: {
    selected: ReadonlySet<string>;
    onChange: (selected: ReadonlySet<string>) => void;
    actions?: ReactNode;
    canSelect?: (row: Row) => boolean;
  };
  /** Enter or a press on the row. */
  onOpen?: (row: Row) => void;
  /** The row whose details are shown beside the table. */
  current?: string | null;
  /** Small buttons at the end of a row, shown under the pointer and with the focus. */
  rowActions?: (row: Row) => ReactNode;
  /** Rows that always show theirs: those that ask for something. */
  showsActions?: (row: Row) => boolean;
};

/** From so many rows on only those on the screen are in the document; what that takes loads with the first such table. */
const virtualFrom = 200;
const RowWindow = lazy(withRetries(async () => ({ default: (await import('./RowWindow.tsx')).RowWindow })));
/** Rows rendered until the window of rows has loaded. */
const rowsAhead = 40;

/** Within a cell, what handles its own keys and presses. */
const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a,button,input,select,textarea,label,[role=menuitem]') !== null;

/**
 * A table that the server sorts, filters and pages. Arrow keys move between cells, Home and End along the row, Enter opens, Space ticks, Ctrl+C copies the cell.
 * In windows of 991 px and less each row is a card.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowId,
  rowLabel,
  rowLook,
  state,
  onStateChange,
  total = rows.length,
  pageSize = 50,
  loading,
  empty,
  tools,
  exportMenu,
  countLabel,
  selection,
  onOpen,
  current,
  rowActions,
  showsActions,
}: DataTableProps<Row>) {
  const id = useId();
  const cards = useNarrow();
  const [wrap, overflows] = useOverflow();
  const body = useRef<HTMLTableSectionElement>(null);
  const [place, setPlace] = useState({ row: 0, column: 0 });
  const moved = useRef(false);
  const reveal = useRef<Reveal>(null);
  const [said, setSaid] = useState('');

  const canSelect = selection?.canSelect;
  const lines = useMemo<Line<Row>[]>(
    () =>
      rows.map(row => {
        const look = rowLook?.(row);
        return { id: rowId(row), row, look, canSelect: look === undefined && (canSelect?.(row) ?? true) };
      }),
    [rows, rowId, rowLook, canSelect],
  );
  const ordered = useMemo(() => inOrder(columns, state.order), [columns, state.order]);
  const shown = ordered.filter(column => column.fixed || !state.hidden.includes(column.id));
  const loadingFirst = Boolean(loading) && rows.length === 0;

  const sortBy = (column: Column<Row>) => {
    const same = state.sort?.column === column.id;
    const descending = same ? !state.sort?.descending : false;
    setSaid(`Sorted by ${column.label}, ${descending ? 'descending' : 'ascending'}`);
    onStateChange?.({ ...state, sort: { column: column.id, descending }, page: 1 });
  };

  const isVirtual = lines.length > virtualFrom;
  const selectable = selection ? lines.filter(line => line.canSelect) : [];
  const chosen = selectable.filter(line => selection?.selected.has(line.id)).length;
  const select = (ids: readonly string[], on: boolean) => {
    if (!selection) return;
    const next = new Set(selection.selected);
    for (const each of ids) {
      if (on) next.add(each);
      else next.delete(each);
    }
    selection.onChange(next);
  };

  const isMixed = chosen > 0 && chosen < selectable.length;
  const allBox = {
    checked: chosen > 0 && chosen === selectable.length,
    mixed: isMixed,
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      select(
        selectable.map(row => row.id),
        event.target.checked,
      ),
  };

  const columnCount = shown.length + (selection ? 1 : 0) + (rowActions ? 1 : 0);
  const focusRow = Math.min(place.row, Math.max(0, lines.length - 1));
  const focusColumn = Math.min(place.column, columnCount - 1);
  const cellAt = (row: number, column: number) => body.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    const cell = cellAt(focusRow, focusColumn);
    if (cell) cell.focus();
    else reveal.current?.(focusRow, () => cellAt(focusRow, focusColumn)?.focus({ preventScroll: true }));
  });

  const copy = (cell: HTMLElement) => {
    const line = lines[focusRow];
    const column = shown[focusColumn - (selection ? 1 : 0)];
    const words = (line && column?.text?.(line.row)) ?? cell.textContent.trim();
    navigator.clipboard.writeText(words).then(
      () => setSaid(`Copied ${words}`),
      () => setSaid('Couldn’t copy: the browser blocked it'),
    );
  };

  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-cell]') : null;
    if (!cell) return;
    const [row = 0, column = 0] = (cell.dataset.cell ?? '').split(':').map(Number);
    const inControl = event.target !== cell && isControl(event.target);
    if (event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey)) {
      if (inControl || document.getSelection()?.toString()) return;
      event.preventDefault();
      return copy(cell);
    }
    if (event.altKey || (event.target instanceof Element && event.target.matches('input:not([type=checkbox]),select,textarea'))) return;
    const next = placeAfter(event.key, { row, column }, lines.length, columnCount, event.ctrlKey || event.metaKey);
    if (next) {
      event.preventDefault();
      moved.current = true;
      return setPlace(next);
    }
    const line = lines[row];
    if (inControl || !line) return;
    if (event.key === 'Enter' && line.look !== 'group') {
      event.preventDefault();
      const link = cell.querySelector<HTMLElement>('a,button,input');
      if (onOpen) onOpen(line.row);
      else link?.click();
    }
    if (event.key === ' ' && selection && line.canSelect) {
      event.preventDefault();
      select([line.id], !selection.selected.has(line.id));
    }
  };

  const press = (event: MouseEvent, line: Line<Row>) => {
    if (isControl(event.target) || document.getSelection()?.toString()) return;
    if (line.look === undefined || line.look === 'pending') onOpen?.(line.row);
  };

  /** A press beside the box counts as one on the box. */
  const pick = (event: MouseEvent, line: Line<Row>) => {
    event.stopPropagation();
    if (line.canSelect && !isControl(event.target)) select([line.id], !selection?.selected.has(line.id));
  };

  const cellProps = (row: number, column: number) => ({
    'data-cell': `${row}:${column}`,
    tabIndex: row === focusRow && column === focusColumn ? 0 : -1,
    onFocus: () => {
      if (row !== place.row || column !== place.column) setPlace({ row, column });
    },
  });

  const pages = Math.max(1, Math.ceil(total / pageSize));
  const page = Math.min(state.page, pages);
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const choosable = onStateChange !== undefined && columns.some(column => !column.fixed);
  const chooserColumns = ordered.map(column => ({
    id: column.id,
    label: column.label,
    hidden: state.hidden.includes(column.id),
    fixed: Boolean(column.fixed),
  }));

  const lead = selection ? 1 : 0;
  const rowOf = (line: Line<Row>, index: number, measure?: Ref<HTMLTableRowElement>) => {
    const ticked = selection?.selected.has(line.id) ?? false;
    return (
      <tr
        key={line.id}
        role="row"
        data-index={index}
        ref={measure}
        aria-rowindex={from + index + 1}
        aria-selected={selection && line.canSelect ? ticked : undefined}
        aria-current={current === line.id || undefined}
        className={classNames(
          line.look && styles[line.look],
          ticked && styles.ticked,
          current === line.id && styles.current,
          onOpen && !line.look && styles.opens,
        )}
        onClick={event => press(event, line)}
      >
        {line.look === 'group' ? (
          <td role="gridcell" colSpan={columnCount} {...cellProps(index, 0)}>
            {shown[0]?.cell(line.row)}
          </td>
        ) : (
          <>
            {selection && (
              <td role="gridcell" className={styles.pick} {...cellProps(index, 0)} onClick={event => pick(event, line)}>
                {line.canSelect && (
                  <Checkbox
                    aria-label={`Select ${rowLabel?.(line.row) ?? line.id}`}
                    checked={ticked}
                    tabIndex={-1}
                    onChange={event => select([line.id], event.target.checked)}
                  />
                )}
              </td>
            )}
            {shown.map((column, columnIndex) => (
              <TableCell
                key={column.id}
                column={column}
                row={line.row}
                isFirst={columnIndex === 0}
                place={cellProps(index, columnIndex + lead)}
              />
            ))}
            {rowActions && (
              <td role="gridcell" className={classNames(styles.number, styles['card-actions'])} {...cellProps(index, shown.length + lead)}>
                <span className={classNames(styles.actions, showsActions?.(line.row) && styles.stay)}>{rowActions(line.row)}</span>
              </td>
            )}
          </>
        )}
      </tr>
    );
  };

  return (
    <div className={classNames(styles.frame, cards && styles.cards)}>
      <div className={styles.tools} hidden={!tools && !exportMenu && !countLabel && !choosable}>
        {tools}
        <span className={styles.end}>
          {countLabel && <span className={styles.count}>{countLabel}</span>}
          {exportMenu}
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
      {selection && selection.selected.size > 0 && (
        <div className={styles.bulk}>
          <b>{formatCount(selection.selected.size)} selected</b>
          {selection.actions}
          <Button variant="quiet" size="s" className={styles.clear} onClick={() => selection.onChange(new Set())}>
            Clear
          </Button>
        </div>
      )}
      {cards && selectable.length > 0 && (
        <div className={styles.all}>
          <Checkbox key={isMixed ? 'some' : 'all'} {...allBox}>
            Select all on this page
          </Checkbox>
        </div>
      )}
      {rows.length === 0 && !loading ? (
        empty
      ) : (
        <div className={styles.wrap} ref={wrap} data-overflows={overflows || isVirtual || undefined} data-virtual={isVirtual || undefined}>
          <table
            className={classNames(styles.table, loading && !loadingFirst && styles.stale)}
            role="grid"
            aria-labelledby={`${id}-caption`}
            aria-busy={loading || undefined}
            aria-rowcount={total + 1}
            aria-colcount={columnCount}
            aria-multiselectable={selection ? true : undefined}
            onKeyDown={keys}
          >
            <caption className="vh" id={`${id}-caption`}>
              {caption}
            </caption>
            <thead role="rowgroup">
              <tr role="row" aria-rowindex={1}>
                {selection && (
                  <th role="columnheader" scope="col" className={styles.pick}>
                    <Checkbox key={isMixed ? 'some' : 'all'} aria-label="Select all rows on this page" {...allBox} />
                  </th>
                )}
                {shown.map(column => (
                  <ColumnHead key={column.id} column={column} sort={state.sort} onSort={() => sortBy(column)} />
                ))}
                {rowActions && (
                  <th role="columnheader" scope="col">
                    <span className="vh">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody role="rowgroup" ref={body}>
              {loadingFirst && <SkeletonRows rows={Math.min(pageSize, 10)} columns={columnCount} hasBoxes={selection !== undefined} />}
              {isVirtual ? (
                <Suspense fallback={lines.slice(0, rowsAhead).map((line, index) => rowOf(line, index))}>
                  <RowWindow count={lines.length} box={wrap} spacer={styles.spacer} revealRef={reveal}>
                    {(index, measure) => {
                      const line = lines[index];
                      return line && rowOf(line, index, measure);
                    }}
                  </RowWindow>
                </Suspense>
              ) : (
                lines.map((line, index) => rowOf(line, index))
              )}
            </tbody>
          </table>
        </div>
      )}
      {loadingFirst && <span className="vh">Loading</span>}
      <output className="vh">{said}</output>
      {total > 0 && (rows.length > 0 || loading) && (
        <TablePager
          from={from}
          count={rows.length}
          total={total}
          page={page}
          pages={pages}
          onPage={next => onStateChange?.({ ...state, page: next })}
        />
      )}
    </div>
  );
}
