import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';

/**
 * Maximum ages of answers, in ms: one older than `fresh` is shown and refetched in the background, one older than `shown` is not shown.
 */
export const answerAge = { fresh: 15 * SECOND_MS, shown: 30 * MINUTE_MS };
