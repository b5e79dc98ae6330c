import type { Ref, SelectHTMLAttributes } from 'react';
import { classNames } from '../text/class-names.ts';
import { useField } from './Field.tsx';
import { Icon } from '../text/Icon.tsx';
import styles from './Select.module.css';

/** A choice from a short list, drawn by the browser. `options` may be text or value and label. */
export function Select({
  options,
  size = 'm',
  className,
  children,
  ...rest
}: Omit<SelectHTMLAttributes<HTMLSelectElement>, 'size'> & {
  options?: readonly (string | { value: string; label: string; disabled?: boolean })[];
  /** `s` above a list, `m` in a form. */
  size?: 'm' | 's';
  ref?: Ref<HTMLSelectElement>;
}) {
  const props = useField(rest);
  return (
    <span className={classNames(styles.select, size === 's' && styles.small, className)}>
      <select {...props}>
        {options?.map(option =>
          typeof option === 'string' ? (
            <option key={option}>{option}</option>
          ) : (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ),
        )}
        {children}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}
