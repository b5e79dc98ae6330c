import { ascenderOf, hasGlyphs, oneLine, inFont, widthOf } from './font-ruler.ts';
import { breakIntoLines, type Run, visualRuns } from './mixed-lines.ts';
import { fromRightToLeft, setFromRightToLeft, unseen } from './right-to-left.ts';

/** Letters the fonts have that every PDF reader brings along (Windows-1252). */
const western = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/**
 * Text in a font that has its glyphs. `whole` if set as one line from right to left, `size` the largest that fits; `meant` is its actual
 * text if `words` differs. `lines` if its characters take several fonts: each line as runs from left to right.
 */
export type Printable = { font: string; words: string; size: number; meant?: string; whole?: true; lines?: Run[][] };

type Setting = { size: number; width: number; fonts: readonly string[]; unprintable: string; plain?: string };

/**
 * Returns people's text as a document can show it: in the built-in fonts, in the first of `fonts` (files) that has all its glyphs, or else each part in the first that has its own. Text that
 * no font covers is not transliterated: `unprintable` is shown instead.
 */
export function printable(text: string, setting: Setting): Printable {
  const { size, width, fonts, unprintable, plain = 'Helvetica-Bold' } = setting;
  if (western.test(text)) return { font: plain, words: text, size };
  const cannot = { font: 'Helvetica-Oblique', words: unprintable, size: Math.min(size, 13), meant: text };
  const words = fromRightToLeft.test(text) ? setFromRightToLeft(text) : text;
  const font = words === null ? undefined : fonts.find(file => hasGlyphs(file, words));
  if (words === null || !font) return mixed(text, { ...setting, plain }) ?? cannot;
  if (!fromRightToLeft.test(text)) return { font, words, size };
  const long = widthOf(font, words) * size;
  const fitting = Math.floor(Math.min(size, (size * width) / long));
  return fitting < SMALLEST ? (mixed(text, { ...setting, plain }) ?? cannot) : { font, words, size: fitting, meant: text, whole: true };
}

/** Points of the smallest text. */
const SMALLEST = 8;
/** Longer texts are no names: their lines are not measured again and again. */
const MAX_MIXED = 400;
/** Between lines of several fonts, of their size: the fonts of some scripts are higher than Latin ones. */
const LINE = 1.35;

/** Text of which each part is in a font that has it, in as many lines as it takes; null where a sign has no font, or a word does not fit. */
function mixed(text: string, { size, width, fonts, plain = 'Helvetica-Bold' }: Setting): Printable | null {
  if (text.length > MAX_MIXED || unseen.test(text)) return null;
  const known = new Map<string, string | undefined>();
  const has = (font: string, cluster: string): boolean => (font === plain ? western.test(cluster) : hasGlyphs(font, cluster));
  const fontOf = (cluster: string, before: string | undefined): string | undefined => {
    if (before !== undefined && has(before, cluster)) return before;
    if (!known.has(cluster))
      known.set(
        cluster,
        [plain, ...fonts].find(font => has(font, cluster)),
      );
    return known.get(cluster);
  };
  const widthAt = (at: number) => (line: string) => {
    const runs = visualRuns(line, fontOf);
    return runs && runs.reduce((sum, { font, words }) => sum + widthOf(font, words) * at, 0);
  };
  for (let at = size; at >= SMALLEST; at--) {
    const lines = breakIntoLines(text, width, widthAt(at));
    if (lines) return { font: plain, words: text, size: at, meant: text, lines: lines.map(line => visualRuns(line, fontOf)!) };
  }
  return null;
}

/** Returns how many points higher a text in a font is drawn, so that its baseline is that of Latin text at the same height. */
export const raisedBy = (font: string, size: number, plain: string): number =>
  font === plain ? 0 : (ascenderOf(font) - ascenderOf(plain)) * size;

/** Draws a text of several fonts, its baselines in one line; returns the height under it. */
export function drawLines(
  document: PDFKit.PDFDocument,
  { font: plain, lines = [], size }: Printable,
  { x, y, width, align }: { x: number; y: number; width: number; align: 'left' | 'right' },
): number {
  const ascender = ascenderOf(plain);
  for (const [place, runs] of lines.entries()) {
    const widths = runs.map(({ font, words }) => widthOf(font, words) * size);
    let at = align === 'right' ? x + width - widths.reduce((sum, wide) => sum + wide, 0) : x;
    const baseline = y + (place * LINE + ascender) * size;
    for (const [index, { font, words }] of runs.entries()) {
      inFont(document, font)
        .fontSize(size)
        .text(words, at, baseline, { ...oneLine, baseline: 'alphabetic' });
      at += widths[index]!;
    }
  }
  return y + lines.length * size * LINE;
}
