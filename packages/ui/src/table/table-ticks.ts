import type { ChangeEvent } from 'react';
import type { Line } from './table-lines.ts';

/** Rows that are ticked, by their ids. */
export type TableSelection = { selected: ReadonlySet<string>; onChange: (selected: ReadonlySet<string>) => void };

export type Ticks = ReturnType<typeof ticksOf>;

/** Returns what the boxes of a table show and do: those of rows, and the one for all rows of the page. */
export function ticksOf(lines: readonly Line<unknown>[], selection: TableSelection | undefined) {
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

  return { selectable, select, isMixed, allBox, isTicked: (id: string): boolean => selection?.selected.has(id) ?? false };
}
