import { Button, ButtonRow, type ButtonVariant, Field, Stack, TextArea } from '@portal/ui';
import { type FormEvent, useState } from 'react';

/** Words for the member, and the button that sends them with a decision. */
export function WordsForm({
  label,
  act,
  variant,
  needed,
  most = 500,
  consequence,
  busy,
  onSend,
  onClose,
}: {
  label: string;
  act: string;
  variant: ButtonVariant;
  /** What is wrong with no words; left out where they are optional. */
  needed?: string;
  most?: number;
  consequence: string;
  busy: boolean;
  onSend: (words: string) => void;
  onClose: () => void;
}) {
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (needed && words.trim() === '') setProblem(needed);
    else onSend(words.trim());
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap={8}>
        <p className="small">{consequence}</p>
        <Field label={label} optional={!needed} help="All corporate contacts get it by e-mail." error={problem}>
          <TextArea
            rows={3}
            maxLength={most}
            value={words}
            onChange={event => {
              setWords(event.target.value);
              setProblem(null);
            }}
          />
        </Field>
        <ButtonRow>
          <Button type="submit" variant={variant} busy={busy}>
            {act}
          </Button>
          <Button onClick={onClose}>Go back</Button>
        </ButtonRow>
      </Stack>
    </form>
  );
}
