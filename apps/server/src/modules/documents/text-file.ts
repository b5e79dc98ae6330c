import { FileRefused } from './file-refused.ts';
import type { Pieces } from './file-store.ts';

const PIECE = 65_536;
/** Control characters that don't belong in text, because terminals obey them. Tab, line feed, form feed and carriage return are allowed. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const control = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
/** A cell that makes a spreadsheet program start another one (dynamic data exchange). */
const command = /(?:^|[,;\t"'])\s*[=+\-@][^,;\t\r\n]*\|[^,;\t\r\n]*!/m;

/** Returns whether a file begins as text: no control characters, and not HTML, SVG or another markup format. */
export function beginsAsText(head: Buffer): boolean {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  return !control.test(text) && text.trim() !== '' && !/^\s*(?:<|\{\\rtf)/.test(text);
}

/** Text of any kind, such as logs and tables with commas: UTF-8 as a whole (RFC 3629), without control characters. @throws FileRefused */
export async function checkText({ bytes, at }: Pieces): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let last = '';
  for (let offset = 0; offset < bytes; offset += PIECE) {
    let text: string;
    try {
      text = decoder.decode(await at(offset, Math.min(PIECE, bytes - offset)), { stream: offset + PIECE < bytes });
    } catch {
      throw new FileRefused('its text isn’t UTF-8. Save it as UTF-8');
    }
    if (control.test(text)) throw new FileRefused('it has control characters. Save it as plain text');
    // A line may span two chunks.
    if (command.test(last + text)) throw new FileRefused('a cell of it starts a program. Save it with values only');
    last = (last + text).slice((last + text).lastIndexOf('\n') + 1).slice(-1000);
  }
}
