import type { KeyboardEvent } from 'react';
import { type MapLayout, type MapPiece, neighbouringStop } from './address-map-layout.ts';

/** The acts that keys lead to. */
export type MapActs = {
  /** Marks a piece while keys are held. */
  choose: (piece: MapPiece | undefined) => void;
  /** Goes into a piece. */
  enter: (piece: MapPiece | null) => void;
  /** Comes back out; null where nothing is outside. */
  back: (() => void) | null;
};

/**
 * Returns the listener of keys: arrows move between the stops, Home and End go to the ends, Enter or `+` goes in, Escape or `-` comes out.
 * @param current the chosen stop
 */
export function mapKeys(layout: MapLayout, stops: readonly MapPiece[], current: MapPiece | null, { choose, enter, back }: MapActs) {
  const place = current ? stops.indexOf(current) : -1;
  const acts: Record<string, () => void> = {
    ArrowRight: () => choose(stops[Math.min(stops.length - 1, place + 1)]),
    ArrowLeft: () => choose(stops[Math.max(0, place - 1)]),
    ArrowDown: () => choose(current ? neighbouringStop(layout, current, 1) : stops[0]),
    ArrowUp: () => choose(current ? neighbouringStop(layout, current, -1) : stops[0]),
    Home: () => choose(stops[0]),
    End: () => choose(stops.at(-1)),
    Enter: () => enter(current),
    '+': () => enter(current),
    '-': () => back?.(),
  };
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && back) {
      event.preventDefault();
      event.stopPropagation();
      return back();
    }
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}
