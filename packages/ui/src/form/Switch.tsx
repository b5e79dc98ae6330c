import type { InputHTMLAttributes, ReactNode } from 'react';
import styles from './Switch.module.css';

/** A switch that takes effect immediately, outside of a form. */
export function Switch({ children, ...rest }: Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role'> & { children: ReactNode }) {
  return (
    <label className={styles.switch}>
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox states it natively */}
      <input {...rest} type="checkbox" role="switch" />
      {children}
    </label>
  );
}
