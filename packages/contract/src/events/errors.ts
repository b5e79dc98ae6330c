import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `events`. */
export const eventErrors = {
  EVENT_EXISTS: { status: 409, message: 'An event {event} already exists' },
  EVENT_STATE: { status: 409, message: 'The event is {state}, so this is no longer possible' },
  REGISTRATION_CLOSED: { status: 409, message: 'You can’t register for this event: {why}' },
  ALREADY_REGISTERED: { status: 409, message: 'You’re already registered for this event' },
  NOT_REGISTERED: { status: 409, message: 'You aren’t registered for this event' },
  NOT_ATTENDED: { status: 409, message: 'The registry has no record that you attended this event' },
  CERTIFICATE_DECIDED: { status: 409, message: 'This certificate was already {state}' },
} as const satisfies ErrorRows;
