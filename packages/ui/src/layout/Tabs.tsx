import { type ReactNode, useEffect, useRef } from 'react';
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
  const row = useRef<HTMLElement>(null);
  const current = items.find(item => item.current)?.href;
  // Where not all fit, the one of this page is in the middle. Nothing else is scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is current
  useEffect(() => {
    const tabs = row.current;
    const tab = tabs?.querySelector<HTMLElement>('[aria-current]');
    if (tabs && tab) tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return (
    <nav aria-label={label} className={styles.tabs} ref={row}>
      {items.map(item => (
        <Link key={item.href} href={item.href} aria-current={item.current ? 'page' : undefined}>
          {item.label}
          {item.count !== undefined && <span className={styles.count}>{item.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
