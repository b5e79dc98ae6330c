import * as z from 'zod/mini';

/** One line of text in any script: no control characters, nothing that turns the direction of the text around it. */
export const oneLine = (most: number, least = 0) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(least),
      z.maxLength(most),
      z.regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, { error: 'Write it in one line, without control characters' }),
    );

/** The full name of a person, in whatever script it is written. */
export const PersonName = oneLine(200, 1);
