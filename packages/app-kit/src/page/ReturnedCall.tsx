import { ServiceFailure } from '@portal/api-client';
import { errorInWords, takesIdempotencyKey } from '@portal/contract';
import { newTraceId } from '@portal/contract/trace';
import { Banner } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ErrorWords } from './ErrorWords.tsx';
import { type InterruptedCall, useKit } from '../kit/kit.ts';
import { pendingNotice } from '../calls/pending-notice.ts';

/** Shows the change that was interrupted by a step-up, and makes it when the person confirms. */
export function ReturnedCall({ call }: { call: InterruptedCall }) {
  const { call: client, returned, notify } = useKit();
  const answers = useQueryClient();
  const { endpoint, input, act } = call;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ServiceFailure | null>(null);
  const attempt = useRef(newTraceId());

  /** The change without the component that made it: everything on the page may be different after it. */
  const makeAlone = async (): Promise<void> => {
    const how = { act, ...(takesIdempotencyKey(endpoint) && { idempotencyKey: attempt.current }) };
    const answer = await client(endpoint, input as never, how);
    if (answer.errors) throw new ServiceFailure(answer.status, answer.errors, answer.current);
    notify({ text: `${act.name}: done.` });
    await answers.invalidateQueries();
  };
  const make = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const maker = returned.makerOf(endpoint.id);
    try {
      await (maker ? maker(input) : makeAlone());
      returned.set(null);
    } catch (error) {
      if (!(error instanceof ServiceFailure)) throw error;
      attempt.current = newTraceId();
      if (error.code !== 'SECOND_PERSON') return setFailure(error);
      if (!maker) notify(pendingNotice(endpoint, error));
      returned.set(null);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      open
      onClose={() => returned.set(null)}
      title={`${act.name}?`}
      act={act.name}
      keep="Not now"
      busy={busy}
      onAct={() => void make()}
      error={
        failure && (
          <Banner kind="error">
            {failure.errors.map(error => (
              <p key={error.code + (error.field ?? '')}>
                <ErrorWords message={errorInWords(error)} />
              </p>
            ))}
          </Banner>
        )
      }
    >
      {act.effect && <p>{act.effect}</p>}
      <p>You were about to do this when you were asked to confirm it’s you. Nothing has been sent yet.</p>
    </ConfirmDialog>
  );
}
