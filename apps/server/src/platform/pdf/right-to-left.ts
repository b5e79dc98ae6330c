const arabicOrHebrew = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Letters that run from right to left, of these two scripts or of others. */
export const fromRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};
/** Left-to-right runs within: words in other scripts, and numbers, with the characters between them. */
const fromLeftToRight =
  /(?:\p{Nd}|(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}\p{M}*)(?:[^\p{Script=Arabic}\p{Script=Hebrew}]*(?:\p{Nd}|(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}\p{M}*))?/gu;

/**
 * Returns a line in the order for a typesetter that sets all letters of a line from right to left: numbers and words of other scripts reversed, so that they
 * read correctly, and brackets mirrored. This is the part of the bidirectional algorithm (Unicode UAX 9) that names of organisations
 * need. Null for lines it can't handle: one that begins in another script, a script that is neither Arabic nor Hebrew, digits that are not 0 to 9,
 * a hyphen between numbers.
 */
export function setFromRightToLeft(line: string): string | null {
  const [first] = line.match(/\p{L}/u) ?? [];
  if (first === undefined || !arabicOrHebrew.test(first)) return null;
  if (
    Array.from(line).some(sign => fromRightToLeft.test(sign) && !arabicOrHebrew.test(sign)) ||
    /(?![0-9])\p{Nd}|[0-9]\s*[-–+]\s*[0-9]/u.test(line)
  )
    return null;
  const parts: string[] = [];
  let last = 0;
  for (const run of line.matchAll(fromLeftToRight)) {
    let end = run.index + run[0].length;
    // A bracket that was opened inside is closed inside.
    while (line[end] !== undefined && closes(line.slice(run.index, end), line[end]!)) end++;
    parts.push(mirror(line.slice(last, run.index)), turnedRound(line.slice(run.index, end)));
    last = end;
  }
  parts.push(mirror(line.slice(last)));
  return parts.join('');
}

const turnedRound = (text: string): string =>
  [...new Intl.Segmenter().segment(text)]
    .map(({ segment }) => segment)
    .toReversed()
    .join('');
const closes = (text: string, sign: string): boolean => {
  const opening = { ')': '(', ']': '[', '}': '{' }[sign];
  return opening !== undefined && text.split(opening).length > text.split(sign).length;
};
const mirror = (text: string): string => Array.from(text, sign => mirrored[sign] ?? sign).join('');
