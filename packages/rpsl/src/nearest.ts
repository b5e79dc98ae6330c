/** Returns the name that differs by one or two typing errors; undefined if there is none or the text is too short to say. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  if (text.length < 3 || text.length > 30) return undefined;
  let best: string | undefined;
  let least = text.length < 6 ? 2 : 3;
  for (const name of names) {
    // The distance is at least the difference of the lengths.
    if (Math.abs(text.length - name.length) >= least) continue;
    const distance = editDistance(text, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}
