import type { StaffEvent } from '@portal/contract/events/event-shapes';
import type { State } from '@portal/ui';

/** The state of an event in words. */
export function stateOf({ state, endsAt }: StaffEvent): { state: State; words: string } {
  if (state === 'draft') return { state: 'pending', words: 'Draft' };
  if (state === 'cancelled') return { state: 'invalid', words: 'Cancelled' };
  return Date.parse(endsAt) < Date.now() ? { state: 'closed', words: 'Ended' } : { state: 'valid', words: 'Published' };
}
