import type { LaneState, MapLayout } from './address-map-layout.ts';

/** One path for each lane state: filled where it holds, outlined where a ROA only allows, dashed where a zone is lame. */
export function drawLanes(layout: MapLayout, laneCount: number): [LaneState, string][] {
  if (laneCount === 0) return [];
  const paths = new Map<LaneState, string>();
  for (const mark of layout.lanes) {
    const y = (layout.rows[mark.row]?.y ?? 0) + layout.laneTop + mark.lane * 4;
    const zone = mark.state === 'answers' || mark.state === 'lame';
    const width = zone && mark.width > 8 ? mark.width - 2.5 : mark.width;
    const path =
      mark.state === 'lame'
        ? `M${mark.x.toFixed(1)} ${y + 1.5}h${width.toFixed(1)}`
        : mark.state === 'covered'
          ? `M${(mark.x + 0.5).toFixed(1)} ${y + 0.5}h${Math.max(0, width - 1).toFixed(1)}v2h-${Math.max(0, width - 1).toFixed(1)}z`
          : `M${mark.x.toFixed(1)} ${y}h${width.toFixed(1)}v3h-${width.toFixed(1)}z`;
    paths.set(mark.state, (paths.get(mark.state) ?? '') + path);
  }
  return [...paths];
}
