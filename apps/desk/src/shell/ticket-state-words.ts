import { type TicketState, ticketStates } from '@portal/contract/tickets/queues';

/** The state of a ticket as staff read it: what waits for the member is called as in every other case. */
export const ticketStateWords: Readonly<Record<TicketState, string>> = { ...ticketStates, stalled: 'Awaiting member' };
