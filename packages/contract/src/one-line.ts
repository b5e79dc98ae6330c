import * as z from 'zod/mini';
import { ifMissing } from './if-missing.ts';

/**
 * One line of text in any script: no control characters, nothing that turns the direction of the text around it.
 * @param tooShort what to say of less than the least
 */
export const oneLine = (
  most: number,
  least = 0,
  tooShort = least === 1 ? 'This field is required' : `Enter at least ${least} characters`,
) =>
  z
    .string(ifMissing(least > 0 ? tooShort : 'This field is required'))
    .check(
      z.trim(),
      z.minLength(least, { error: tooShort }),
      z.maxLength(most, { error: `Enter at most ${most} characters` }),
      z.regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, { error: 'Enter one line, without control characters' }),
    );

/** The full name of a person, in whatever script it is written. */
export const PersonName = oneLine(200, 1, 'Enter the full name');
