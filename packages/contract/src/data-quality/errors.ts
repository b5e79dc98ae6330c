import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `data-quality`. */
export const dataQualityErrors = {
  CAMPAIGN_RUNNING: { status: 409, message: 'A campaign of this finding is being sent. Wait until it is finished' },
  CAMPAIGN_OVER: { status: 409, message: 'The campaign is finished, so it can’t be stopped' },
} as const satisfies ErrorRows;
