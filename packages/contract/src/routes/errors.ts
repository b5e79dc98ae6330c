import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `routes`. */
export const routeErrors = {
  ROUTES_INVALIDATE: { status: 409, message: 'This {does}. Enter {count} to confirm' },
  ROUTE_COUNT_WRONG: { status: 409, message: 'This deletes {count} routes. Enter that number to confirm' },
  ROUTES_CHANGED_SINCE: { status: 409, message: 'This change can’t be undone: {route} was changed again since' },
  UNDO_TOO_LATE: { status: 409, message: 'Changes can be undone for {hours} hours. Make a new change instead' },
} as const satisfies ErrorRows;
