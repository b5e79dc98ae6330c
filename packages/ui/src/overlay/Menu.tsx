/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- the menu handles the keys of its items */
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button, type ButtonVariant } from '../action/Button.tsx';
import { classNames } from '../text/class-names.ts';
import { Icon, type IconName } from '../text/Icon.tsx';
import { Link } from '../text/Link.tsx';
import styles from './Menu.module.css';

export type MenuEntry = {
  id: string;
  label: string;
  /** Secondary text after the label. */
  note?: ReactNode;
  icon?: IconName;
  /** A link; the application's router opens it through `onAct` or the browser does. */
  href?: string;
  danger?: boolean;
  /** Why it is not available now: it stays in the menu and shows the reason. */
  refusal?: string | null;
  checked?: boolean;
};

export type MenuGroup = { label?: string; items: readonly MenuEntry[] };

export type MenuPopoverProps = {
  triggerRef: RefObject<Element | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  groups: readonly MenuGroup[];
  onAct: (id: string) => void;
  /** Above the items: who is signed in, for example. */
  head?: ReactNode;
  placement?: 'bottom start' | 'bottom end';
};

const edge = 8;

/** Puts `menu` under the trigger, or over it where there is no room below, inside the window. */
function place(menu: HTMLElement, trigger: Element, placement: 'bottom start' | 'bottom end') {
  const at = trigger.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = window.innerHeight - at.bottom - edge;
  const top = height <= below || below >= at.top ? at.bottom + 4 : Math.max(edge, at.top - height - 4);
  const left = placement === 'bottom start' ? at.left : at.right - width;
  menu.style.top = `${top}px`;
  menu.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - width - edge))}px`;
}

/** A menu at an element that the caller draws. Arrow keys, Home, End and first letters move; Escape and Tab close it and the focus goes back. */
export function MenuPopover({ open, ...rest }: MenuPopoverProps) {
  return open ? <OpenMenu {...rest} /> : null;
}

function OpenMenu({ triggerRef, onOpenChange, label, groups, onAct, head, placement = 'bottom end' }: Omit<MenuPopoverProps, 'open'>) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useShownAt(triggerRef, box, placement, () => onOpenChange(false));
  const shut = () => {
    if (triggerRef.current instanceof HTMLElement) triggerRef.current.focus({ preventScroll: true });
    onOpenChange(false);
  };
  const act = (item: MenuEntry) => {
    if (item.refusal) return;
    shut();
    onAct(item.id);
  };
  return (
    <div
      className={styles.popover}
      ref={box}
      popover="manual"
      onKeyDown={event => box.current && moveByKey(event, box.current, shut)}
      role="presentation"
    >
      {head && <div className={styles.head}>{head}</div>}
      <div role="menu" aria-label={label} tabIndex={-1}>
        {groups.map((group, index) => (
          <div
            key={group.label ?? index}
            role="group"
            aria-labelledby={group.label ? `${id}-${index}` : undefined}
            className={classNames(index > 0 && styles.ruled)}
          >
            {group.label && (
              <div className={styles.label} id={`${id}-${index}`} role="presentation">
                {group.label}
              </div>
            )}
            {group.items.map(item => (
              <MenuItem key={item.id} item={item} onAct={() => act(item)} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const itemsIn = (menu: Element): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];

/** Shows a menu at its trigger with the focus on its first item, keeps it there, and calls `onAway` when a press is elsewhere. */
function useShownAt(
  triggerRef: MenuPopoverProps['triggerRef'],
  box: RefObject<HTMLDivElement | null>,
  placement: NonNullable<MenuPopoverProps['placement']>,
  onAway: () => void,
): void {
  const close = useRef(onAway);
  useEffect(() => {
    close.current = onAway;
  });
  useLayoutEffect(() => {
    const menu = box.current;
    const trigger = triggerRef.current;
    if (!menu || !trigger) return;
    menu.showPopover?.();
    place(menu, trigger, placement);
    itemsIn(menu)[0]?.focus({ preventScroll: true });
    const away = (event: Event) => {
      if (event.target instanceof Node && (menu.contains(event.target) || trigger.contains(event.target))) return;
      close.current();
    };
    const moved = () => place(menu, trigger, placement);
    document.addEventListener('pointerdown', away);
    window.addEventListener('scroll', moved, true);
    window.addEventListener('resize', moved);
    return () => {
      document.removeEventListener('pointerdown', away);
      window.removeEventListener('scroll', moved, true);
      window.removeEventListener('resize', moved);
    };
  }, [triggerRef, box, placement]);
}

/** Arrows, Home, End and first letters move between the items of a menu, Enter and space press one, Escape and Tab close it. */
function moveByKey(event: KeyboardEvent, menu: Element, shut: () => void): void {
  const all = itemsIn(menu);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = (index: number) => {
    event.preventDefault();
    all[(index + all.length) % all.length]?.focus();
  };
  if (event.key === 'ArrowDown') to(at + 1);
  else if (event.key === 'ArrowUp') to(at - 1);
  else if (event.key === 'Home') to(0);
  else if (event.key === 'End') to(-1);
  else if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    event.stopPropagation();
    shut();
  } else if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    all[at]?.click();
  } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
    const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find(item =>
      item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()),
    );
    next?.focus();
  }
}

function MenuItem({ item, onAct }: { item: MenuEntry; onAct: () => void }) {
  const role = item.checked === undefined ? ('menuitem' as const) : ('menuitemradio' as const);
  const props = {
    role,
    tabIndex: -1,
    className: styles.item,
    'aria-checked': item.checked,
    'aria-disabled': item.refusal ? true : undefined,
    'data-danger': item.danger || undefined,
    onClick: onAct,
    onPointerMove: (event: { currentTarget: HTMLElement }) => event.currentTarget.focus({ preventScroll: true }),
  };
  const words = (
    <>
      {item.checked !== undefined ? (
        <Icon name="check" className={item.checked ? undefined : styles.unchecked} />
      ) : (
        item.icon && <Icon name={item.icon} />
      )}
      <span className={styles.words}>
        {item.label}
        {item.refusal && <span className={styles.reason}>{item.refusal}</span>}
      </span>
      {item.note && <span className={styles.note}>{item.note}</span>}
    </>
  );
  return item.href && !item.refusal ? (
    <Link href={item.href} {...props}>
      {words}
    </Link>
  ) : (
    <div {...props}>{words}</div>
  );
}

/** A button with its menu. */
export function Menu({
  label,
  icon,
  variant,
  size = 's',
  children,
  ...rest
}: Omit<MenuPopoverProps, 'triggerRef' | 'open' | 'onOpenChange'> & {
  icon?: IconName;
  variant?: ButtonVariant;
  size?: 'm' | 's';
  children?: ReactNode;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={trigger}
        size={size}
        {...(variant && { variant })}
        {...(icon && { icon })}
        aria-label={children ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {children}
      </Button>
      <MenuPopover {...rest} label={label} triggerRef={trigger} open={open} onOpenChange={setOpen} />
    </>
  );
}
