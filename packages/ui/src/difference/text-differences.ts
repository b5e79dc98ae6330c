export type Text = { subject: string; body: string };

/** One paragraph before and after; a null one isn’t there. */
export type ParagraphChange = { before: string | null; after: string | null };

/** Paragraphs that are compared with each other at most: of two longer parts that differ, the whole one is shown before and after. */
const MAX_COMPARED = 4_000_000;

/** The paragraphs in which two texts differ, subjects first: the longest common run of paragraphs is left out. */
export function differencesOf(before: Text, after: Text): ParagraphChange[] {
  const [olds, news] = differingParts(before.body.split(/\n{2,}/), after.body.split(/\n{2,}/));
  const subjects = before.subject === after.subject ? [] : [{ before: before.subject, after: after.subject }];
  if (olds.length * news.length > MAX_COMPARED) return [...subjects, { before: olds.join('\n\n'), after: news.join('\n\n') }];
  return [...subjects, ...paragraphChanges(olds, news)];
}

/** Leaves out the paragraphs with which both begin and end. */
function differingParts(olds: readonly string[], news: readonly string[]): readonly [olds: readonly string[], news: readonly string[]] {
  const least = Math.min(olds.length, news.length);
  let first = 0;
  while (first < least && olds[first] === news[first]) first++;
  let last = 0;
  while (last < least - first && olds.at(-1 - last) === news.at(-1 - last)) last++;
  return [olds.slice(first, olds.length - last), news.slice(first, news.length - last)];
}

function paragraphChanges(olds: readonly string[], news: readonly string[]): ParagraphChange[] {
  const length: number[][] = Array.from({ length: olds.length + 1 }, () => Array.from({ length: news.length + 1 }, () => 0));
  for (let i = olds.length - 1; i >= 0; i--)
    for (let j = news.length - 1; j >= 0; j--)
      length[i]![j] = olds[i] === news[j] ? length[i + 1]![j + 1]! + 1 : Math.max(length[i + 1]![j]!, length[i]![j + 1]!);
  const changes: ParagraphChange[] = [];
  let [i, j] = [0, 0];
  while (i < olds.length || j < news.length) {
    if (i < olds.length && j < news.length && olds[i] === news[j]) {
      i++;
      j++;
    } else if (j >= news.length || (i < olds.length && length[i + 1]![j]! >= length[i]![j + 1]!)) {
      changes.push({ before: olds[i++]!, after: null });
    } else {
      const last = changes.at(-1);
      if (last && last.after === null && last.before !== null) last.after = news[j++]!;
      else changes.push({ before: null, after: news[j++]! });
    }
  }
  return changes;
}
