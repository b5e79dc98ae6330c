import { fromRightToLeft, setFromRightToLeft } from './right-to-left.ts';

/** Letters the fonts have that every PDF reader brings along (Windows-1252). */
const western = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/**
 * Text in a font that has its glyphs. `whole` if set as one line from right to left, `size` the largest that fits; `meant` is its actual
 * text if `words` differs.
 */
export type Printable = { font: string; words: string; size: number; meant?: string; whole?: true };
/** Options that set a line as a whole: with a feature list, even an empty one, the font gets the line in one piece, so that it can join letters and order them. */
export const oneLine = { lineBreak: false, features: [] };

/**
 * Returns people's text as a document can show it: in the built-in fonts, or in the first of `fonts` (files) that has all its glyphs. Text that no font
 * covers is not transliterated: `unprintable` is shown instead.
 */
export function printable(
  document: PDFKit.PDFDocument,
  text: string,
  {
    size,
    width,
    fonts,
    unprintable,
    plain = 'Helvetica-Bold',
  }: { size: number; width: number; fonts: readonly string[]; unprintable: string; plain?: string },
): Printable {
  if (western.test(text)) return { font: plain, words: text, size };
  const words = fromRightToLeft.test(text) ? setFromRightToLeft(text) : text;
  const font = words === null ? undefined : fonts.find(file => hasGlyphs(document, file, words));
  const cannot = { font: 'Helvetica-Oblique', words: unprintable, size: Math.min(size, 13), meant: text };
  if (words === null || !font) return cannot;
  if (!fromRightToLeft.test(text)) return { font, words, size };
  const long = document.font(font).fontSize(size).widthOfString(words, oneLine);
  const fitting = Math.floor(Math.min(size, (size * width) / long));
  return fitting < 8 ? cannot : { font, words, size: fitting, meant: text, whole: true };
}

/** pdfkit's current font, which its types omit. */
type WithFont = { _font?: { font?: { hasGlyphForCodePoint?(codePoint: number): boolean } } };

/** Returns whether a font file has every glyph of a text; an unreadable file has none. */
function hasGlyphs(document: PDFKit.PDFDocument, file: string, text: string): boolean {
  try {
    document.font(file);
  } catch {
    return false;
  }
  const font = (document as unknown as WithFont)._font?.font;
  return Array.from(text).every(letter => /\s/.test(letter) || font?.hasGlyphForCodePoint?.(letter.codePointAt(0)!) === true);
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
/** `2026-11-21` as `21 November 2026`. */
export function dayInWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${months[month! - 1]} ${year}`;
}
