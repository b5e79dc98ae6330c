import { Banner, Button, Field, Row, TextInput } from '@portal/ui';
import type { ComponentProps } from 'react';

/** The words for a code that is not the one that was mailed, and what that means. */
export function CodeProblem({ wrong, meaning }: { wrong: boolean; meaning: string }) {
  return (
    wrong && (
      <Banner kind="error" title="This isn’t the code we sent.">
        {meaning}
      </Banner>
    )
  );
}

/** The field for a mailed code, the action it confirms, and a cancel button. */
export function CodeAct({
  field,
  input,
  act,
  busy,
  onClose,
}: {
  field: { id: string; error: string | undefined };
  input: Omit<ComponentProps<typeof TextInput>, 'autoComplete'>;
  act: string;
  busy: boolean;
  onClose: () => void;
}) {
  return (
    <>
      <Field label="Code" {...field}>
        <TextInput mono spellCheck={false} {...input} autoComplete="one-time-code" />
      </Field>
      <Row gap={8} wrap>
        <Button type="submit" variant="primary" busy={busy}>
          {act}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </Row>
    </>
  );
}
