import { Button, ButtonRow } from '@portal/ui';
import type { ReactNode } from 'react';
import { Form, type FormFrame } from './Form.tsx';

type Props = {
  form: FormFrame;
  /** Its name, where no dialog around it has one. */
  label?: string;
  /** Names the act: `Delete`. */
  act: string;
  kind?: 'commit' | 'danger';
  /** Label of the button that closes it: `Cancel`. */
  keep?: string;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
};

/** A short form for one action, in a dialog or inline on a page: problems, fields, submit and cancel. */
export function ActForm({ form, label, act, kind = 'commit', keep = 'Cancel', onClose, children }: Props) {
  return (
    <Form form={form} label={label} onClose={onClose}>
      {children}
      <ButtonRow>
        <Button type="submit" variant={kind} busy={form.busy}>
          {act}
        </Button>
        <Button onClick={onClose}>{keep}</Button>
      </ButtonRow>
    </Form>
  );
}
