import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Header, Menu as AriaMenu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components';
import { Button, type ButtonVariant } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import styles from './Menu.module.css';

export type MenuEntry = {
  id: string;
  label: string;
  /** Quiet words after the label. */
  note?: ReactNode;
  icon?: IconName;
  /** A link; the application's router opens it through `onAct` or the browser does. */
  href?: string;
  danger?: boolean;
  /** Why it is not open now: it stays in the menu and says so. */
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

/** A menu at an element that the caller draws; loads when it is first opened. */
export function MenuPopover({ triggerRef, open, onOpenChange, label, groups, onAct, head, placement = 'bottom end' }: MenuPopoverProps) {
  const refused = groups.flatMap(group => group.items.filter(item => item.refusal).map(item => item.id));
  return (
    <Popover
      aria-label={label}
      className={styles.popover ?? ''}
      triggerRef={triggerRef}
      isOpen={open}
      onOpenChange={onOpenChange}
      placement={placement}
      offset={4}
    >
      {head && <div className={styles.head}>{head}</div>}
      <AriaMenu
        className={styles.menu ?? ''}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a press: the focus belongs here
        autoFocus="first"
        onClose={() => onOpenChange(false)}
        onAction={key => {
          const id = String(key);
          if (!refused.includes(id)) onAct(id);
        }}
      >
        {groups.map((group, index) => (
          <MenuSection key={group.label ?? index} className={styles.section ?? ''} aria-label={group.label ?? label}>
            {index > 0 && !group.label && <Separator className={styles.line ?? ''} />}
            {group.label && <Header className={styles.label}>{group.label}</Header>}
            {group.items.map(item => (
              <MenuItem
                key={item.id}
                id={item.id}
                textValue={item.label}
                className={styles.item ?? ''}
                data-danger={item.danger || undefined}
                data-refused={item.refusal ? '' : undefined}
                shouldCloseOnSelect={!item.refusal}
                {...(item.href && !item.refusal ? { href: item.href } : {})}
              >
                {item.checked !== undefined ? (
                  <Icon name="check" className={item.checked ? undefined : styles.unchecked} />
                ) : (
                  item.icon && <Icon name={item.icon} />
                )}
                <span className={styles.words}>
                  {item.label}
                  {item.checked && <span className="vh">, chosen</span>}
                  {item.refusal && <span className={styles.reason}>{item.refusal}</span>}
                </span>
                {item.note && <span className={styles.note}>{item.note}</span>}
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </AriaMenu>
    </Popover>
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
