import { Button, Field, Row, Sheet, TextInput } from '@portal/ui';

/** One field and what it finds: the head of the pages that look for accounts and for people. */
export function FindForm({
  label,
  typed,
  onType,
  onFind,
  busy,
  maxLength,
  mono,
}: {
  label: string;
  typed: string;
  onType: (typed: string) => void;
  onFind: (words: string) => void;
  busy: boolean;
  maxLength: number;
  mono?: boolean;
}) {
  return (
    <Sheet>
      <form
        onSubmit={event => {
          event.preventDefault();
          onFind(typed.trim());
        }}
      >
        <Field label={label}>
          <Row>
            <TextInput
              value={typed}
              onChange={event => onType(event.target.value)}
              maxLength={maxLength}
              spellCheck={false}
              autoComplete="off"
              {...(mono && { className: 'mono' })}
            />
            <Button type="submit" variant="primary" busy={busy}>
              Find
            </Button>
          </Row>
        </Field>
      </form>
    </Sheet>
  );
}
