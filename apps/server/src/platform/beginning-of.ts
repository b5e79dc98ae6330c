const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The beginning of a text, at most so many UTF-16 code units: it ends before a character that would be cut in two, also where that
 * consists of several code points (an emoji with a skin tone, a letter with an accent of its own). What fits is answered as it is.
 */
export function beginningOf(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = characters.segment(text).containing(longest)?.index ?? longest;
  if (start > 0) return text.slice(0, start);
  // One character that is longer than all that fits: as many whole code points of it as do.
  return text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
