import { type ButtonHTMLAttributes, type KeyboardEvent, type MouseEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { classNames } from '../text/class-names.ts';
import { Icon, type IconName } from '../text/Icon.tsx';
import { Link, type LinkProps } from '../text/Link.tsx';
import type { RefusalReason } from './Refusal.tsx';
import styles from './Button.module.css';

/** `primary` is ink, one per view; `commit` is magenta, only for the button that writes to the registry. */
export type ButtonVariant = 'primary' | 'default' | 'quiet' | 'commit' | 'danger';

type Look = { variant?: ButtonVariant; size?: 'm' | 's'; icon?: IconName };

const look = ({ variant = 'default', size = 'm' }: Look, iconOnly: boolean, className?: string) =>
  classNames(
    styles.button,
    variant === 'primary' && styles.primary,
    variant === 'quiet' && styles.quiet,
    variant === 'commit' && styles.commit,
    variant === 'danger' && styles.danger,
    size === 's' && styles.small,
    iconOnly && styles.iconOnly,
    className,
  );

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> &
  Look & {
    /** The act is in progress: the label stays, a second click does nothing. */
    busy?: boolean | undefined;
    /** Why the person can't do this now. The button stays in the tab order and shows the reason. */
    refusal?: RefusalReason | null | undefined;
    /** Place of the reason: beside the button, or, without room, in a note on hover, focus and press. */
    refusalIn?: 'line' | 'note';
    ref?: Ref<HTMLButtonElement>;
  };

/** A button names its act. Disabled it stays focusable and gives its reason; there is no silent `disabled`. */
export function Button({
  variant,
  size,
  icon,
  busy,
  refusal,
  refusalIn = 'line',
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const [noteShut, setNoteShut] = useState(false);
  const stopped = Boolean(busy || refusal);
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (stopped) {
      event.preventDefault();
      event.stopPropagation();
      setNoteShut(false);
      return;
    }
    onClick?.(event);
  };
  const button = (
    <button
      {...rest}
      type={type}
      className={look(
        { ...(variant && { variant }), ...(size && { size }) },
        Boolean(icon) && !children,
        classNames(busy && styles.busy, className),
      )}
      aria-disabled={stopped || undefined}
      aria-busy={busy || undefined}
      aria-describedby={classNames(rest['aria-describedby'], refusal && reasonId)}
      data-refused={refusal ? '' : undefined}
      onClick={press}
    >
      {busy ? <span className={styles.spin} /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
  if (!refusal) return button;
  if (refusal.hides) return null;
  const reason = (
    <span className={styles.reason}>
      <Icon name="lock" />
      <span>
        <span id={reasonId}>{refusal.reason}</span>
        {refusal.ask && <> {refusal.ask}</>}
      </span>
    </span>
  );
  if (refusalIn === 'line')
    return (
      <span className={styles.withReason}>
        {button}
        {reason}
      </span>
    );
  const closeNote = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setNoteShut(true);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape only puts the note away; the button inside carries the act
    <span className={styles.withNote} data-shut={noteShut || undefined} onKeyDown={closeNote} onPointerLeave={() => setNoteShut(false)}>
      {button}
      <span className={styles.note}>{reason}</span>
    </span>
  );
}

export type LinkButtonProps = LinkProps & Look;

/** A link that looks like a button, for acts that are a page. */
export function LinkButton({ variant, size, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={look({ ...(variant && { variant }), ...(size && { size }) }, Boolean(icon) && !children, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

/** Buttons in the order in which they are read: the primary one first, bottom left of its form. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={styles.buttonRow}>{children}</div>;
}
