import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../action/Button.tsx';
import { withRetries } from '../code/with-retries.ts';
import { Field } from '../form/Field.tsx';
import { TextInput } from '../form/TextInput.tsx';
import type { DialogProps } from './DialogWindow.tsx';
import styles from './Dialog.module.css';

export type { DialogProps };

const DialogWindow = lazy(withRetries(() => import('./DialogWindow.tsx').then(module => ({ default: module.DialogWindow }))));

/** A modal decision. The focus stays inside and returns to where it was. Its code is loaded when one is first opened. */
export function Dialog(props: DialogProps) {
  const [opened, setOpened] = useState(props.open);
  if (props.open && !opened) setOpened(true);
  return (
    opened && (
      <Suspense>
        <DialogWindow {...props} />
      </Suspense>
    )
  );
}

export type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Its effect, and who is affected. */
  children?: ReactNode;
  /** Names the act: "Delete ROA". */
  act: string;
  onAct: () => void;
  /** Label of the button that closes it: "Cancel". */
  keep?: string;
  /** Text to type before the act is enabled, for what can't be undone. */
  typed?: { label: string; text: string };
  kind?: 'commit' | 'danger' | 'primary';
  busy?: boolean;
  error?: ReactNode;
};

/** Confirms something that writes to the registry or can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title} role="alertdialog">
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm({ onClose, children, act, onAct, keep = 'Cancel', typed, kind = 'commit', busy, error }: ConfirmDialogProps) {
  const [words, setWords] = useState('');
  const matches = !typed || words.trim() === typed.text;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (matches && !busy) onAct();
  };
  return (
    <form onSubmit={send}>
      <div className={styles.words}>{children}</div>
      {typed && (
        <Field label={typed.label}>
          <TextInput
            mono
            value={words}
            placeholder={typed.text}
            autoComplete="off"
            spellCheck={false}
            onChange={event => setWords(event.target.value)}
          />
        </Field>
      )}
      {error}
      <div className={styles.acts}>
        <Button
          type="submit"
          variant={kind}
          busy={busy}
          refusal={matches ? null : { reason: `Type ${typed?.text ?? ''} first` }}
          refusalIn="note"
        >
          {act}
        </Button>
        <Button onClick={onClose}>{keep}</Button>
      </div>
    </form>
  );
}
