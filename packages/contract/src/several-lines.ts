import * as z from 'zod/mini';

/** Text of several lines, at most so many characters and at least so many. */
export const severalLines = (most: number, least = 0) =>
  z
    .string()
    .check(z.trim(), z.minLength(least, { error: 'Enter a few words' }), z.maxLength(most, { error: `Enter at most ${most} characters` }));
