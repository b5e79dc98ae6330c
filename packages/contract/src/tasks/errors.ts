import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `tasks`. */
export const taskErrors = {
  TASK_NOT_CANCELLABLE: { status: 409, message: 'The task has begun, so it cannot be cancelled any more' },
  TOO_MANY_TASKS: { status: 429, message: 'Two tasks of this account change whois objects already. Try again when one is over' },
} as const satisfies ErrorRows;
