import { laneHeight, lanePitch, type LaneState, type MapLayout } from './address-map-layout.ts';

/** Length of a tooth of an invalid announcement, and the gap to the next. */
const tooth = 4;
const toothGap = 2;

/**
 * The shape of a state in its lane, so that colour never carries it alone: valid is solid, invalid is cut into teeth, an announcement without a ROA is a line in the middle,
 * a ROA that only allows is an outline, and a lame zone is dashed.
 */
export function laneShape(
  state: LaneState,
  { x, y, width, height = laneHeight }: { x: number; y: number; width: number; height?: number },
): string {
  const bar = (from: number, length: number, top = y, tall = height): string =>
    `M${from.toFixed(1)} ${top}h${length.toFixed(1)}v${tall}h-${length.toFixed(1)}z`;
  switch (state) {
    case 'lame':
      return `M${x.toFixed(1)} ${y + height / 2}h${width.toFixed(1)}`;
    case 'covered':
      return bar(x + 0.5, Math.max(0, width - 1), y + 0.5, height - 1);
    case 'not-found':
      return bar(x, width, y + height / 2 - 1, 2);
    case 'invalid': {
      let teeth = '';
      for (let at = 0; at === 0 || at + 1 < width; at += tooth + toothGap) teeth += bar(x + at, Math.min(tooth, width - at));
      return teeth;
    }
    case 'routed':
    case 'valid':
    case 'answers':
      return bar(x, width);
  }
}

/** One path for each state of the lanes. */
export function drawLanes(layout: MapLayout, laneCount: number): [LaneState, string][] {
  if (laneCount === 0) return [];
  const paths = new Map<LaneState, string>();
  for (const mark of layout.lanes) {
    const y = (layout.rows[mark.row]?.y ?? 0) + layout.laneTop + mark.lane * lanePitch;
    const zone = mark.state === 'answers' || mark.state === 'lame';
    const width = zone && mark.width > 8 ? mark.width - 2.5 : mark.width;
    paths.set(mark.state, (paths.get(mark.state) ?? '') + laneShape(mark.state, { x: mark.x, y, width }));
  }
  return [...paths];
}
