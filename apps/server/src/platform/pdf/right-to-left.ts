import bidiFactory, { type Bidi } from 'bidi-js';

const arabicOrHebrew = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Right-to-left letters of these two scripts or others. */
export const fromRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Right-to-left scripts that haven't been checked in our documents. */
export const unseen = /[\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

// Its types say that the module is the function's namespace; it is the function.
const bidi = (bidiFactory as unknown as () => Bidi)();

/**
 * Reorders a line for a typesetter that sets all letters of a line from right to left: the display order of the bidirectional algorithm (Unicode UAX
 * 9), reversed, with brackets mirrored. Null for lines the typesetter can't set: one that begins in another script, or has a script that is neither
 * Arabic nor Hebrew.
 */
export function setFromRightToLeft(line: string): string | null {
  const [first] = line.match(/\p{L}/u) ?? [];
  if (first === undefined || !arabicOrHebrew.test(first)) return null;
  if (Array.from(line).some(sign => fromRightToLeft.test(sign) && !arabicOrHebrew.test(sign))) return null;
  const levels = bidi.getEmbeddingLevels(line, 'rtl');
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels);
  const seen = bidi.getReorderedIndices(line, levels);
  // A letter with its marks stays together, and so do the halves of a sign beyond the first 65,536.
  const clusterAt: { index: number; segment: string }[] = [];
  for (const cluster of new Intl.Segmenter().segment(line))
    for (let unit = 0; unit < cluster.segment.length; unit++) clusterAt.push(cluster);
  const clusters = new Set(seen.toReversed().map(place => clusterAt[place]!));
  return [...clusters].map(({ index, segment }) => mirrored.get(index) ?? segment).join('');
}
