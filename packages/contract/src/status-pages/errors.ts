import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `status-pages`. */
export const statusPageErrors = {
  WATCHER_PLACE_TAKEN: { status: 409, message: 'Another watcher is called {place}. Choose another name' },
  TOO_MANY_WATCHERS: { status: 409, message: 'The status page shows at most {most} watchers. Revoke one first' },
} as const satisfies ErrorRows;
