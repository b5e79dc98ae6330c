import { classNames, CopyButton } from '@portal/ui';
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react';
import type { Finding } from './object-text.ts';
import styles from './ObjectText.module.css';

export type ObjectTextHandle = {
  goToLine: (line: number) => void;
  replace: (from: number, to: number, words: string) => void;
  caret: () => number;
};

type Props = {
  text: string;
  label: string;
  findings?: readonly Finding[];
  /** Lines that are not to be changed. */
  locked?: ReadonlySet<number>;
  /** Without it the text is read only. */
  onChange?: (text: string) => void;
  /** Ctrl and space. */
  onComplete?: (caret: number) => void;
  ref?: Ref<ObjectTextHandle>;
};

const none: readonly Finding[] = [];
const noLines: ReadonlySet<number> = new Set();

/**
 * The text of an object with line numbers; lines with findings and locked lines are marked. F8 jumps between marks. The text field overlays the
 * marked lines, which determine its size.
 */
export function ObjectText({ text, label, findings = none, locked = noLines, onChange, onComplete, ref }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const lines = text.split('\n');
  const worst = new Map<number, 'error' | 'warning'>();
  for (const { line, severity } of findings)
    if (line !== null && severity !== 'info' && worst.get(line) !== 'error') worst.set(line, severity);
  const goToLine = (line: number) => {
    const area = field.current;
    if (!area) return;
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    area.parentElement?.children[0]?.children[line - 1]?.scrollIntoView({ block: 'nearest' });
  };
  useImperativeHandle(ref, () => ({
    goToLine,
    caret: () => field.current?.selectionStart ?? 0,
    replace(from, to, words) {
      const area = field.current;
      if (!area || !onChange) return;
      area.focus();
      onChange(area.value.slice(0, from) + words + area.value.slice(to));
      requestAnimationFrame(() => area.setSelectionRange(from + words.length, from + words.length));
    },
  }));
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'F8') {
      event.preventDefault();
      const here = event.currentTarget.value.slice(0, event.currentTarget.selectionStart).split('\n').length;
      const marked = [...worst.keys()].sort((a, b) => a - b);
      const next = event.shiftKey
        ? (marked.findLast(line => line < here) ?? marked.at(-1))
        : (marked.find(line => line > here) ?? marked[0]);
      if (next !== undefined) goToLine(next);
    } else if (event.key === ' ' && event.ctrlKey && onComplete) {
      event.preventDefault();
      onComplete(event.currentTarget.selectionStart);
    }
  };
  return (
    <div className={styles.scroll}>
      <div className={styles.sheet}>
        <div className={styles.lines} aria-hidden="true">
          {lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a line is its number
            <div
              key={index}
              className={classNames(styles.line, styles[worst.get(index + 1) ?? 'plain'], locked.has(index + 1) && styles.locked)}
            >
              <span className={styles.number}>{index + 1}</span>
              <span className={styles.words}>{line === '' ? ' ' : line}</span>
            </div>
          ))}
        </div>
        <textarea
          ref={field}
          className={styles.field}
          aria-label={label}
          aria-invalid={[...worst.values()].includes('error') || undefined}
          value={text}
          readOnly={!onChange}
          rows={1}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={event => onChange?.(event.target.value)}
          onKeyDown={press}
        />
      </div>
    </div>
  );
}

/** A small button that copies the text. */
export const CopyText = ({ text }: { text: string }) => <CopyButton text={text} label="Copy object" />;
