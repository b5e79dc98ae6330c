/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role, jsx-a11y/control-has-associated-label -- drawn as cards, table elements lose their roles unless they are written out */
import { type ComponentProps, Fragment, lazy, type ReactNode, type Ref, Suspense, useId, useMemo, useRef, useState } from 'react';
import { withRetries } from '../code/with-retries.ts';
import { Button } from '../action/Button.tsx';
import { Checkbox } from '../form/Checkbox.tsx';
import { classNames } from '../text/class-names.ts';
import { formatCount } from '../text/Count.tsx';
import styles from './DataTable.module.css';
import { useNarrow } from '../layout/narrow.ts';
import { SkeletonRows } from './SkeletonRows.tsx';
import { TableHead } from './TableHead.tsx';
import { TablePager } from './TablePager.tsx';
import { TableRow } from './TableRow.tsx';
import { TableTools } from './TableTools.tsx';
import { type Column, inOrder } from './table-columns.ts';
import { useTableKeys } from './table-keys.ts';
import type { Line, RowLook } from './table-lines.ts';
import { useOverflow } from './table-overflow.ts';
import type { TableState } from './table-state.ts';
import { ticksOf } from './table-ticks.ts';

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
  /** Left out if all rows are given: no sorting, no paging, no choice of columns. */
  onStateChange?: (state: TableState) => void;
  /** Rows that match, over all pages. */
  total?: number;
  pageSize?: number;
  /** Rows are loading: skeleton rows if there are none yet, else the old ones, dimmed. */
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
  /** Rows whose buttons are always shown: those that need an action. */
  showsActions?: (row: Row) => boolean;
  /** Content below one row, such as the receipt of what was done with it. Tables that render only visible rows don’t show it. */
  below?: { row: string; content: ReactNode } | undefined;
};

/** From this many rows on only visible rows are rendered; the code for that loads with the first such table. */
const virtualFrom = 200;
const RowWindow = lazy(withRetries(async () => ({ default: (await import('./RowWindow.tsx')).RowWindow })));
/** Rows rendered until the window of rows has loaded. */
const rowsAhead = 40;

/**
 * A table that the server sorts, filters and pages. Arrow keys move between cells, Home and End along the row, Enter opens, Space ticks, Ctrl+C copies the cell.
 * In windows of 991 px and less each row is a card.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, state, onStateChange, total = rows.length, pageSize = 50, loading, selection, onOpen, current } = props;
  const id = useId();
  const cards = useNarrow();
  const [wrap, overflows] = useOverflow();
  const body = useRef<HTMLTableSectionElement>(null);
  const [said, setSaid] = useState('');
  const lines = useLines(props);
  const ordered = useMemo(() => inOrder(columns, state.order), [columns, state.order]);
  const shown = ordered.filter(column => column.fixed || !state.hidden.includes(column.id));
  const loadingFirst = Boolean(loading) && rows.length === 0;
  const isVirtual = lines.length > virtualFrom;
  const ticks = ticksOf(lines, selection);
  const { columnCount, keys, cellProps, reveal } = useTableKeys({
    lines,
    shown,
    hasBoxes: selection !== undefined,
    hasActions: props.rowActions !== undefined,
    body,
    onOpen,
    onTick: each => ticks.select([each], !ticks.isTicked(each)),
    say: setSaid,
  });
  const sortBy = sorting<Row>(state, onStateChange, setSaid);
  const { page, pages, from } = pagesOf(total, pageSize, state.page);
  const boxes = selection && ticks;
  const rowOf = (line: Line<Row>, index: number, measure?: Ref<HTMLTableRowElement>) => (
    <TableRow
      key={line.id}
      line={line}
      index={index}
      from={from}
      measure={measure}
      columns={shown}
      columnCount={columnCount}
      ticks={boxes}
      isCurrent={current === line.id}
      cellProps={cellProps}
      rowLabel={props.rowLabel}
      onOpen={onOpen}
      rowActions={props.rowActions}
      showsActions={props.showsActions}
    />
  );
  return (
    <div className={classNames(styles.frame, cards && styles.cards)}>
      <TableTools
        columns={ordered}
        state={state}
        onStateChange={onStateChange}
        tools={props.tools}
        exportMenu={props.exportMenu}
        countLabel={props.countLabel}
      />
      {selection && <ChosenRows {...selection} />}
      {cards && <TickAll ticks={ticks} />}
      {rows.length === 0 && !loading ? (
        props.empty
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
              {props.caption}
            </caption>
            <TableHead columns={shown} sort={state.sort} onSort={sortBy} ticks={boxes} hasActions={props.rowActions !== undefined} />
            <tbody role="rowgroup" ref={body}>
              {loadingFirst && <SkeletonRows rows={Math.min(pageSize, 10)} columns={columnCount} hasBoxes={selection !== undefined} />}
              {isVirtual ? (
                <VirtualRows lines={lines} box={wrap} revealRef={reveal} rowOf={rowOf} />
              ) : (
                <DrawnRows lines={lines} rowOf={rowOf} below={props.below} columnCount={columnCount} />
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

/** Returns what orders a table by a column: ascending first, the other way round if it is the order already. */
function sorting<Row>(state: TableState, onStateChange: DataTableProps<Row>['onStateChange'], say: (words: string) => void) {
  return (column: Column<Row>): void => {
    const descending = state.sort?.column === column.id ? !state.sort.descending : false;
    say(`Sorted by ${column.label}, ${descending ? 'descending' : 'ascending'}`);
    onStateChange?.({ ...state, sort: { column: column.id, descending }, page: 1 });
  };
}

