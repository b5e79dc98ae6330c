import { expect, test } from 'vitest';
import { breakIntoLines, visualRuns } from './mixed-lines.ts';

const scripts = { L: /[\p{ASCII}]/u, H: /\p{Script=Han}/u, A: /\p{Script=Arabic}/u, B: /\p{Script=Hebrew}/u, D: /\p{Script=Devanagari}/u };
const isIn = (font: string, cluster: string): boolean =>
  Array.from(cluster).every(sign => sign === ' ' || scripts[font as keyof typeof scripts].test(sign));
const fontOf = (cluster: string, before: string | undefined): string | undefined =>
  before !== undefined && isIn(before, cluster) ? before : Object.keys(scripts).find(font => isIn(font, cluster));
/** Runs from left to right as a reader sees them: the fonts of Arabic and Hebrew turn what they are given. */
const seen = (line: string): [string, string][] | null =>
  visualRuns(line, fontOf)?.map(({ font, words }) => [font, font === 'A' || font === 'B' ? words.split('').reverse().join('') : words]) ??
  null;

test.each([
  [
    'Acme 東京 Ltd',
    [
      ['L', 'Acme '],
      ['H', '東京 '],
      ['L', 'Ltd'],
    ],
  ],
  [
    'नेट Net',
    [
      ['D', 'नेट '],
      ['L', 'Net'],
    ],
  ],
  // In a Latin line the Arabic part is read from the right, with Hebrew after it at its left.
  [
    'Net שבכה تاك AG',
    [
      ['L', 'Net '],
      ['A', 'كات'],
      ['B', ' הכבש'],
      ['L', ' AG'],
    ],
  ],
  // A line that begins in Arabic begins at the right.
  [
    'تاك Net 12',
    [
      ['L', 'Net 12'],
      ['A', ' كات'],
    ],
  ],
  [
    'שבכה (Net) 5',
    [
      ['L', '5 (Net)'],
      ['B', ' הכבש'],
    ],
  ],
] as const)('%s is cut into runs of one font and one direction', (line, runs) => {
  const shown = seen(line)!;
  expect(
    shown
      .map(([, words]) => words)
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe(
    runs
      .map(([, words]) => words)
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  expect(new Set(shown.map(([font]) => font))).toEqual(new Set(runs.map(([font]) => font)));
});

test('a sign without a font refuses the whole line', () => expect(visualRuns('Acme ไทย', fontOf)).toBeNull());

test('letters keep their marks over runs', () => {
  expect(seen('Cafe\u0301 東京')).toBeNull();
  expect(visualRuns('東京 e\u0301', cluster => (isIn('H', cluster) ? 'H' : 'L'))?.map(({ words }) => words)).toEqual(['東京 ', 'e\u0301']);
});

test('lines are broken after spaces and beside ideographs, and not inside a word', () => {
  const widthOf = (line: string): number => Array.from(line).length;
  expect(breakIntoLines('Acme Networks 東京都千代田区', 8, widthOf)).toEqual(['Acme', 'Networks', '東京都千代田区']);
  expect(breakIntoLines('東京都千代田区', 3, widthOf)).toEqual(['東京都', '千代田', '区']);
  expect(breakIntoLines('Featherstonehaugh', 8, widthOf)).toBeNull();
  expect(breakIntoLines('Acme', 8, () => null)).toBeNull();
});
