import { createContext, type ReactNode, useContext, useId } from 'react';
import { classNames } from '../text/class-names.ts';
import { Icon } from '../text/Icon.tsx';
import styles from './Field.module.css';

type FieldPlace = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean };
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
export function Field({ label, help, error, optional, id, children }: FieldProps) {
  const own = useId();
  const fieldId = id ?? own;
  const place = {
    id: fieldId,
    describedBy: error ? `${fieldId}-error` : help ? `${fieldId}-help` : undefined,
    invalid: Boolean(error),
    required: !optional,
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
