import PDFDocument from 'pdfkit';

/** Options that set a line as a whole: with a feature list, even an empty one, the font gets the line in one piece, so that it can join letters and order them. */
export const oneLine = { lineBreak: false, features: [] };

/**
 * A document that is never written: its fonts are opened once and measure for all documents, which are set in the same opened fonts with a subset of their own. So a document
 * is the same bytes whatever was measured before it.
 */
let ruler: PDFKit.PDFDocument | undefined;

/** A font file as fontkit has it open: tables that lay out letters are read as they are needed, and kept. */
type OpenedFile = { hasGlyphForCodePoint?(codePoint: number): boolean };
/** A font of one document: its letters out of a file make a subset. */
type EmbeddedFont = {
  ascender?: number;
  name?: string;
  font?: OpenedFile;
  constructor: new (document: PDFKit.PDFDocument, file: OpenedFile, id: string) => EmbeddedFont;
};
/** pdfkit's fonts of a document, which its types omit. */
type WithFont = { _font?: EmbeddedFont; _fontFamilies: Record<string, EmbeddedFont>; _fontCount: number };

const opened = (font: string): PDFKit.PDFDocument => (ruler ??= new PDFDocument({ autoFirstPage: false })).font(font);
const fontOf = (font: string) => (opened(font) as unknown as WithFont)._font;

/**
 * Sets a document to a font, as `document.font` does, but with a file that is open already: half the time of a document in several scripts went into reading the
 * tables of each file anew.
 */
export function inFont(document: PDFKit.PDFDocument, font: string): PDFKit.PDFDocument {
  const own = document as unknown as WithFont;
  const shared = own._fontFamilies[font] ? undefined : fontOf(font);
  // The built-in fonts are no files.
  if (shared?.font?.hasGlyphForCodePoint) {
    const made = new shared.constructor(document, shared.font, `F${++own._fontCount}`);
    own._fontFamilies[font] = (made.name && own._fontFamilies[made.name]) || made;
    if (made.name) own._fontFamilies[made.name] ??= made;
  }
  return document.font(font);
}

/** Returns the height of the letters of a font above the baseline, in parts of its size. */
export const ascenderOf = (font: string): number => (fontOf(font)?.ascender ?? 750) / 1000;

/** The most widths that are kept. */
const MAX_KEPT = 10_000;
const widths = new Map<string, number>();

/** Returns the width of words set as one line in a font, in parts of its size: a line is measured with each word that is added to it, and for each size. */
export function widthOf(font: string, words: string): number {
  const key = `${font} ${words}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size >= MAX_KEPT) widths.clear();
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
