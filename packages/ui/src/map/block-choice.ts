import { useEffect, useRef, useState } from 'react';
import type { MapPiece } from './address-map-layout.ts';

/** Longer than the pause between the repeats of a held key. */
const restMs = 60;

type Choice = {
  /** The id of the chosen piece; null if there is none. */
  chosen: string | null;
  /** Chooses a piece. `resting`: the page is notified once no other follows. */
  choose: (piece: MapPiece | undefined, when?: 'now' | 'resting') => void;
  /** Notifies the page of what is marked, and drops a mark of several blocks. */
  settle: () => void;
};

/**
 * The chosen block: the page's if it is notified of choices, else the map's own. A held arrow key passes many blocks: the mark follows each, the
 * page is notified where it stops.
 */
export function useBlockChoice(selected: string | null, onSelect: ((blockId: string) => void) | undefined): Choice {
  const [mark, setMark] = useState<string | null>(null);
  const [own, setOwn] = useState<string | null>(null);
  const rest = useRef<{ announce: () => void; timer: ReturnType<typeof setTimeout> } | null>(null);
  useEffect(() => () => clearTimeout(rest.current?.timer), []);
  const announceNow = () => {
    if (!rest.current) return;
    clearTimeout(rest.current.timer);
    const { announce } = rest.current;
    rest.current = null;
    announce();
  };
  return {
    chosen: mark ?? (onSelect ? selected : own),
    choose(piece, when = 'now') {
      if (!piece) return;
      clearTimeout(rest.current?.timer);
      rest.current = null;
      if (piece.count > 1) return setMark(piece.id);
      const announce = () => {
        setMark(null);
        setOwn(piece.block.id);
        onSelect?.(piece.block.id);
      };
      if (when === 'now') return announce();
      setMark(piece.id);
      rest.current = { announce, timer: setTimeout(announceNow, restMs) };
    },
    settle() {
      announceNow();
      setMark(null);
    },
  };
}
