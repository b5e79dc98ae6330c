import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './Chip.module.css';

/** A small control above a list: a layer that is on or off (`pressed`), or a filter with its `value`, which opens a menu. */
export function Chip({
  pressed,
  value,
  icon,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { pressed?: boolean; value?: ReactNode; icon?: IconName; ref?: Ref<HTMLButtonElement> }) {
  return (
    <button type="button" {...rest} className={styles.chip} aria-pressed={pressed}>
      {icon && <Icon name={icon} />}
      {children}
      {value !== undefined && <b>{value}</b>}
    </button>
  );
}
