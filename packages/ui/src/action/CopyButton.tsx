import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './CopyButton.module.css';

/** Copies `text` and confirms it. With a label it is an underlined inline button, without it is an icon button. */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: ReactNode }) {
  const [outcome, setOutcome] = useState<'' | 'Copied' | 'Couldn’t copy: the browser blocked it'>('');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Couldn’t copy: the browser blocked it'),
    );
  };
  return (
    <span className={styles.copy} onPointerLeave={() => setOutcome('')}>
      {children ? (
        <button type="button" className={styles.word} aria-label={label} onClick={copy} onBlur={() => setOutcome('')}>
          {outcome || children}
        </button>
      ) : (
        <Button
          variant="quiet"
          size="s"
          icon={outcome === 'Copied' ? 'check' : 'copy'}
          aria-label={label}
          title={label}
          onClick={copy}
          onBlur={() => setOutcome('')}
        />
      )}
      <output className="vh">{outcome}</output>
    </span>
  );
}
