import { refuseField } from '../../platform/failure.ts';

/** Writes where a page ended, for the next one to begin after. */
export const cursorOf = (...parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Reads where a page ended, with so many parts. @throws Failure INVALID_REQUEST for a cursor that isn't ours */
export function readCursor(text: string, parts: number): string[] {
  try {
    const read = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (Array.isArray(read) && read.length === parts && read.every(part => typeof part === 'string')) return read;
  } catch {
    // Not one of ours: refused below.
  }
  throw refuseField('after', 'Use the `next` of the page before');
}
