import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './Icon.tsx';
import styles from './Badge.module.css';

/** `line` is an outline for permanent attributes; `pending` is magenta and means not yet saved. */
export type BadgeKind = 'neutral' | 'line' | 'ipv4' | 'ipv6' | 'asn' | 'valid' | 'invalid' | 'warning' | 'pending';

/** A short word in a box, in a separate column. */
export function Badge({ kind = 'neutral', icon, children }: { kind?: BadgeKind; icon?: IconName | undefined; children: ReactNode }) {
  return (
    <span className={classNames(styles.badge, styles[kind])}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}
