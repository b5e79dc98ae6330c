import * as z from 'zod/mini';
import { oneLine } from './one-line.ts';

/** A telephone or fax number as people write it; empty for none. */
export const PhoneNumber = oneLine(40).check(
  z.regex(/^(\+?[0-9][0-9 ().-]{4,38})?$/, { error: 'Enter a telephone number, such as +61 7 5550 0100' }),
);
