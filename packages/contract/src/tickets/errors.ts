import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `tickets`. */
export const ticketErrors = {
  TICKET_CLOSED: { status: 409, message: 'This ticket is {state}, so it can’t be answered any more. Open a new one and name this number' },
  TICKET_STATE: { status: 409, message: 'The ticket is already {state}' },
  TICKET_ACCOUNT: { status: 403, message: 'You can’t write to “{queue}” for {account}: {why}' },
  TOO_MANY_LINKS: { status: 409, message: 'A ticket can be linked to {most} things. Remove a link first' },
  TICKET_TO: {
    status: 422,
    message: '{what} isn’t an active contact of {account}. Reload the page, and choose one of its contacts',
  },
  TICKET_COPY: {
    status: 422,
    message:
      '{email} is not a contact of {account}. Only its contacts can be copied in: invite them as a contact first, or forward the answer',
  },
} as const satisfies ErrorRows;
