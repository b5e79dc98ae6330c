import PDFDocument from 'pdfkit';

/** Options that set a line as a whole: with a feature list, even an empty one, the font gets the line in one piece, so that it can join letters and order them. */
export const oneLine = { lineBreak: false, features: [] };

/**
 * A document that is never written: its fonts are opened once and measure for all documents, which open only the fonts that they are set in. So a document is the same bytes
 * whatever was measured before it.
 */
let ruler: PDFKit.PDFDocument | undefined;

/** pdfkit's current font, which its types omit. */
type WithFont = { _font?: { ascender?: number; font?: { hasGlyphForCodePoint?(codePoint: number): boolean } } };

const opened = (font: string): PDFKit.PDFDocument => (ruler ??= new PDFDocument({ autoFirstPage: false })).font(font);
const fontOf = (font: string) => (opened(font) as unknown as WithFont)._font;

/** Returns the height of the letters of a font above the baseline, in parts of its size. */
export const ascenderOf = (font: string): number => (fontOf(font)?.ascender ?? 750) / 1000;

/** The most widths that are kept. */
const MOST_KEPT = 10_000;
const widths = new Map<string, number>();

/** Returns the width of words set as one line in a font, in parts of its size: a line is measured with each word that is added to it, and for each size. */
export function widthOf(font: string, words: string): number {
  const key = `${font} ${words}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size >= MOST_KEPT) widths.clear();
    widths.set(key, (width = opened(font).fontSize(1).widthOfString(words, oneLine)));
  }
  return width;
}

const glyphs = new Map<string, Map<number, boolean>>();

/** Returns whether a font file has every glyph of a text; an unreadable file has none. */
export function hasGlyphs(file: string, text: string): boolean {
  let known = glyphs.get(file);
  if (!known) glyphs.set(file, (known = new Map()));
  for (const sign of text) {
    if (/\s/.test(sign)) continue;
    const codePoint = sign.codePointAt(0)!;
    let has = known.get(codePoint);
    if (has === undefined) known.set(codePoint, (has = hasGlyph(file, codePoint)));
    if (!has) return false;
  }
  return true;
}

function hasGlyph(file: string, codePoint: number): boolean {
  try {
    return fontOf(file)?.font?.hasGlyphForCodePoint?.(codePoint) === true;
  } catch {
    return false;
  }
}
