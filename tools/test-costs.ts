import path from 'node:path';

/** Cost of a test file: processor seconds of its process and of the programs it started, or the seconds that a file of stories took. */
export type FileCost = { file: string; seconds: number };

export const relativeTo = (folder: string, file: string): string => path.relative(folder, file).replaceAll('\\', '/');

/** Parses the costs recorded by tools/test-meter.ts, one per line. */
export const readCosts = (text: string): FileCost[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as FileCost);

/** One line for each of the most expensive files, the most expensive first. */
export function mostExpensive(costs: readonly FileCost[], howMany: number): string[] {
  const byFile = new Map<string, number>();
  for (const { file, seconds } of costs) byFile.set(file, (byFile.get(file) ?? 0) + seconds);
  return [...byFile]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, howMany)
    .map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
