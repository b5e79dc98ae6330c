import { type Act, type AnyEndpoint, type CallAnswer, type CallInput, type Client, ServiceFailure } from '@portal/api-client';
import { notConfirmed, takesIdempotencyKey } from '@portal/contract';
import { newTraceId } from '@portal/contract/trace';
import { QueryClient, queryOptions, type UseMutationResult, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useRef } from 'react';
import { useKit } from '../kit/kit.ts';
import { lastChange } from './last-change.ts';
import { pendingNotice } from './pending-notice.ts';
import type { Read } from './reads.ts';
import { answerAge } from '../kit/answer-age.ts';

/** Creates the cache of reads. The client itself repeats unanswered calls and informs the person; nothing else is retried. Its answers have one age (`answerAge`): back and forward show them immediately. */
export const createAnswers = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: answerAge.fresh, gcTime: answerAge.shown, retry: false, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });

/**
 * A read as the cache knows it, for prefetching (`answers.prefetchQuery`). One that was requested early and has been answered is available in the
 * first rendering.
 */
export const reading = <E extends AnyEndpoint>(call: Client, endpoint: E, input: CallInput<E>) => {
  let early: ReturnType<NonNullable<Client['answered']>>;
  return queryOptions<CallAnswer<E>, ServiceFailure>({
    queryKey: [endpoint.id, input],
    initialData: () => (early = call.answered?.(endpoint, input))?.data as CallAnswer<E> | undefined,
    initialDataUpdatedAt: () => early?.at,
    queryFn: async ({ signal }) => {
      const answer = await call(endpoint, input, { signal });
      if (answer.errors) throw new ServiceFailure(answer.status, answer.errors, answer.current);
      return answer.data as CallAnswer<E>;
    },
  });
};

/**
 * Stores the answer of a change as that of the next read, under the ids in the answer (`requestId`), whichever page asked: so it is never shown as another one's.
 * @param read the call that reads it; the names of its path are fields of `row`
 */
export function keepAnswer<E extends AnyEndpoint>(answers: QueryClient, read: E, row: CallAnswer<E>): void {
  const fields = row as Record<string, unknown>;
  const input = Object.fromEntries([...read.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, fields[name!]]));
  if (Object.values(input).some(value => value === undefined)) throw new TypeError(`An answer of ${read.id} does not say what it is about`);
  answers.setQueryData([read.id, input], row);
}

/** The answer of a read. The page frame shows the skeleton meanwhile, and what went wrong with a way to try again. */
export function useAnswer<E extends AnyEndpoint>(endpoint: E, input: CallInput<E>): CallAnswer<E> {
  const { call } = useKit();
  return useSuspenseQuery(reading(call, endpoint, input)).data;
}

/** The answer of a read that the page names (`PageReads`). */
export const useRead = <E extends AnyEndpoint>({ endpoint, input }: Read<E>): CallAnswer<E> => useAnswer(endpoint, input);

/**
 * The answer of a read whose input changes while shown (sorting, paging, filtering): the last answer stays on the screen until the next arrives.
 * `stale` is true meanwhile.
 */
export function useSteadyAnswer<E extends AnyEndpoint>(endpoint: E, input: CallInput<E>): { answer: CallAnswer<E>; stale: boolean } {
  const { call } = useKit();
  const wanted = JSON.stringify(input);
  const shown = useDeferredValue(wanted);
  const { data } = useSuspenseQuery(reading(call, endpoint, JSON.parse(shown) as CallInput<E>));
  return { answer: data, stale: shown !== wanted };
}

/** `useSteadyAnswer` of a read that the page names. */
export const useSteadyRead = <E extends AnyEndpoint>({ endpoint, input }: Read<E>): { answer: CallAnswer<E>; stale: boolean } =>
  useSteadyAnswer(endpoint, input);

export type Change<E> = UseMutationResult<CallAnswer<E>, ServiceFailure, CallInput<E>>;

export type ChangeOptions<E> = {
  /** The change in words, for the question after a second factor was asked for. Without it the registry's general words are shown. */
  act?: ((input: CallInput<E>) => Act) | undefined;
  /** Reads to refetch once it is done. */
  refresh?: readonly AnyEndpoint[];
  /** True if a form shows its own errors; otherwise the banner does. */
  showsErrors?: boolean;
  /** Called once it was answered, while the reads in `refresh` are loading. */
  onDone?: (answer: CallAnswer<E>, input: CallInput<E>) => void;
  /** Called once a second person was asked to approve it. A notice says so; a form closes here. */
  onProposed?: () => void;
};

