import type { TermName } from '@portal/contract/terms';
import { type ReactNode, useId, useRef, useState } from 'react';
import { optionalPart } from '../page/later.tsx';
import styles from './Term.module.css';

// Its words are loaded when the first term is asked for.
const TermBox = optionalPart(() => import('./TermBox.tsx'), 'TermBox');

/**
 * A term of the field, explained where it is written: while the pointer or the keyboard focus is on it, and after a press until the next one, as fingers need it. Escape closes it.
 * Write it once on a page, where newcomers meet it, and never within a link or a button.
 */
export function Term({ name, children }: { name: TermName; children: ReactNode }) {
  const id = useId();
  const word = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState<'no' | 'passing' | 'kept'>('no');
  const pass = () => setShown(now => (now === 'no' ? 'passing' : now));
  return (
    <span
      className={styles.place}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && pass()}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setShown(now => (now === 'passing' ? 'no' : now))}
    >
      <button
        ref={word}
        type="button"
        className={styles.term}
        aria-describedby={shown === 'no' ? undefined : id}
        onFocus={pass}
        onBlur={() => setShown('no')}
        onClick={() => setShown(now => (now === 'kept' ? 'no' : 'kept'))}
        onKeyDown={event => {
          if (event.key !== 'Escape' || shown === 'no') return;
          // A dialog around it stays open.
          event.stopPropagation();
          event.preventDefault();
          setShown('no');
        }}
      >
        {children}
      </button>
      {shown !== 'no' && <TermBox id={id} name={name} word={word} />}
    </span>
  );
}
