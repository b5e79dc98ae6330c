import { type ServiceFailure, FailureBanner } from '@portal/app-kit';
import { Banner, Button, Field, Row, TextInput } from '@portal/ui';

/** The error of a code: refused, or not the one that was mailed, and what that means. */
export function CodeProblem({ failure, wrong, meaning }: { failure: ServiceFailure | null; wrong: boolean; meaning: string }) {
  return (
    <>
      <FailureBanner failure={failure} />
      {wrong && (
        <Banner kind="error" title="This isn’t the code we sent.">
          {meaning}
        </Banner>
      )}
    </>
  );
}

/** The field for a mailed code, the action it confirms, and a cancel button. */
export function CodeAct({
  code,
  onType,
  act,
  busy,
  refusal,
  onAct,
  onClose,
}: {
  code: string;
  onType: (code: string) => void;
  act: string;
  busy: boolean;
  /** Why the action is not possible yet, apart from a missing code. */
  refusal?: { reason: string } | null;
  onAct: () => void;
  onClose: () => void;
}) {
  return (
    <>
      <Field label="Code">
        <TextInput
          mono
          spellCheck={false}
          autoComplete="one-time-code"
          maxLength={40}
          value={code}
          onChange={event => onType(event.target.value)}
        />
      </Field>
      <Row gap={8} wrap>
        <Button
          variant="primary"
          busy={busy}
          refusal={refusal ?? (code.trim() === '' ? { reason: 'Enter the code from the e-mail' } : null)}
          refusalIn="note"
          onClick={onAct}
        >
          {act}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </Row>
    </>
  );
}
