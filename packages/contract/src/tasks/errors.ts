import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `tasks`. */
export const taskErrors = {
  TASK_NOT_CANCELLABLE: { status: 409, message: 'The task has started and can no longer be cancelled' },
  TOO_MANY_TASKS: { status: 429, message: 'Two tasks of this account are already changing whois objects. Try again when one finishes' },
} as const satisfies ErrorRows;
