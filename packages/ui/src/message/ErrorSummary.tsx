import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../text/Icon.tsx';
import styles from './ErrorSummary.module.css';

export type FieldError = { fieldId: string; message: ReactNode };

const goTo = (fieldId: string) => (event: MouseEvent) => {
  event.preventDefault();
  document.getElementById(fieldId)?.focus();
};

/** What is wrong with a form that was sent: takes the focus, and each line leads to its field. */
export function ErrorSummary({ errors, title }: { errors: readonly FieldError[]; title?: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (errors.length > 0) box.current?.focus();
  }, [errors]);
  if (errors.length === 0) return null;
  return (
    <section className={styles.summary} ref={box} tabIndex={-1} aria-label="What is wrong">
      <Icon name="invalid" />
      <div>
        <b>{title ?? (errors.length === 1 ? 'One field needs another look' : `${errors.length} fields need another look`)}</b>
        <ul>
          {errors.map(error => (
            <li key={error.fieldId}>
              <a href={`#${error.fieldId}`} onClick={goTo(error.fieldId)}>
                {error.message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
