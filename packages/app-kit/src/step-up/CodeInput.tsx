import { useField } from '@portal/ui';
import type { Ref } from 'react';
import styles from './CodeInput.module.css';

/** Digits of a one-time code. */
const DIGITS = 6;

/** A one-time code: one field, drawn as six boxes, so that pasting, autofill and screen readers find a usual text field. */
export function CodeInput({
  ref,
  value,
  isFirst,
  onChange,
}: {
  ref: Ref<HTMLInputElement>;
  value: string;
  /** It gets the focus when the dialog opens. */
  isFirst: boolean;
  onChange: (code: string) => void;
}) {
  const props = useField({});
  return (
    <div className={styles.code}>
      {Array.from({ length: DIGITS }, (_, index) => (
        <i key={index} data-now={index === Math.min(value.length, DIGITS - 1) ? '' : undefined} />
      ))}
      <input
        {...props}
        ref={ref}
        data-first={isFirst || undefined}
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9 ]*"
        value={value}
        onChange={event => onChange(event.target.value.replaceAll(/\D/g, '').slice(0, DIGITS))}
      />
    </div>
  );
}
