import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Button } from '../action/Button.tsx';
import { Icon, type IconName } from '../text/Icon.tsx';
import { Link } from '../text/Link.tsx';
import styles from './TopBar.module.css';

/** The mark: a territory half recorded, half ruled, one block about to change. */
export function BrandMark() {
  return (
    <svg className={styles.mark} viewBox="0 0 22 22" aria-hidden="true">
      <path d="M1 1h20v20H1zM11 11h10M16 11v10" fill="none" stroke="var(--ink)" strokeWidth="1.6" />
      <path d="M1 1h10v20H1z" fill="var(--ink)" />
      <path d="M16.8 11.8h3.4v8.4h-3.4z" fill="var(--accent)" />
    </svg>
  );
}

export type TopBarProps = {
  /** The name of the portal, and where its home is. */
  name: ReactNode;
  href: string;
  /** Opens the navigation drawer; the button shows up to 991 px. */
  menuOpen?: boolean;
  onMenu?: () => void;
  /** Opens the command palette. */
  find?: { label: string; keys?: string; onOpen: () => void };
  quick?: { href: string; label: ReactNode }[];
  /** Address of the help about this page, which opens beside it, in a tab of its own. */
  help?: string;
  /** Account and person: `TopBarButton`s. */
  who?: ReactNode;
};

/** The bar with the place, account and person; stays at the top. */
export function TopBar({ name, href, menuOpen, onMenu, find, quick, help, who }: TopBarProps) {
  return (
    <header className={styles.top}>
      {onMenu && (
        <Button
          variant="quiet"
          icon="menu"
          aria-label="Menu"
          aria-expanded={menuOpen ?? false}
          aria-haspopup="dialog"
          onClick={onMenu}
          className={styles.menu}
        />
      )}
      <Link className={styles.brand} href={href}>
        <BrandMark />
        <span>{name}</span>
      </Link>
      {find && (
        <button type="button" className={styles.find} aria-haspopup="dialog" onClick={find.onOpen}>
          <Icon name="search" />
          <span>{find.label}</span>
          {find.keys && <kbd aria-hidden="true">{find.keys}</kbd>}
        </button>
      )}
      {quick && (
        <nav className={styles.quick} aria-label="Quick links">
          {quick.map(link => (
            <Link key={link.href} href={link.href}>
              {link.label}
            </Link>
          ))}
        </nav>
      )}
      {who && (
        <div className={styles.who}>
          {help && (
            <a href={help} target="_blank" rel="noopener" aria-label="Help with this page">
              ?
            </a>
          )}
          {who}
        </div>
      )}
    </header>
  );
}

/** One half of the box of account and person: the account, or the person with role and sign-in. Narrow screens show the icon only, unless `storeWords`. */
export function TopBarButton({
  icon,
  secure,
  words,
  note,
  storeWords,
  opens = 'menu',
  ref,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  icon: IconName;
  /** The sign-in has a second factor: the icon is green. */
  secure?: boolean;
  words: ReactNode;
  note?: ReactNode;
  /** Narrow screens leave out the icon, not the words. */
  storeWords?: boolean;
  opens?: 'menu' | 'listbox' | 'dialog';
  ref?: Ref<HTMLButtonElement>;
}) {
  return (
    <button
      type="button"
      aria-haspopup={opens}
      {...rest}
      ref={ref}
      data-secure={secure ? '' : undefined}
      data-words={storeWords ? '' : undefined}
    >
      <Icon name={icon} className={styles.whoIcon} />
      <span className={styles.whoWords}>
        {words} {note && <span className={styles.whoNote}>· {note}</span>}
      </span>
      {storeWords && <Icon name="chevron-down" />}
    </button>
  );
}
