import {
  type Act,
  type AnyEndpoint,
  type CallAnswer,
  type CallInput,
  keepAnswer,
  type ServiceFailure,
  useChange,
  useKit,
} from '@portal/app-kit';
import { staffCases } from '@portal/contract/staff/cases';
import { desk } from '@portal/contract/staff/desk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** Shared by all decisions of the queue. */
export type Deciding<E extends AnyEndpoint> = {
  /** A sentence naming the person who decided first; null otherwise. */
  overtaken: string | null;
  /** The request as a change left it; a decision leads to the next case. */
  done: (row: CallAnswer<E>, words: string, isDecision?: boolean) => void;
  failed: (failure: ServiceFailure) => void;
};

/**
 * Keeps one request as the last decision left it, by anyone, and refreshes the queue. `one` is the call that reads it.
 * @param onDecided called after each of the caller's own decisions.
 */
export function useDeciding<E extends AnyEndpoint>(one: E, onDecided: () => void): Deciding<E> {
  const answers = useQueryClient();
  const { notify } = useKit();
  const [overtaken, setOvertaken] = useState<string | null>(null);
  const again = () => {
    for (const { id } of [desk.listRequests, staffCases.getCase]) void answers.invalidateQueries({ queryKey: [id] });
  };
  return {
    overtaken,
    done(row, words, isDecision = false) {
      setOvertaken(null);
      keepAnswer(answers, one, row);
      notify({ text: words });
      if (isDecision) onDecided();
      again();
    },
    failed(failure) {
      const now = failure.current as { resolvedBy?: string | null; reviewer?: string | null } | undefined;
      if (now) {
        keepAnswer(answers, one, now as CallAnswer<E>);
        setOvertaken(`${now.resolvedBy ?? now.reviewer ?? 'Someone else'} already resolved it.`);
      }
      again();
    },
  };
}

type DecisionOptions<E> = {
  /** Its effect, in words. */
  act: (input: CallInput<E>) => Act;
  done: (answer: CallAnswer<E>) => void;
  failed: (failure: ServiceFailure) => void;
  proposed?: () => void;
};

/** Returns one decision; a refusal appears in the banner, unless the request was decided concurrently: then that decision is shown. */
export function useDecision<E extends AnyEndpoint>(
  endpoint: E,
  { act, done, failed, proposed }: DecisionOptions<E>,
): { busy: boolean; send: (input: CallInput<E>) => void } {
  const { showErrors } = useKit();
  // Nothing is decided when it is proposed: it waits for a second person, and a notice says so.
  const change = useChange(endpoint, { act, showsErrors: true, onDone: done, onProposed: proposed });
  const onError = (failure: ServiceFailure) => {
    if (failure.code === 'SECOND_PERSON') return;
    failed(failure);
    if (!failure.current) showErrors(failure.errors);
  };
  return { busy: change.isPending, send: input => change.mutate(input, { onError }) };
}
