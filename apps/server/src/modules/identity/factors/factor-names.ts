import { refuse } from '../../../platform/failure.ts';
import { isReadable } from '../logins/readable-name.ts';

export const LONGEST_FACTOR_NAME = 60;

/**
 * Returns the name of a passkey or an authenticator app as stored: one line, trimmed.
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

/** Returns whether a text can be the name of a factor. */
export const isFactorName = (name: string): boolean =>
  name.trim() !== '' && Array.from(name.trim()).length <= LONGEST_FACTOR_NAME && isReadable(name);
