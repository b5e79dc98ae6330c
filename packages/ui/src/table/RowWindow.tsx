import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, type RefObject, useImperativeHandle } from 'react';

/** Scrolls a row into view and reports when it is in the document. */
export type Reveal = (row: number, shown: () => void) => void;

const rowHeight = 36;

/**
 * Renders the visible ones of many table rows, and a few around them; empty rows of the same height represent the others. Loaded
 * with the first table that has so many.
 */
export function RowWindow({
  count,
  box,
  spacer,
  revealRef,
  children,
}: {
  count: number;
  /** The scrolling element. */
  box: RefObject<HTMLElement | null>;
  /** Class of the empty rows. */
  spacer: string | undefined;
  revealRef: Ref<Reveal>;
  /** Draws the row and gives it the ref that measures it. */
  children: (row: number, measure: Ref<HTMLTableRowElement>) => ReactNode;
}) {
  // oxlint-disable-next-line react/incompatible-library -- only this component reads it
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: 720 },
  });
  useImperativeHandle(
    revealRef,
    () => (row, shown) => {
      virtualizer.scrollToIndex(row);
      requestAnimationFrame(shown);
    },
    [virtualizer],
  );
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {before > 0 && <tr aria-hidden="true" className={spacer} style={{ height: before }} />}
      {items.map(item => children(item.index, virtualizer.measureElement))}
      {after > 0 && <tr aria-hidden="true" className={spacer} style={{ height: after }} />}
    </>
  );
}
