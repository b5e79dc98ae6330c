import type { FormSchema } from '@portal/app-kit/form/use-form';
import type { Act } from '../shell/cases/Decision.tsx';

/** `label` says what is done with what, where that isn’t just the act. */
type Words = Pick<Act, 'busy' | 'send' | 'consequence' | 'addressees'> & { label?: string; body: FormSchema; rest?: object };

/** Returns the action that rejects a request, with a reason. */
export function rejectAct(reader: 'the member' | 'the applicant', { body, ...refuse }: Words): Act {
  const words = {
    label: 'Reason',
    body,
    field: 'reason',
    needed: `Enter a reason. ${reader.charAt(0).toUpperCase()}${reader.slice(1)} sees it.`,
  } as const;
  return { name: 'refuse', label: 'Reject', variant: 'danger', words, ...refuse };
}

/** Returns the actions on a request under review: approve, refuse, ask its sender, and take it into review. `reader` reads the words. */
export function reviewedActs({
  canAsk,
  canReview,
  reader,
  approve,
  refuse,
  ask,
  review,
}: {
  /** By the life of the request, in its state. */
  canAsk: boolean;
  canReview: boolean;
  reader: 'the member' | 'the applicant';
  approve: Words & { why?: string | null };
  refuse: Words;
  ask: Words;
  /** `isTakenOver`: a colleague has it. */
  review: { busy: boolean; send: () => void; isTakenOver?: boolean };
}): Act[] {
  const { body: approving, rest, ...approval } = approve;
  const { body: asking, ...question } = ask;
  const asked = { label: 'Question', body: asking, field: 'question', needed: 'Enter your question' } as const;
  return [
    { name: 'approve', label: 'Approve', variant: 'commit', words: { label: 'Note', body: approving, rest, field: 'note' }, ...approval },
    rejectAct(reader, refuse),
    ...(canAsk ? [{ name: 'ask', label: 'Ask a question', variant: 'default', words: asked, ...question } as const] : []),
    ...(canReview || review.isTakenOver
      ? [
          {
            name: 'review',
            label: review.isTakenOver ? 'Take over' : 'Take into review',
            variant: 'quiet',
            consequence: '',
            busy: review.busy,
            send: review.send,
          } as const,
        ]
      : []),
  ];
}