const hasFile = (input: object): boolean => 'body' in input && input.body instanceof Blob;

/**
 * A change. The second of two presses sends nothing while the same input is on its way: the registry would answer it as a repetition, without a secret that it shows
 * once. When it is interrupted because a second factor is asked for, the person is asked about it once they are back, and it is made here if they
 * press then (ReturnedCall.tsx).
 */
export function useChange<E extends AnyEndpoint>(
  endpoint: E,
  { act, refresh = [], showsErrors = false, onDone, onProposed }: ChangeOptions<E> = {},
): Change<E> {
  const { call, router, returned, showErrors, notify } = useKit();
  const answers = useQueryClient();
  // A change keeps its key until it is done, so that a retry after a lost answer does nothing twice.
  const attempt = useRef<{ input: CallInput<E>; wanted: string; key: string } | null>(null);
  const change = useMutation<CallAnswer<E>, ServiceFailure, CallInput<E>>({
    mutationFn: async input => {
      const wanted = JSON.stringify(input);
      // JSON can't contain a file.
      const isSame = hasFile(input) ? attempt.current?.input === input : attempt.current?.wanted === wanted;
      if (!isSame) attempt.current = { input, wanted, key: newTraceId() };
      const answer = await call(endpoint, input, {
        ...(takesIdempotencyKey(endpoint) && { idempotencyKey: attempt.current!.key }),
        ...(act && { act: act(input) }),
      });
      if (answer.errors) throw new ServiceFailure(answer.status, answer.errors, answer.current);
      return answer.data as CallAnswer<E>;
    },
    onSuccess: async (answer, input) => {
      attempt.current = null;
      const refreshed = Promise.all(refresh.map(read => answers.invalidateQueries({ queryKey: [read.id] })));
      // A notice appears immediately; the change stays busy until the page shows the result.
      onDone?.(answer, input);
      // On the current page: a form may have navigated.
      lastChange.set({ page: router.place().path, endpoint, input });
      await refreshed;
    },
    onError: failure => {
      // The registry requires another key for it.
      if (failure.code === 'NOT_SAVED' || failure.code === 'CHANGE_GIVEN_UP') attempt.current = null;
      // The page is as it was before the press.
      if (failure.code === notConfirmed.code) {
        // The registry may have been asked about the key, which isn’t good for anything then.
        attempt.current = null;
        change.reset();
        return;
      }
      if (failure.code === 'SECOND_PERSON') {
        attempt.current = null;
        // Before it becomes an error of this change, which pages would show.
        change.reset();
        void answers.invalidateQueries({ predicate: ({ queryKey: [read] }) => String(read).startsWith('proposals.') });
        notify(pendingNotice(endpoint, failure));
        onProposed?.();
      } else if (!showsErrors && !isReturned.current) showErrors(failure.errors);
    },
  });
  /** The question that led to it shows its errors. */
  const isReturned = useRef(false);
  const { mutateAsync: send } = change;
  const sending = useRef<{ input: CallInput<E>; wanted: string; answer: Promise<CallAnswer<E>> } | null>(null);
  const mutateAsync = useCallback<Change<E>['mutateAsync']>(
    (...press) => {
      const input = press[0] as CallInput<E>;
      const wanted = JSON.stringify(input);
      const under = sending.current;
      if (under && (hasFile(input) ? under.input === input : under.wanted === wanted)) return under.answer;
      const answer = send(...press).finally(() => {
        if (sending.current?.answer === answer) sending.current = null;
      });
      sending.current = { input, wanted, answer };
      return answer;
    },
    [send],
  );
  const mutate = useCallback<Change<E>['mutate']>(
    (...press) => {
      mutateAsync(...press).catch(() => undefined);
    },
    [mutateAsync],
  );
  useEffect(
    () =>
      returned.offer(endpoint.id, input => {
        isReturned.current = true;
        return mutateAsync(input as CallInput<E>).finally(() => (isReturned.current = false));
      }),
    [returned, endpoint, mutateAsync],
  );
  return { ...change, mutate, mutateAsync };
}

/** Saves a download under its name. Errors appear in the banner. */
export function useDownload<E extends AnyEndpoint & { answer?: 'download' | undefined }>(
  endpoint: E,
): (input: CallInput<E>) => Promise<void> {
  const { call, showErrors } = useKit();
  return async input => {
    const answer = await call(endpoint, input);
    if (answer.errors) return showErrors(answer.errors);
    const { fileName, blob } = answer.data as { fileName: string; blob: Blob };
    const address = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = address;
    link.download = fileName;
    link.click();
    URL.revokeObjectURL(address);
  };
}
