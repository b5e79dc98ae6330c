import { formatCount, StateMark } from '@portal/ui';
import { validityWords } from '../routes/route-words.ts';
import type { BlockRoute } from './block-states.ts';

/** How a block is announced, in a few words; of several announcements the one that needs attention most. */
export function RouteMark({ route }: { route: BlockRoute | null }) {
  if (!route) return <span className="quiet">Not announced</span>;
  const { first, count, alike } = route;
  const { state, word } = validityWords[first.validity];
  return (
    <span className="nw">
      <StateMark state={state}>{word}</StateMark>
      {alike < count && (
        <span className="quiet small">
          {' '}
          {formatCount(alike)} of {formatCount(count)}
        </span>
      )}
    </span>
  );
}
