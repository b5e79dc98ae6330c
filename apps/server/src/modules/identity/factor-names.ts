import { refuse } from '../../platform/failure.ts';

export const LONGEST_FACTOR_NAME = 60;

/**
 * What a person calls a passkey or an authenticator app, as it is kept: one line without blanks around it.
 * @throws Failure INVALID_REQUEST unless it has 1 to 60 characters, none of them a control character.
 */
export function factorName(given: string): string {
  const name = given.normalize('NFC').replaceAll(/ {2,}/g, ' ').trim();
  if (!isFactorName(name))
    throw refuse('INVALID_REQUEST', {
      detail: `a name has 1 to ${LONGEST_FACTOR_NAME} characters on one line, without control characters`,
    });
  return name;
}

/** Control characters, and what turns the direction of text around or cannot be seen: a name stands in mails and lists beside other words. */
const unreadable = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

/** Whether this can be kept as the name of a factor. */
export const isFactorName = (name: string): boolean =>
  name.trim() !== '' && Array.from(name.trim()).length <= LONGEST_FACTOR_NAME && !unreadable.test(name);
