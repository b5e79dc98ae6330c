import { ErrorWords, type ServiceFailure } from '@portal/app-kit';
import type { RegistryRequest } from '@portal/contract/registry-requests';
import { Banner, Button, ButtonRow, Field, Stack, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/Dialog';
import { type FormEvent, useRef, useState } from 'react';
import { askedWords, effectWords } from './request-words.ts';

export type Decision = 'approve' | 'refuse';

/** The last look before a request is decided: what it does, and the words the member reads. Refusing needs some. */
export function DecisionDialog({
  decision,
  request,
  busy,
  failure,
  onSend,
  onClose,
}: {
  decision: Decision;
  request: RegistryRequest;
  busy: boolean;
  failure: ServiceFailure | null;
  onSend: (words: string) => void;
  onClose: () => void;
}) {
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const approves = decision === 'approve';
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!approves && words.trim() === '') {
      setProblem('Write the reason: the member reads it');
      field.current?.focus();
    } else onSend(words);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={`${approves ? 'Approve' : 'Refuse'}: ${askedWords(request).toLowerCase()}, ${request.contact.name}`}
    >
      <form onSubmit={send} noValidate>
        <Stack gap={12}>
          <p>{approves ? effectWords(request) : `Everything in ${request.accountName} stays as it is.`}</p>
          {failure && (
            <Banner kind="error" traceId={failure.errors[0]?.traceId}>
              <ErrorWords message={failure.message} />
            </Banner>
          )}
          <Field
            label={approves ? 'Note' : 'Reason'}
            optional={approves}
            help="The corporate contacts and the person concerned get it by e-mail with the decision."
            error={problem}
          >
            <TextArea
              ref={field}
              rows={3}
              value={words}
              maxLength={500}
              onChange={event => {
                setWords(event.target.value);
                setProblem(null);
              }}
            />
          </Field>
          <ButtonRow>
            <Button type="submit" variant={approves ? 'commit' : 'danger'} busy={busy}>
              {approves ? 'Approve' : 'Refuse'}
            </Button>
            <Button onClick={onClose}>Go back</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
