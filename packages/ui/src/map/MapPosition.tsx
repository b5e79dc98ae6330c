import { type MapLayout, offsetAt, pieceAt } from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { MapTip } from './MapTip.tsx';
import { kindIn, type MapText } from './map-words.ts';
import { formatCount } from '../text/Count.tsx';

/** The position under the pointer; follows it without drawing the map again. */
export function MapPosition({ layout, text, at }: { layout: MapLayout; text: MapText; at: { x: number; y: number } | null }) {
  if (!at) return null;
  const offset = offsetAt(layout, at.x, at.y);
  if (offset === null) return null;
  const piece = pieceAt(layout, at.x, at.y);
  return (
    <MapTip at={at} maxLeft={layout.width - 190}>
      {piece && (
        <div>
          <span className="mono">{piece.count > 1 ? `${formatCount(piece.count)} blocks` : piece.block.label}</span>{' '}
          {piece.count === 1 && (piece.block.name ?? kindIn(text, piece.block.kind).toLowerCase())}
        </div>
      )}
      <div className={styles.tipAddress}>{text.address(offset)}</div>
    </MapTip>
  );
}
