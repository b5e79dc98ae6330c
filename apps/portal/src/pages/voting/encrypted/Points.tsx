import { Icon } from '@portal/ui';
import type { ComponentProps, ReactNode } from 'react';
import styles from './Points.module.css';

/** Short sentences below each other, each with the same picture. */
export function Points({ icon = 'check', children }: { icon?: ComponentProps<typeof Icon>['name']; children: readonly ReactNode[] }) {
  return (
    <ul className={styles.points}>
      {children.map((point, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that doesn't change
        <li key={place}>
          <Icon name={icon} />
          <span>{point}</span>
        </li>
      ))}
    </ul>
  );
}
