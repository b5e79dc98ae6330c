const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the beginning of a text, at most so many UTF-16 code units: it ends before a character that would be cut in two, even if that
 * consists of several code points (an emoji with a skin tone, a letter with a combining accent). A text that fits is returned unchanged.
 */
export function beginningOf(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = characters.segment(text).containing(longest)?.index ?? longest;
  if (start > 0) return text.slice(0, start);
  // One character that is longer than all that fits: as many whole code points of it as do.
  return text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
