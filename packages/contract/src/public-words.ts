import * as z from 'zod/mini';
import { severalLines } from './several-lines.ts';

const address = /[^\s@<>]+(?:@|\s?[([]at[)\]]\s?)[^\s@<>]+\.[a-z]{2,}/i;
const day = /\b\d{4}-\d{2}-\d{2}\b/g;
const digits = /(?<![\w.:/])\+?\(?\d[\d ()-]{6,}\d/g;

/**
 * Whether a text contains what looks like an e-mail address or telephone number: eight digits or more, with spaces, brackets and hyphens between
 * them. Dates and prefixes don't count.
 */
export const holdsContact = (words: string): boolean =>
  address.test(words) || (words.replaceAll(day, ' ').match(digits) ?? []).some(run => run.replaceAll(/\D/g, '').length >= 8);

/** Text of several lines that every signed-in person can read: it must not contain contact details, because messages go through the registry. */
export const publicWords = (most: number) =>
  severalLines(most).check(
    z.refine(words => !holdsContact(words), {
      error: 'Leave out e-mail addresses and telephone numbers: everyone reads this. Others write to you through the registry',
    }),
  );
