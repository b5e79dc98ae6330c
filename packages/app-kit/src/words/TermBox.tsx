import { type TermName, terms } from '@portal/contract/terms';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import styles from './TermBox.module.css';

/** Pixels between the box and the edge of the window. */
const EDGE = 8;

/** Puts the box right below the word, or above it where there is no room, inside the window. They touch, so that the pointer can go from one to the other. */
function place(box: HTMLElement, word: Element): void {
  const at = word.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = window.innerHeight - at.bottom - EDGE;
  box.style.top = `${height <= below || below >= at.top ? at.bottom : Math.max(EDGE, at.top - height)}px`;
  box.style.left = `${Math.max(EDGE, Math.min(at.left, window.innerWidth - width - EDGE))}px`;
}

/** The explanation of a term, over everything else. */
export function TermBox({ id, name, word }: { id: string; name: TermName; word: RefObject<Element | null> }) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const [shown, at] = [box.current, word.current];
    if (!shown || !at) return;
    shown.showPopover?.();
    place(shown, at);
    const moved = () => place(shown, at);
    window.addEventListener('scroll', moved, true);
    window.addEventListener('resize', moved);
    return () => {
      window.removeEventListener('scroll', moved, true);
      window.removeEventListener('resize', moved);
    };
  }, [word]);
  return (
    <span className={styles.box} ref={box} id={id} role="tooltip" popover="manual">
      <b>{terms[name].name}</b> {terms[name].words}
    </span>
  );
}
