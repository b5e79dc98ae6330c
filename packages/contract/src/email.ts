import * as z from 'zod/mini';

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** An e-mail address with a full host name (RFC 5321, unquoted), at most 64 characters before the @. */
const mailbox = new RegExp(`^(?=.{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`, 'i');

/** Whether `Email` accepts a text. */
export const isEmail = (text: string): boolean => text.length <= 254 && mailbox.test(text);

/** The address of a person, with the two messages of the specification, section 5: valid at all, and in English letters. */
export const Email = z
  .string()
  .check(
    z.trim(),
    z.maxLength(254, { error: 'Enter a valid email address', abort: true }),
    z.regex(/^[\x20-\x7e]*$/, { error: 'It must be a valid email in English', abort: true }),
    z.regex(mailbox, { error: 'Enter a valid email address' }),
  );
