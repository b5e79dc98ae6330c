import type { MouseEvent, ReactNode } from 'react';
import { Icon } from '../text/Icon.tsx';
import styles from './ErrorSummary.module.css';

export type FieldError = { fieldId: string; message: ReactNode };

const goTo = (fieldId: string) => (event: MouseEvent) => {
  event.preventDefault();
  document.getElementById(fieldId)?.focus();
};

/** The problems of a submitted form: read out when it appears, and each line links to its field. Moving the focus is up to the form. */
export function ErrorSummary({ errors, title }: { errors: readonly FieldError[]; title?: ReactNode }) {
  if (errors.length === 0) return null;
  return (
    <section className={styles.summary} role="alert" aria-label="There’s a problem">
      <Icon name="invalid" />
      <div>
        <b>{title ?? (errors.length === 1 ? 'One field needs attention' : `${errors.length} fields need attention`)}</b>
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
