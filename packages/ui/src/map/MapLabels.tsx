import { memo } from 'react';
import { type BlockKind, charWidth, fitLabel, type MapLayout, type MapPiece } from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import type { MapText } from './map-words.ts';
import { formatCount } from '../text/Count.tsx';

/** The words of all blocks, above every rectangle. */
export const MapLabels = memo(function MapLabels({ layout, text }: { layout: MapLayout; text: MapText }) {
  return (
    <g aria-hidden="true">
      {layout.pieces.map(piece => (
        <PieceLabel key={`${piece.id} ${piece.row}`} piece={piece} text={text} />
      ))}
    </g>
  );
});

const isBackground = (kind: BlockKind): boolean => kind === 'free' || kind === 'outside';

function PieceLabel({ piece, text }: { piece: MapPiece; text: MapText }) {
  const room = (piece.innerX === null ? piece.x + piece.width : piece.innerX) - piece.x;
  const baseline = piece.y + piece.height / 2 + 4;
  const x = piece.x + 7;
  if (piece.height < 16) return null;
  if (piece.count > 1) {
    const words = fitLabel([`${formatCount(piece.count)} blocks`, formatCount(piece.count)], room);
    return words ? <Plate x={x} y={baseline} words={words} room={room} /> : null;
  }
  // Free space and what is outside are hatched, and have no edge that a word would explain.
  if (piece.continues)
    return room > 70 && !isBackground(piece.block.kind) ? (
      <text className={styles.aside} x={x} y={baseline}>
        continues
      </text>
    ) : null;
  const { block } = piece;
  const label = fitLabel([block.label, ...(text.short?.(block) ?? [])], room);
  if (!label) return null;
  if (block.kind === 'outside') return null;
  if (block.kind === 'free') return <Plate x={x} y={baseline} words={label} room={room} />;
  const nameX = x + label.length * charWidth + 6.3;
  const nameRoom = piece.x + room - nameX - 6;
  const name = block.name && label === block.label && block.name.length * 6.6 <= nameRoom ? block.name : null;
  return (
    <>
      <text className={styles.label} x={x} y={baseline}>
        {label}
      </text>
      {name && (
        <text className={styles.name} x={nameX} y={baseline}>
          {name}
        </text>
      )}
    </>
  );
}

/** A label with its own background, on a hatched ground. */
function Plate({ x, y, words, room }: { x: number; y: number; words: string; room: number }) {
  return (
    <>
      <rect className={styles.paper} x={x - 4} y={y - 12.5} width={Math.min(words.length * charWidth + 8, room - 5)} height="17" />
      <text className={styles.quiet} x={x} y={y}>
        {words}
      </text>
    </>
  );
}
