import { Button, Field, Row, Sheet, TextInput } from '@portal/ui';
import { useState } from 'react';

/** One field and what it finds: the head of the pages that look for accounts and for people. */
export function FindForm({
  label,
  typed,
  onType,
  onFind,
  busy,
  maxLength,
  mono,
  required,
  act = 'Find',
}: {
  label: string;
  typed: string;
  onType: (typed: string) => void;
  onFind: (words: string) => void;
  busy: boolean;
  maxLength: number;
  mono?: boolean;
  /** The sentence that asks for words where none were entered; without it everything is found then. */
  required?: string;
  /** Label of the button. */
  act?: string;
}) {
  const [isMissing, setMissing] = useState(false);
  return (
    <Sheet>
      <form
        onSubmit={event => {
          event.preventDefault();
          const words = typed.trim();
          setMissing(words === '' && required !== undefined);
          if (words !== '' || required === undefined) onFind(words);
        }}
      >
        <Field label={label} error={isMissing && typed.trim() === '' && required}>
          <Row>
            <TextInput
              value={typed}
              onChange={event => onType(event.target.value)}
              maxLength={maxLength}
              spellCheck={false}
              autoComplete="off"
              {...(mono && { className: 'mono' })}
            />
            <Button type="submit" variant={act === 'Find' ? 'primary' : 'default'} busy={busy}>
              {act}
            </Button>
          </Row>
        </Field>
      </form>
    </Sheet>
  );
}
