/** Maximum number of changed lines that are compared one by one; more are shown as removed and added. */
const MAX = 150;

/**
 * Returns the difference of two texts, one line each: `-` removed, `+` added, a space for unchanged lines around. What the texts begin and end with alike is
 * taken as it is, so that a small change of a long text is found. Takes time in proportion to the texts, besides that for `MAX` by `MAX` lines.
 */
export function textDifference(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (line: string): string => ` ${line}`;
  return [
    ...a.slice(0, head).map(same),
    ...changedLines(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ].join('\n');
}

function changedLines(a: readonly string[], b: readonly string[]): string[] {
  if (a.length > MAX || b.length > MAX) return [...a.map(line => `-${line}`), ...b.map(line => `+${line}`)];
  // Longest common subsequence, from the end.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i]}`);
      i++;
      j++;
    } else if (i < a.length && (j === b.length || common[i + 1]![j]! >= common[i]![j + 1]!)) lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return lines;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
