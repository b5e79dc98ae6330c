import * as z from 'zod/mini';
import { ifMissing } from './if-missing.ts';

/** Text of several lines with a maximum and minimum length. */
export const severalLines = (most: number, least = 0) =>
  z
    .string(ifMissing('Enter a few words'))
    .check(z.trim(), z.minLength(least, { error: 'Enter a few words' }), z.maxLength(most, { error: `Enter at most ${most} characters` }));
