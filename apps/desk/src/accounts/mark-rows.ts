import { placeOf, type Span } from './picture-words.ts';

/** The share of the line that a letter takes. */
const LETTER = 0.0075;
/** The share that the mark itself takes, with the space around it. */
const MARK = 0.02;

/**
 * Returns marks in rows, so that their words don’t cover each other. Words stand after their mark where they fit before the end of the line, otherwise on the side with more room:
 * only what is longer than that is cut.
 */
export function inRows<Mark extends { day: string; words: string }>(
  marks: readonly Mark[],
  span: Span,
): (Mark & { row: number; place: number; isLeft: boolean })[] {
  const ends: number[] = [];
  return marks.map(mark => {
    const place = placeOf(mark.day, span);
    const width = mark.words.length * LETTER + MARK;
    const isLeft = place + width > 1 && place > 1 - place;
    const [from, to] = isLeft ? [Math.max(0, place - width), place] : [place, Math.min(1, place + width)];
    let row = ends.findIndex(end => end <= from);
    if (row < 0) row = ends.length;
    ends[row] = to;
    return { ...mark, row, place, isLeft };
  });
}
