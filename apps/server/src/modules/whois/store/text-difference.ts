/** Maximum number of compared lines; longer objects are shown as removed and added. */
const MAX = 600;

/** Returns the difference of two texts, one line each: `-` removed, `+` added, a space for unchanged lines around. */
export function textDifference(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  if (a.length > MAX || b.length > MAX) return [...a.map(line => `-${line}`), ...b.map(line => `+${line}`)].join('\n');
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
  return lines.join('\n');
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
