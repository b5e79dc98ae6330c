import { formatCount, StateMark } from '@portal/ui';
import type { BlockZones } from './block-states.ts';

/** Reverse zones of a block in a few words: how many are delegated, or that some are lame. */
export function ZonesMark({ zones: { delegated, lame } }: { zones: BlockZones }) {
  if (delegated === 0) return <span className="quiet">None</span>;
  return lame > 0 ? <StateMark state="warning">{formatCount(lame)} lame</StateMark> : <>{formatCount(delegated)} delegated</>;
}
