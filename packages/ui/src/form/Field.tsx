import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react';
import { classNames } from '../text/class-names.ts';
import { Icon } from '../text/Icon.tsx';
import styles from './Field.module.css';

type FieldPlace = {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
  /** Called by the control with what is wrong with the length of its text; null where it fits. */
  onLength: (words: string | null) => void;
};
const FieldContext = /* @__PURE__ */ createContext<FieldPlace | null>(null);

export type FieldProps = {
  label: ReactNode;
  /** Under the control; an error takes its place. */
  help?: ReactNode;
  error?: ReactNode;
  /** Most fields are required, so optional ones are marked. */
  optional?: boolean;
  /** Names the control for the error summary. */
  id?: string;
  children: ReactNode;
};

/** One question of a form: label above, control, help or error under it. The control inside takes id and description from here. */
export function Field({ label, help, error: problem, optional, id, children }: FieldProps) {
  const own = useId();
  const fieldId = id ?? own;
  const [tooLong, setTooLong] = useState<string | null>(null);
  const error = tooLong ?? problem;
  const place = {
    id: fieldId,
    describedBy: error ? `${fieldId}-error` : help ? `${fieldId}-help` : undefined,
    invalid: Boolean(error),
    required: !optional,
    onLength: setTooLong,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={fieldId}>
        {label}
        {optional && <span className={styles.optional}>optional</span>}
      </label>
      <FieldContext value={place}>{children}</FieldContext>
      {help && !error && (
        <span className={styles.help} id={`${fieldId}-help`}>
          {help}
        </span>
      )}
      {error && (
        <span className={styles.error} id={`${fieldId}-error`}>
          <Icon name="invalid" />
          <span>{error}</span>
        </span>
      )}
    </div>
  );
}

type Described = { id?: string | undefined; 'aria-describedby'?: string | undefined };

/** The attributes that tie a control to the `Field` around it. */
export function useField<Props extends Described>(props: Props) {
  const place = useContext(FieldContext);
  return {
    ...props,
    id: props.id ?? place?.id,
    'aria-describedby': classNames(props['aria-describedby'], place?.describedBy),
    'aria-invalid': place?.invalid || undefined,
    'aria-required': place?.required || undefined,
  };
}

type LongText = { value?: unknown; maxLength?: number | undefined };

/**
 * The bound of a text in a `Field`: what is typed or pasted beyond it stays, and the field says how much is too many. A browser would cut it without a word. Without a field that could
 * say it, the browser's bound stays.
 */
export function useLengthTold<Props extends LongText>({
  maxLength,
  ...props
}: Props): Omit<Props, 'maxLength'> & { maxLength?: number | undefined } {
  const onLength = useContext(FieldContext)?.onLength;
  const { value } = props;
  const isTold = onLength !== undefined && typeof value === 'string';
  const words =
    isTold && maxLength !== undefined && value.length > maxLength
      ? `Enter at most ${maxLength} ${maxLength === 1 ? 'character' : 'characters'}: ${value.length - maxLength} too many`
      : null;
  useEffect(() => {
    onLength?.(words);
    return () => onLength?.(null);
  }, [onLength, words]);
  return { ...props, ...(!isTold && maxLength !== undefined && { maxLength }) };
}

/** Several controls that answer one question. */
export function FieldGroup({
  legend,
  help,
  error,
  children,
}: {
  legend: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <fieldset className={styles.field} aria-describedby={help || error ? id : undefined}>
      <legend>{legend}</legend>
      {children}
      {error ? (
        <span className={styles.error} id={id}>
          <Icon name="invalid" />
          <span>{error}</span>
        </span>
      ) : (
        help && (
          <span className={styles.help} id={id}>
            {help}
          </span>
        )
      )}
    </fieldset>
  );
}
