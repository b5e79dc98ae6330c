import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `announcements`. */
export const announcementErrors = {
  ANNOUNCEMENT_STATE: { status: 409, message: 'The announcement is {state}, so this is no longer possible' },
} as const satisfies ErrorRows;
