import { Checkbox, Stack } from '@portal/ui';
import type { ReactNode } from 'react';

/** A statement that a form asks to confirm, with what is wrong below it: `{...form.field(name)}` gives its id and the problem. */
export function Confirmation({
  id,
  error,
  checked,
  onChange,
  help,
  children,
}: {
  id: string;
  error: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
  help?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Stack gap={4}>
      <Checkbox
        id={id}
        checked={checked}
        help={help}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${id}-error`}
        onChange={event => onChange(event.target.checked)}
      >
        {children}
      </Checkbox>
      {error && (
        <p role="alert" id={`${id}-error`} className="small">
          {error}
        </p>
      )}
    </Stack>
  );
}
