import type { ReactNode } from 'react';
import { Link } from '../text/Link.tsx';
import styles from './Tabs.module.css';

/** Pages of one subject, side by side. They are links: each has its address. */
export function Tabs({
  items,
  label,
}: {
  items: { href: string; label: ReactNode; count?: ReactNode; current?: boolean }[];
  label: string;
}) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {items.map(item => (
        <Link key={item.href} href={item.href} aria-current={item.current ? 'page' : undefined}>
          {item.label}
          {item.count !== undefined && <span className={styles.count}>{item.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
