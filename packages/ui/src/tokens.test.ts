/// <reference types="node" />
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const css = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8');
const colours = new Map(
  [...css.matchAll(/^ {2}--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);$/gm)].map(([, name, light, dark]) => [
    name!,
    [light!, dark!],
  ]),
);
const rows = [...css.matchAll(/^ {3}([\w-]+) on ([\w-]+) +([\d.]+) +([\d.]+) +min ([\d.]+)$/gm)].map(
  ([, text, ground, light, dark, least]) => ({
    pair: `${text} on ${ground}`,
    text: text!,
    ground: ground!,
    said: [light!, dark!],
    least: Number(least),
  }),
);

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map(start => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

it('the palette and its table of contrasts are read', () => {
  expect(colours.size).toBeGreaterThan(35);
  expect(rows.length).toBeGreaterThan(50);
});

it.each(rows)('$pair has the contrast the table says, by day and by night, and enough of it', ({ text, ground, said, least }) => {
  const found = [0, 1].map(theme => contrast(colours.get(text)![theme]!, colours.get(ground)![theme]!));
  expect(found.map(value => value.toFixed(2))).toEqual(said);
  for (const value of found) expect(value).toBeGreaterThanOrEqual(least);
});
