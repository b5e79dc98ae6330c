import { Readable } from 'node:stream';
import { HeldText } from '../held-text.ts';

/** Text that no database can store unchanged: its place in the input, and what is wrong with it. */
type UnkeptText = { field: string; message: string };

/**
 * Returns the first text in a value that PostgreSQL can't store, or null. A NUL is an error; a lone surrogate is not a character, and would be stored
 * as another one, or in JSON not at all. Property names count as text. Not recursive, so that any depth works. Bytes are not text, and are not scanned; what is held is looked at when it is read.
 * @param whole the name of the field when the value itself is the text
 */
export function unkeptTextIn(value: unknown, whole: string): UnkeptText | null {
  const waiting: { value: unknown; field: string }[] = [{ value, field: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: one, field } = next;
    if (typeof one === 'string') {
      const message = wrongWith(one);
      if (message !== null) return { field: field === '' ? whole : field, message };
    } else if (
      typeof one === 'object' &&
      one !== null &&
      !(one instanceof Readable) &&
      !(one instanceof HeldText) &&
      !ArrayBuffer.isView(one)
    ) {
      for (const [name, member] of one instanceof URLSearchParams ? one : Object.entries(one)) {
        const inside = field === '' ? name : `${field}.${name}`;
        const message = wrongWith(name);
        if (message !== null) return { field: field === '' ? whole : field, message };
        waiting.push({ value: member, field: inside });
      }
    }
  }
  return null;
}

/** Says what is wrong with a text that PostgreSQL can't store, or null. */
export function wrongWith(text: string): string | null {
  if (text.includes('\0')) return 'Take out the character NUL (U+0000), which no text can have';
  return text.isWellFormed() ? null : 'Take out the half of a character (a surrogate without its pair, U+D800 to U+DFFF)';
}
