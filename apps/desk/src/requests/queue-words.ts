import type { DeskRequest } from '@portal/contract/staff/desk';
import type { State } from '@portal/ui';

/** States of a request, as staff read them. */
export const stateWords: Record<DeskRequest['state'], { state: State; words: string }> = {
  new: { state: 'pending', words: 'new' },
  review: { state: 'pending', words: 'in review' },
  asked: { state: 'warning', words: 'awaiting member' },
  approved: { state: 'valid', words: 'approved' },
  refused: { state: 'invalid', words: 'refused' },
  withdrawn: { state: 'closed', words: 'withdrawn' },
};

/** Returns the name of a request in the address: each kind has its own numbers. */
export const nameOf = ({ kind, requestId }: Pick<DeskRequest, 'kind' | 'requestId'>): string => `${kind}-${requestId}`;

/** Parses a request's name in the address; null if it is none. */
export function named(name: string | null): Pick<DeskRequest, 'kind' | 'requestId'> | null {
  const match = /^(applications|contacts|organisations|closures|resources|transfers)-(\d{1,15})$/.exec(name ?? '');
  return match ? { kind: match[1] as DeskRequest['kind'], requestId: match[2]! } : null;
}
