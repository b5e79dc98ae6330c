import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Reveal } from './RowWindow.tsx';
import type { Column } from './table-columns.ts';
import type { Line } from './table-lines.ts';
import { placeAfter } from './table-place.ts';

/** Within a cell, what handles its own keys and presses. */
export const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a,button,input,select,textarea,label,[role=menuitem]') !== null;

export type CellPlace = { 'data-cell': string; tabIndex: number; onFocus: () => void };

/**
 * The cell that has the focus, and the keys that move it: arrow keys, Home and End; Enter opens, Space ticks, Ctrl+C copies the cell.
 * @param say what a screen reader should say
 */
export function useTableKeys<Row>({
  lines,
  shown,
  hasBoxes,
  hasActions,
  body,
  onOpen,
  onTick,
  say,
}: {
  lines: readonly Line<Row>[];
  shown: readonly Column<Row>[];
  hasBoxes: boolean;
  hasActions: boolean;
  body: RefObject<HTMLTableSectionElement | null>;
  onOpen: ((row: Row) => void) | undefined;
  onTick: (id: string) => void;
  say: (words: string) => void;
}) {
  const [place, setPlace] = useState({ row: 0, column: 0 });
  const moved = useRef(false);
  const reveal = useRef<Reveal>(null);
  const columnCount = shown.length + (hasBoxes ? 1 : 0) + (hasActions ? 1 : 0);
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
    const column = shown[focusColumn - (hasBoxes ? 1 : 0)];
    const words = (line && column?.text?.(line.row)) ?? cell.textContent.trim();
    navigator.clipboard.writeText(words).then(
      () => say(`Copied ${words}`),
      () => say('Couldn’t copy: the browser blocked it'),
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
    if (event.key === ' ' && hasBoxes && line.canSelect) {
      event.preventDefault();
      onTick(line.id);
    }
  };

  const cellProps = (row: number, column: number): CellPlace => ({
    'data-cell': `${row}:${column}`,
    tabIndex: row === focusRow && column === focusColumn ? 0 : -1,
    onFocus: () => {
      if (row !== place.row || column !== place.column) setPlace({ row, column });
    },
  });

  return { columnCount, keys, cellProps, reveal };
}
