import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `notifications`. */
export const notificationErrors = {
  TOPIC_LOCKED: { status: 422, message: 'E-mails of the topic {topic} cannot be switched off. {why}' },
} as const satisfies ErrorRows;
