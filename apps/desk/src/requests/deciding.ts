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
import type { Passed } from '../shell/cases/open-case.ts';

/** Shared by all decisions of the queue. */
export type Deciding<E extends AnyEndpoint> = {
  /** A sentence naming the person who decided first; null otherwise. */
  overtaken: string | null;
  /** The request as a change left it. @param passed how it was passed on, which leads to the next case; nothing where the person goes on with it */
  done: (row: CallAnswer<E>, words: string, passed?: Passed) => void;
  failed: (failure: ServiceFailure) => void;
  /** The act waits for a second person: it is passed on to them. */
  proposed: () => void;
};

/**
 * Keeps one request as the last decision left it, by anyone, and refreshes the queue. `one` is the call that reads it.
 * @param onPassed called after each of the caller's own acts that passes it on.
 */
export function useDeciding<E extends AnyEndpoint>(one: E, onPassed: (how: Passed) => void): Deciding<E> {
  const answers = useQueryClient();
  const { notify } = useKit();
  const [overtaken, setOvertaken] = useState<string | null>(null);
  const again = () => {
    for (const { id } of [desk.listRequests, staffCases.getCase]) void answers.invalidateQueries({ queryKey: [id] });
  };
  return {
    overtaken,
    done(row, words, passed) {
      setOvertaken(null);
      keepAnswer(answers, one, row);
      notify({ text: words });
      if (passed) onPassed(passed);
      again();
    },
    proposed() {
      void answers.invalidateQueries({ queryKey: [one.id] });
      onPassed('proposed');
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
