import { MINUTE_MS } from '@portal/contract/days';
import { ticketStates, type TicketState, isTicketOver } from '@portal/contract/tickets/queues';
import type { IconName, State } from '@portal/ui';

/** The mark of a ticket's state. */
export const stateMark = (state: TicketState): { state: State; words: string } => ({
  state: ({ new: 'info', open: 'info', stalled: 'pending', resolved: 'valid', rejected: 'closed' } as const)[state],
  words: ticketStates[state],
});

/** A span of minutes in words: `25 min`, `4 h`, `3 days`. */
export function spanOf(minutes: number): string {
  if (minutes < 60) return `${Math.max(1, minutes)} min`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`;
  return `${Math.round(minutes / (24 * 60))} days`;
}

/** Returns how long ago an instant was, in words. */
export const sinceInWords = (instant: string, now: number): string => spanOf(Math.floor((now - Date.parse(instant)) / MINUTE_MS));

/** A span of minutes to the minute below a day: `2 h 18 min`. */
export function exactSpan(minutes: number): string {
  if (minutes < 60) return spanOf(minutes);
  if (minutes >= 24 * 60) return spanOf(minutes);
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** Who has the next move of a ticket in a state, as icon and words. */
export function turnOf(state: TicketState): { who: 'us' | 'you' | 'none'; words: string; icon: IconName } {
  const words = ticketStates[state];
  if (state === 'stalled') return { who: 'you', words, icon: 'reply' };
  if (isTicketOver(state)) return { who: 'none', words, icon: state === 'resolved' ? 'valid' : 'lock' };
  return { who: 'us', words, icon: 'clock' };
}
