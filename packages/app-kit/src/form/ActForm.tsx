import type { ServiceFailure } from '@portal/api-client';
import { Banner, Button, ButtonRow, FormColumn } from '@portal/ui';
import { type FormEvent, type ReactNode, useState } from 'react';

type Props = {
  /** Its name, where no dialog around it has one. */
  label?: string;
  change: { error: ServiceFailure | null; isPending: boolean };
  /** Nothing is missing: it may be sent. */
  ready: boolean;
  /** Names the act: `Delete`. */
  act: string;
  kind?: 'commit' | 'danger';
  /** The way back: `Keep it`. */
  keep?: string;
  onAct: () => void;
  onClose: () => void;
  /** The fields; `sent`: it was tried, so what is missing is told. */
  children: (sent: boolean) => ReactNode;
};

/** A short form that does one thing, in a dialog or in its place on a page: what went wrong, the fields, the act and the way back. */
export function ActForm({ label, change, ready, act, kind = 'commit', keep = 'Cancel', onAct, onClose, children }: Props) {
  const [sent, setSent] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (ready) onAct();
  };
  return (
    <form onSubmit={send} noValidate aria-label={label}>
      <FormColumn>
        {change.error && (
          <Banner kind="error" traceId={change.error.errors[0]?.traceId}>
            {change.error.message}
          </Banner>
        )}
        {children(sent)}
        <ButtonRow>
          <Button type="submit" variant={kind} busy={change.isPending}>
            {act}
          </Button>
          <Button onClick={onClose}>{keep}</Button>
        </ButtonRow>
      </FormColumn>
    </form>
  );
}
