import type { DeskRequest } from '@portal/contract/staff/desk';
import type { State } from '@portal/ui';

/** How far a request is, as those who decide read it. */
export const stateWords: Record<DeskRequest['state'], { state: State; words: string }> = {
  new: { state: 'pending', words: 'new' },
  review: { state: 'pending', words: 'in review' },
  asked: { state: 'warning', words: 'member was asked' },
  approved: { state: 'valid', words: 'approved' },
  refused: { state: 'invalid', words: 'refused' },
  withdrawn: { state: 'closed', words: 'withdrawn' },
};

/** How a request is named in the address: kinds have numbers of their own. */
export const nameOf = ({ kind, requestId }: Pick<DeskRequest, 'kind' | 'requestId'>): string => `${kind}-${requestId}`;

/** What an address names; null for anything that is no name of a request. */
export function named(name: string | null): Pick<DeskRequest, 'kind' | 'requestId'> | null {
  const match = /^(applications|contacts|organisations|closures)-(\d{1,15})$/.exec(name ?? '');
  return match ? { kind: match[1] as DeskRequest['kind'], requestId: match[2]! } : null;
}
