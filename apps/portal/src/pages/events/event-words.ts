import type { Part, UpcomingEvent } from '@portal/contract/events/event-shapes';
import type { State } from '@portal/ui';

/** Formats an amount: `USD 75.00`. */
export const amountInWords = ({ amount, currency }: { amount: string; currency: string }): string => `${currency} ${amount}`;

/** The state of the reader’s registration for an event, in a few words. */
export function registrationMark({ state, mine, registration, placesLeft }: UpcomingEvent): { state: State; words: string } {
  if (state === 'cancelled') return { state: 'invalid', words: 'Cancelled' };
  if (mine?.state === 'registered') return { state: 'valid', words: 'Registered' };
  if (mine) return { state: 'pending', words: 'On the waiting list' };
  if (registration === 'not-yet-open') return { state: 'closed', words: 'Registration opens later' };
  if (registration === 'closed') return { state: 'closed', words: 'Registration closed' };
  return placesLeft === 0 ? { state: 'pending', words: 'Full on site' } : { state: 'info', words: 'Registration open' };
}

/** Returns the cost of taking part, in words. `account`: the one the person would come for. */
export function feeInWords({ fee, freePlaceTaken }: UpcomingEvent, part: Part, account: string | null): string {
  if (fee === null || part === 'online') return 'Free of charge';
  if (account !== null && !freePlaceTaken) return `Free of charge: the first place of ${account}`;
  return `${amountInWords(fee)}, which the registry invoices`;
}
