import { Readable } from 'node:stream';
import { HeldBody } from '../held-body.ts';
import { HeldText } from '../held-text.ts';

/** Text that no database can store unchanged: its place in the input, and what is wrong with it. */
type UnkeptText = { field: string; message: string };

/**
 * Returns the first text in a value that PostgreSQL can't store, or null. A NUL is an error; a lone surrogate is not a character, and would be stored
 * as another one, or in JSON not at all. Property names count as text. Not recursive, so that any depth works. Bytes are not text, and are not scanned; what is held is looked at when it is read.
 * @param whole the name of the field when the value itself is the text
 */
export function unkeptTextIn(value: unknown, whole: string): UnkeptText | null {
  if (typeof value === 'string') return unkept(wrongWith(value), whole);
  const waiting: { value: unknown; field: string }[] = [{ value, field: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: one, field } = next;
    if (!hasFields(one)) continue;
    for (const [name, member] of one instanceof URLSearchParams ? one : Object.entries(one)) {
      const ofName = wrongWith(name);
      if (ofName !== null) return unkept(ofName, field === '' ? whole : field);
      const found = typeof member === 'string' ? wrongWith(member) : null;
      // The place is only written out where it is needed: a body has thousands.
      if (found !== null) return unkept(found, inside(field, name));
      if (hasFields(member)) waiting.push({ value: member, field: inside(field, name) });
    }
  }
  return null;
}

const inside = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);
const unkept = (message: string | null, field: string): UnkeptText | null => (message === null ? null : { field, message });
const hasFields = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Readable) &&
  !(value instanceof HeldText) &&
  !(value instanceof HeldBody) &&
  !ArrayBuffer.isView(value);

/** Says what is wrong with a text that PostgreSQL can't store, or null. */
export function wrongWith(text: string): string | null {
  if (text.includes('\0')) return 'Take out the character NUL (U+0000), which no text can have';
  return text.isWellFormed() ? null : 'Take out the half of a character (a surrogate without its pair, U+D800 to U+DFFF)';
}
