import { memo } from 'react';
import { hatchedKinds, type MapLayout, type MapPiece } from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { kindIn, type MapText } from './map-words.ts';
import { classNames } from '../text/class-names.ts';
import { formatCount } from '../text/Count.tsx';

type Props = {
  id: string;
  pieces: MapPiece[];
  layout: MapLayout;
  text: MapText;
  selected: boolean;
  hatch: string;
  position: number;
  count: number;
};

/** One block with all its rows. It is distinguished by name and kind, never by colour alone. */
export const MapOption = memo(function MapOption({ id, pieces, layout, text, selected, hatch, position, count }: Props) {
  const first = pieces[0];
  if (!first) return null;
  const { block } = first;
  const words =
    first.count > 1
      ? `${formatCount(first.count)} blocks from ${block.label}, too small to draw apart`
      : `${block.label}${block.name ? `, ${block.name}` : ''}, ${kindIn(text, block.kind).toLowerCase()}`;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn, not listed
    <g role="option" id={id} aria-selected={selected} aria-label={words} aria-posinset={position} aria-setsize={count}>
      {pieces.map(piece => {
        const thin = piece.width < 6 && piece.count === 1;
        const filled = hatchedKinds.includes(block.kind) || piece.count > 1;
        return (
          <g key={piece.row} aria-hidden="true">
            <rect
              className={classNames(
                piece.count > 1 ? styles.dense : styles[block.kind],
                thin && styles.thin,
                piece.ground && styles.ground,
              )}
              fill={filled ? `url(#${hatch}-${piece.count > 1 ? 'dense' : block.kind})` : undefined}
              x={thin ? piece.x : piece.x + 0.5}
              y={piece.y + 0.5}
              width={thin ? Math.max(1, piece.width - 1) : piece.width - 1.5}
              height={piece.height}
            />
            {block.kind === 'customers' && piece.width > 60 && <path className={styles.sub} d={innerMarks(layout, piece)} />}
          </g>
        );
      })}
    </g>
  );
});

/** The quarters of a row that fall inside a piece. */
function innerMarks(layout: MapLayout, piece: MapPiece): string {
  return [1, 2, 3]
    .map(quarter => layout.left + (quarter * layout.rowWidth) / 4)
    .filter(x => x > piece.x + 8 && x < piece.x + piece.width - 8)
    .map(x => `M${x.toFixed(1)} ${piece.y + 1}v${piece.height - 1}`)
    .join('');
}