/** Returns the page that is shown, the last one instead of one after it, and the number of its first row. */
function pagesOf(total: number, pageSize: number, wanted: number): { page: number; pages: number; from: number } {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const page = Math.min(wanted, pages);
  return { page, pages, from: total === 0 ? 0 : (page - 1) * pageSize + 1 };
}

/** A box for all rows of the page, where rows are cards and the table has no head. */
function TickAll({ ticks }: { ticks: Pick<ReturnType<typeof ticksOf>, 'selectable' | 'isMixed' | 'allBox'> }) {
  if (ticks.selectable.length === 0) return null;
  return (
    <div className={styles.all}>
      <Checkbox key={ticks.isMixed ? 'some' : 'all'} {...ticks.allBox}>
        Select all on this page
      </Checkbox>
    </div>
  );
}

type VirtualProps<Row> = Pick<ComponentProps<typeof RowWindow>, 'box' | 'revealRef'> & {
  lines: readonly Line<Row>[];
  rowOf: (line: Line<Row>, index: number, measure?: Ref<HTMLTableRowElement>) => ReactNode;
};

/** Only the rows on the screen; the first ones until the code for that has loaded. */
const VirtualRows = <Row,>({ lines, rowOf, ...window }: VirtualProps<Row>) => (
  <Suspense fallback={lines.slice(0, rowsAhead).map((line, index) => rowOf(line, index))}>
    <RowWindow count={lines.length} spacer={styles.spacer} {...window}>
      {(index, measure) => {
        const line = lines[index];
        return line && rowOf(line, index, measure);
      }}
    </RowWindow>
  </Suspense>
);

/** Scrolls what has just appeared into sight. */
const intoSight = (row: Element | null): void => row?.scrollIntoView({ block: 'nearest' });

/** All rows, one of them with content below it. */
const DrawnRows = <Row,>({
  lines,
  rowOf,
  below,
  columnCount,
}: Pick<VirtualProps<Row>, 'lines' | 'rowOf'> & Pick<DataTableProps<Row>, 'below'> & { columnCount: number }) =>
  lines.map((line, index) => (
    <Fragment key={line.id}>
      {rowOf(line, index)}
      {below?.row === line.id && (
        <tr role="row" className={styles.below} ref={intoSight}>
          <td role="gridcell" colSpan={columnCount}>
            {below.content}
          </td>
        </tr>
      )}
    </Fragment>
  ));

/** Rows with what the table knows of each. */
function useLines<Row>({ rows, rowId, rowLook, selection }: DataTableProps<Row>): Line<Row>[] {
  const canSelect = selection?.canSelect;
  return useMemo<Line<Row>[]>(
    () =>
      rows.map(row => {
        const look = rowLook?.(row);
        return { id: rowId(row), row, look, canSelect: look === undefined && (canSelect?.(row) ?? true) };
      }),
    [rows, rowId, rowLook, canSelect],
  );
}

/** The number of ticked rows, and actions on them; empty if none is. */
function ChosenRows({ selected, onChange, actions }: NonNullable<DataTableProps<never>['selection']>) {
  if (selected.size === 0) return null;
  return (
    <div className={styles.bulk}>
      <b>{formatCount(selected.size)} selected</b>
      {actions}
      <Button variant="quiet" size="s" className={styles.clear} onClick={() => onChange(new Set())}>
        Clear
      </Button>
    </div>
  );
}
