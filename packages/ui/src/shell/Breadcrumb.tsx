import type { ReactNode } from 'react';
import { Link } from '../text/Link.tsx';
import styles from './Breadcrumb.module.css';

/** Links from the top to this page; the last item, without `href`, is this page. */
export function Breadcrumb({ items, label = 'Breadcrumb' }: { items: { label: ReactNode; href?: string }[]; label?: string }) {
  return (
    <nav aria-label={label}>
      <ol className={styles.crumbs}>
        {items.map((item, index) => (
          // The order is fixed, so the position identifies a step.
          <li key={item.href ?? index}>
            {item.href ? <Link href={item.href}>{item.label}</Link> : <span aria-current="page">{item.label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
