import { convert } from 'html-to-text';
import { beginningOf } from '../../platform/beginning-of.ts';

/** The longest text of a message, in UTF-16 code units. */
const MAX_TEXT = 20_000;

/** Returns the text of HTML from outside, without images, styles and scripts; links show their address. */
export const textOfHtml = (html: string): string =>
  convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 1_000_000, maxDepth: 100, maxChildNodes: 10_000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      ...[1, 2, 3, 4, 5, 6].map(level => ({ selector: `h${level}`, options: { uppercase: false } })),
    ],
  });

/** Returns the text without the mail that a mail program quoted below it: the lines that begin with `>` at its end, and the line that introduces them. */
export function withoutQuote(text: string): string {
  const lines = text.trimEnd().split('\n');
  let end = lines.length;
  while (end > 0 && /^(>|\s*$)/.test(lines[end - 1]!)) end--;
  if (end === lines.length || !lines.slice(end).some(line => line.startsWith('>'))) return text.trimEnd();
  // “On 21 Nov 2026, the registry wrote:” may be wrapped.
  if (/:\s*$/.test(lines[end - 1] ?? '')) {
    end--;
    if (end > 0 && lines[end - 1]!.trim() !== '' && /^\S.*\d/.test(lines[end - 1]!) && !/[.!?]$/.test(lines[end - 1]!)) end--;
  }
  const rest = lines.slice(0, end).join('\n').trimEnd();
  return rest === '' ? text.trimEnd() : rest;
}

/** Returns the text of a mail for a ticket: its plain text, or the words of its HTML, without what it quotes. */
export function textOfMail({ text = '', html = '' }: { text?: string | undefined; html?: string | undefined }): string {
  const given = text.trim() !== '' ? text : html === '' ? '' : textOfHtml(html);
  // Control characters other than tabs and line ends.
  const plain = given
    .replaceAll('\r\n', '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .toWellFormed();
  const words = withoutQuote(plain).trim();
  return words.length <= MAX_TEXT ? words : `${beginningOf(words, MAX_TEXT - 60)}\n\n(The rest of the e-mail was left out.)`;
}
