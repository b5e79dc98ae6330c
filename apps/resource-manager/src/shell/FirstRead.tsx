import { type AnyEndpoint, type CallInput, type Read, reading, useKit } from '@portal/app-kit';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';

/** Reads needed for the first rendering. */
export type Reads = readonly [] | readonly [Read] | readonly [Read, Read] | readonly [Read, Read, Read];
/**
 * Renders its children as soon as the given reads are answered. React delays replacing a Suspense fallback for 300 ms, so a part whose answer takes
 * 20 ms would show a skeleton for no reason. Only the reads of the first rendering count: later ones keep
 * the screen's content (`useSteadyAnswer`).
 */
export function FirstRead({ reads, fallback, children }: { reads: Reads; fallback: ReactNode; children: ReactNode }) {
  const [[one, two, three]] = useState(reads);
  const answered = [useFirst(one), useFirst(two), useFirst(three)];
  // A refused optional read is retried by the component that uses it, without removing anything from the screen.
  const [drawn, setDrawn] = useState(false);
  if (!drawn && answered.every(Boolean)) setDrawn(true);
  return drawn ? <Suspense fallback={fallback}>{children}</Suspense> : fallback;
}

/** True once the read is answered, or where there is none; throws its refusal. */
function useFirst(wanted: Read | undefined): boolean {
  const { call } = useKit();
  const { endpoint, input } = wanted ?? { endpoint: nothing, input: {} };
  const { data, error } = useQuery({ ...reading(call, endpoint, input as CallInput<typeof endpoint>), enabled: wanted !== undefined });
  if (error && data === undefined && !wanted?.isSpare) throw error;
  return wanted === undefined || data !== undefined || error !== null;
}

const nothing: AnyEndpoint = { id: 'nothing', method: 'GET', path: '', access: { who: 'anyone' } };
