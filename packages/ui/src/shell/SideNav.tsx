import { type ReactNode, useId } from 'react';
import { Icon, type IconName } from '../text/Icon.tsx';
import { Link } from '../text/Link.tsx';
import styles from './SideNav.module.css';

export type SideNavItem = {
  href: string;
  label: ReactNode;
  icon?: IconName;
  /** This is the page on the screen. */
  current?: boolean;
  /** Number of open decisions there; shown in magenta, or in the colour of the words. */
  count?: number;
  quiet?: boolean;
  /** Unit of the count, for screen readers. */
  countLabel?: string;
  /** A word behind the label: `Soon`. */
  badge?: string;
  /** Pages under this one, shown when given. */
  pages?: SideNavItem[];
};

export type SideNavGroup = { label?: string; items: SideNavItem[] };

function NavLink({ item, narrow }: { item: SideNavItem; narrow?: boolean | undefined }) {
  const id = useId();
  const { count = 0 } = item;
  return (
    // The number describes the page. Its name stays when a number comes or goes.
    <Link
      href={item.href}
      title={narrow && typeof item.label === 'string' ? item.label : undefined}
      aria-current={item.current ? 'page' : undefined}
      aria-describedby={count > 0 ? id : undefined}
      data-open={item.pages ? '' : undefined}
    >
      {item.icon && <Icon name={item.icon} />}
      <span className={styles.label}>{item.label}</span>
      {item.badge && <span className={styles.badge}>{item.badge}</span>}
      {count > 0 && (
        <span className={styles.count} data-quiet={item.quiet || undefined} aria-hidden="true">
          {count}
        </span>
      )}
      {count > 0 && (
        <span id={id} hidden>
          {count} {item.countLabel ?? 'open'}
        </span>
      )}
    </Link>
  );
}

/** The navigation at the side: groups, pages, and under the open page its own pages. The current one is marked magenta. `narrow` shows only icons, with the names for screen readers and under the pointer. */
export function SideNav({ groups, label, narrow }: { groups: SideNavGroup[]; label: string; narrow?: boolean }) {
  return (
    <nav className={styles.nav} aria-label={label} data-narrow={narrow || undefined}>
      {groups.map((group, index) => (
        <div key={group.label ?? index}>
          {group.label && <h2>{group.label}</h2>}
          <ul>
            {group.items.map(item => (
              <li key={item.href}>
                <NavLink item={item} narrow={narrow} />
                {item.pages && (
                  <ul className={styles.pages}>
                    {item.pages.map(page => (
                      <li key={page.href}>
                        <NavLink item={page} narrow={narrow} />
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
