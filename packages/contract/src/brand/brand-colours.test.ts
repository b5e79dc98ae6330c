import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  accentRule,
  contrast,
  contrasts,
  isReadable,
  leastOfText,
  nearestReadable,
  readColour,
  type Theme,
  usualAccent,
} from './brand-colours.ts';

const themes: readonly Theme[] = ['light', 'dark'];
const colour = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`);

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#ac1263', '#ffffff')).toBeCloseTo(6.95, 2);
});

test('the accent of the design can be read, and is its own nearest', () => {
  for (const theme of themes) expect(nearestReadable(usualAccent[theme], theme)).toBe(usualAccent[theme]);
});

test.each(themes)('for every colour there is one that can be read in the %s theme, and it is offered', theme => {
  fc.assert(
    fc.property(colour, given => {
      const nearest = nearestReadable(given, theme);
      expect(isReadable(nearest, theme)).toBe(true);
      expect(contrasts(nearest, theme).every(({ ratio }) => ratio >= leastOfText)).toBe(true);
      if (isReadable(given, theme)) expect(nearest).toBe(given);
    }),
  );
});

test('yellow is too light by day and white is too light for nothing by night', () => {
  expect(isReadable('#ffd700', 'light')).toBe(false);
  expect(isReadable('#ffd700', 'dark')).toBe(true);
});

test('only six hexadecimal digits are a colour', () => {
  expect(readColour(' #0B5CAD ')).toBe('#0b5cad');
  for (const text of ['red', '#fff', '#0b5cad;}', 'url(x)', '#12345g', '']) expect(readColour(text)).toBeNull();
});

test('there is a rule only where a registry has a colour of its own', () => {
  expect(accentRule('', '')).toBe('');
  expect(accentRule('#0b5cad', '')).toMatch(
    /^html:root\{--accent:light-dark\(#0b5cad,#ff86ba\);(--[a-z-]+:light-dark\(#[\da-f]{6},#[\da-f]{6}\);?){4}\}$/,
  );
});
