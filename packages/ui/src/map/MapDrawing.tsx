import { memo, useMemo } from 'react';
import { laneHeight, lanePitch, type MapLane, type MapLayout, type MapPiece } from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { MapLabels } from './MapLabels.tsx';
import { MapOption } from './MapOption.tsx';
import { drawLanes } from './map-lane-paths.ts';
import type { MapText } from './map-words.ts';
import { formatCount } from '../text/Count.tsx';

type Props = {
  layout: MapLayout;
  text: MapText;
  lanes: readonly MapLane[];
  selected: string | null;
  hatch: string;
  idOf: (pieceId: string) => string;
};

const defaultTick = (offset: bigint) => (offset < 1_000_000n ? `+${formatCount(offset)}` : '');

/** Everything except what follows the pointer, so that moving it redraws nothing. */
export const MapDrawing = memo(function MapDrawing({ layout, text, lanes, selected, hatch, idOf }: Props) {
  const { left, rowWidth, rows, laneTop } = layout;
  const groups = useMemo(() => {
    const byId = new Map<string, MapPiece[]>();
    for (const piece of layout.pieces) {
      const own = byId.get(piece.id);
      if (own) own.push(piece);
      else byId.set(piece.id, [piece]);
    }
    return [...byId];
  }, [layout]);
  const laneRects = useMemo(() => drawLanes(layout, lanes.length), [layout, lanes.length]);
  const chosen = layout.pieces.filter(piece => piece.id === selected);
  const first = chosen[0];
  const frameHeight = (piece: MapPiece) =>
    lanes.length > 0 ? laneTop + lanes.length * lanePitch + 1 - (piece.y - (rows[piece.row]?.y ?? 0)) : piece.height + 2;
  return (
    <>
      <g aria-hidden="true">
        <GraduatedEdge layout={layout} text={text} />
        {rows.map(row => (
          <g key={row.index}>
            <text className={first?.row === row.index ? styles.label : styles.coordinate} x="0" y={row.y + layout.blockHeight / 2 + 4.5}>
              {text.address(row.start)}
            </text>
            <path className={styles.rule} d={`M${left - 8} ${row.y + 0.5}h8`} />
            {lanes.map((lane, index) => (
              <rect
                key={lane.id}
                className={styles.laneBase}
                x={left}
                y={row.y + laneTop + index * lanePitch}
                width={rowWidth}
                height={laneHeight}
              />
            ))}
          </g>
        ))}
      </g>
      {groups.map(([pieceId, pieces], index) => (
        <MapOption
          key={pieceId}
          id={idOf(pieceId)}
          pieces={pieces}
          layout={layout}
          text={text}
          selected={pieceId === selected}
          hatch={hatch}
          position={index + 1}
          count={groups.length}
        />
      ))}
      <MapLabels layout={layout} text={text} />
      <g aria-hidden="true">
        {laneRects.map(([state, path]) => (
          <path key={state} className={styles[state]} d={path} />
        ))}
        {chosen.map(piece => (
          <rect
            key={piece.row}
            className={styles.frame}
            x={piece.x - 0.5}
            y={piece.y - 0.5}
            width={Math.max(3, piece.width + 0.5)}
            height={frameHeight(piece)}
            rx="1"
          />
        ))}
        {first && (
          <path
            className={styles.pointer}
            d={`M${first.x} 24l-4-7h8zM${left - 1} ${(rows[first.row]?.y ?? 0) + layout.blockHeight / 2 + 0.5}l-7-4v8z`}
          />
        )}
      </g>
    </>
  );
});

/** The edge above the rows, with marks at its quarters. */
function GraduatedEdge({ layout: { left, rowWidth, rowLog2 }, text }: Pick<Props, 'layout' | 'text'>) {
  const quarters = rowLog2 >= 2 ? [0, 1, 2, 3] : rowLog2 === 1 ? [0, 2] : [0];
  const tick = text.tick ?? defaultTick;
  const everyOther = rowWidth < 400;
  return (
    <>
      {quarters.map(quarter => {
        const x = left + (quarter * rowWidth) / 4;
        const words = tick(((1n << BigInt(rowLog2)) * BigInt(quarter)) / 4n);
        return (
          <g key={quarter}>
            {!(everyOther && quarter % 2 === 1) && (
              <text className={styles.quiet} x={quarter === 0 ? x : x + 3} y="11">
                {words}
              </text>
            )}
            <path className={styles.edge} d={`M${x + 0.5} ${everyOther && quarter % 2 === 1 ? 18 : 15}V23`} />
          </g>
        );
      })}
      {text.endTick && (
        <text className={styles.quiet} x={left + rowWidth - 3} y="11" textAnchor="end">
          {tick(1n << BigInt(rowLog2))}
        </text>
      )}
      <path className={styles.edge} d={`M${left + rowWidth + 0.5} 15v8M${left} 22.5h${rowWidth + 1}`} />
      {[0, 1, 2, 3, 4, 5, 6, 7].map(eighth => (
        <rect key={eighth} className={styles.ink} x={left + (eighth * rowWidth) / 8} y="19" width={rowWidth / 16} height="3.5" />
      ))}
    </>
  );
}
