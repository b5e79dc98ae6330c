import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react';
import { classNames } from '../text/class-names.ts';
import { useField, useLengthTold } from './Field.tsx';
import styles from './TextInput.module.css';

/** One line of text. `mono` for machine-readable values. */
export function TextInput({
  mono,
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { mono?: boolean; ref?: Ref<HTMLInputElement> }) {
  const props = useField(useLengthTold(rest));
  return <input type="text" {...props} className={classNames(styles.input, mono && styles.mono, className)} />;
}

/** Several lines of text. */
export function TextArea({
  mono,
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { mono?: boolean; ref?: Ref<HTMLTextAreaElement> }) {
  const props = useField(useLengthTold(rest));
  return <textarea rows={4} {...props} className={classNames(styles.input, styles.area, mono && styles.mono, className)} />;
}
