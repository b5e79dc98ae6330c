/** Words for a number of days after the end of a term mentioned before: `the day after`. */
export const onDayAfter = (days: number): string => (days === 0 ? 'on the same day' : days === 1 ? 'the day after' : `${days} days later`);

/** Words for a number of days after something that follows: `the day after` the membership term ends. */
export const daysAfterThat = (days: number): string => (days === 0 ? 'on the day' : days === 1 ? 'the day after' : `${days} days after`);

/** A number of days in words: `1 day`, `30 days`. */
export const daysInWords = (days: number): string => (days === 1 ? '1 day' : `${days} days`);
