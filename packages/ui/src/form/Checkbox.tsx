import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classNames } from '../text/class-names.ts';
import styles from './Checkbox.module.css';

export type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  children?: ReactNode;
  help?: ReactNode;
  /** Some, not all, of its items are checked. */
  mixed?: boolean;
  ref?: Ref<HTMLInputElement>;
};

const setMixed = (mixed: boolean) => (input: HTMLInputElement | null) => {
  if (input) input.indeterminate = mixed;
};

/** Yes or no, submitted with the form. Without a label it needs an `aria-label`. */
export function Checkbox({ children, help, mixed, className, ref, ...rest }: CheckboxProps) {
  const id = useId();
  const box = (
    <input
      {...rest}
      ref={ref ?? (mixed === undefined ? undefined : setMixed(mixed))}
      type="checkbox"
      className={styles.box}
      aria-describedby={help ? id : rest['aria-describedby']}
    />
  );
  if (!children) return box;
  return (
    <span className={classNames(styles.check, className)}>
      <label>
        {box}
        <span>{children}</span>
      </label>
      {help && (
        <span className={styles.help} id={id}>
          {help}
        </span>
      )}
    </span>
  );
}
