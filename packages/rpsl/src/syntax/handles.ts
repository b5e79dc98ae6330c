import { quote } from '../problem.ts';
import { right, type Syntax, wrong } from './reading.ts';

/** A handle to be made by the server: `AUTO-1`, or `AUTO-1JD` with the letters wished for. */
export interface AutoHandle {
  /** Distinguishes the new handles of one message; other objects of the message may refer to it. */
  readonly number: number;
  /** Two to four capitals; null when the server takes the initials. */
  readonly letters: string | null;
}

/** Reads `AUTO-n` in any case; null for every other text. */
export function parseAutoHandle(value: string): AutoHandle | null {
  const match = /^auto-(\d{1,9})([a-z]{2,4})?$/i.exec(value);
  return match ? { number: Number(match[1]), letters: match[2]?.toUpperCase() ?? null } : null;
}

/**
 * The letters of a new handle: initials of the name's words, two to four. Short names lend the next letters of their first word: `Example` gives EX.
 * Names without two letters give the rest as X.
 */
export function handlePrefix(name: string): string {
  const words = name
    .normalize('NFD')
    .split(/\s+/)
    .map(word => word.replace(/[^A-Za-z]/g, '').toUpperCase())
    .filter(word => word !== '');
  const initials = words
    .map(word => word.charAt(0))
    .join('')
    .slice(0, 4);
  return (initials.length >= 2 ? initials : initials + (words[0] ?? '').slice(1, 2)).padEnd(2, 'X');
}

/** A person's or role's handle, `JD1-EX`: 2 to 4 letters, up to 6 digits without leading zero, hyphen and suffix; 30 characters at most. Or AUTO-n. */
export const readNicHandle: Syntax = value => {
  if (parseAutoHandle(value)) return right(value.toUpperCase());
  return value.length <= 30 && /^[a-z]{2,4}([1-9]\d{0,5})?(-[a-z][a-z0-9]{1,8})?$/i.test(value)
    ? right(value)
    : wrong(
        'not-a-handle',
        `${quote(value)} is not a handle. Enter two to four letters, a number, a hyphen and the suffix, such as JD1-EX, or AUTO-1 for a new one`,
      );
};

/** An organisation's handle, `ORG-EX1-EX`, or AUTO-n. */
export const readOrganisationHandle: Syntax = value => {
  if (parseAutoHandle(value)) return right(value.toUpperCase());
  return /^org-[a-z]{2,4}[1-9]\d{0,5}-[a-z][a-z0-9_-]{0,8}[a-z0-9]$/i.test(value)
    ? right(value)
    : wrong(
        'not-an-organisation-handle',
        `${quote(value)} is not the handle of an organisation. Enter ORG-, two to four letters, a number, a hyphen and the suffix, such as ORG-EX1-EX, or AUTO-1 for a new one`,
      );
};
