import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { type MapLayout, type MapPiece, offsetAt, pieceAt } from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { MapPosition } from './MapPosition.tsx';
import type { MapText } from './map-words.ts';

type Props = {
  /** Before the names of hatches. */
  id: string;
  layout: MapLayout;
  /** Of the drawing with its margin, in px. */
  width: number;
  text: MapText;
  /** The id of the option that has the focus. */
  active: string | undefined;
  /** Ids of the words about keys and of the table behind the picture. */
  describedBy: string | undefined;
  onKeyDown: (event: KeyboardEvent) => void;
  onPress: (piece: MapPiece) => void;
  /** In place of `onPress`: the offset of the address that was pressed. */
  onPoint: ((offset: bigint) => void) | undefined;
  /** Inside the drawing. */
  children: ReactNode;
};

/** The box with the drawing: takes keys and presses, and shows the position under the pointer. */
export function MapBox({ id, layout, width, text, active, describedBy, onKeyDown, onPress, onPoint, children }: Props) {
  const { view, rows, rowLog2, height } = layout;
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const point = (event: PointerEvent | MouseEvent) => {
    const place = box.current?.getBoundingClientRect();
    return place ? { x: event.clientX - place.left, y: event.clientY - place.top } : null;
  };
  const press = (event: MouseEvent) => {
    const place = point(event);
    if (onPoint) {
      const offset = place && offsetAt(layout, place.x, place.y);
      if (offset !== null) onPoint(offset);
      return;
    }
    const piece = place && pieceAt(layout, place.x, place.y);
    if (piece) onPress(piece);
  };
  return (
    <div
      ref={box}
      className={styles.box}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn, not listed
      role="listbox"
      tabIndex={0}
      aria-label={`Address map of ${text.prefix(view.start, view.sizeLog2)}, ${rows.length} ${rows.length === 1 ? 'row' : `rows of ${text.size(rowLog2).split(',')[0]}`}`}
      aria-describedby={describedBy}
      aria-activedescendant={active}
      onKeyDown={onKeyDown}
      onClick={press}
      onPointerMove={event => setAt(event.pointerType === 'touch' ? null : point(event))}
      onPointerLeave={() => setAt(null)}
    >
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="presentation">
        <MapHatches id={id} />
        {children}
      </svg>
      <MapPosition layout={layout} text={text} at={at} />
    </div>
  );
}

/** The hatches of kinds that no colour tells apart. */
const MapHatches = ({ id }: { id: string }) => (
  <defs>
    <pattern id={`${id}-free`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0 0v6" className={styles.hatchLine} />
    </pattern>
    <pattern id={`${id}-reserved`} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
      <path d="M0 0v4" className={styles.reservedLine} />
    </pattern>
    <pattern id={`${id}-outside`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0 0v5M0 0h5" className={styles.outsideLine} />
    </pattern>
    <pattern id={`${id}-dense`} width="3" height="6" patternUnits="userSpaceOnUse">
      <path d="M.5 0v6" className={styles.denseLine} />
    </pattern>
  </defs>
);
