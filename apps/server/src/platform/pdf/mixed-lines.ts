import bidiFactory, { type Bidi } from 'bidi-js';

/** A part of a line that is set in one font. `words` are in the order in which the typesetter takes them. */
export type Run = { font: string; words: string };

// Its types say that the module is the function's namespace; it is the function.
const bidi = (bidiFactory as unknown as () => Bidi)();

/** Letters the typesetter turns round as a whole; scripts that no one has looked at never come here. */
const turned = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

type Cluster = { words: string; level: number; font: string };

/**
 * Returns a line as runs from left to right, each in a font that has its glyphs, in the order of the bidirectional algorithm (Unicode UAX 9, rules L2 and L4). A run goes on in its font as
 * long as that has the glyphs, so that spaces and punctuation do not break it. Null for a line of which no font has some sign.
 * @param fontOf the font to use for a cluster of characters, preferably the one before; undefined where none has it
 */
export function visualRuns(line: string, fontOf: (cluster: string, before: string | undefined) => string | undefined): Run[] | null {
  const levels = bidi.getEmbeddingLevels(line);
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels);
  const clusters: Cluster[] = [];
  for (const { segment, index } of new Intl.Segmenter().segment(line)) {
    const font = fontOf(segment, clusters.at(-1)?.font);
    if (font === undefined) return null;
    clusters.push({ words: mirrored.get(index) ?? segment, level: levels.levels[index]!, font });
  }
  const runs: (Run & { level: number })[] = [];
  for (const { words, level, font } of clusters) {
    const last = runs.at(-1);
    if (last?.font === font && last.level === level) last.words += words;
    else runs.push({ font, level, words });
  }
  return inOrder(runs).map(({ font, level, words }) => ({
    font,
    // Arabic and Hebrew letters are turned by the font; signs between them, such as dashes, are not.
    words: level % 2 === 1 && !turned.test(words) ? reversed(words) : words,
  }));
}

const reversed = (words: string): string =>
  Array.from(new Intl.Segmenter().segment(words), ({ segment }) => segment)
    .reverse()
    .join('');

/** Rule L2: from the highest level to the lowest odd one, reverses each sequence of runs at that level or higher. */
function inOrder<R extends { level: number }>(runs: readonly R[]): R[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...ordered.map(({ level }) => level));
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      if (ordered[start]!.level < level) continue;
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  return ordered;
}

/** Where a line may be broken: after spaces, and beside ideographs and kana. */
const breakable =
  /(?<=\s)|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])|(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;

/**
 * Breaks a text into lines that fit; null where a piece that can't be broken doesn't. `widthOf` measures a line, and is null for one that can't be set.
 */
export function breakIntoLines(text: string, width: number, widthOf: (line: string) => number | null): string[] | null {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(breakable)) {
    const long = widthOf((line + piece).trimEnd());
    if (long === null) return null;
    if (long <= width) {
      line += piece;
      continue;
    }
    if (line.trim() !== '') lines.push(line.trim());
    line = piece.trimStart();
    const alone = widthOf(line.trimEnd());
    if (alone === null || alone > width) return null;
  }
  if (line.trim() !== '') lines.push(line.trim());
  return lines;
}
