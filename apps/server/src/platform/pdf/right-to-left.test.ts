import { describe, expect, test } from 'vitest';
import { setFromRightToLeft } from './right-to-left.ts';

/** Returns a line as a typesetter shows it when set from right to left: its glyphs reversed. */
const shown = (line: string): string | undefined => setFromRightToLeft(line)?.split('').toReversed().join('');

describe('a name set from right to left', () => {
  test.each([
    ['شركة الشبكات', 'تاكبشلا ةكرش'],
    ['שבכה 123', '123 הכבש'],
    ['שבכה (דרום)', '(םורד) הכבש'],
    ['שבכה Example Networks בע"מ', 'מ"עב Example Networks הכבש'],
    ['שבכה (Riyadh)', '(Riyadh) הכבש'],
    ['שבכה 5G (Riyadh)', '5G (Riyadh) הכבש'],
    ['שבכה 2025.5 / 7', '2025.5 / 7 הכבש'],
    ['3 שבכה', 'הכבש 3'],
  ])('%s is read as it is written', (line, seen) => {
    // Brackets among right-to-left letters are mirrored.
    expect(shown(line)).toBe(seen);
  });

  test.each([
    ['begins in another script', 'Example שבכה'],
    ['has a script nobody looked at', 'ދިވެހި'],
    ['has digits of its own', 'شركة ٢٠٢٥'],
    ['has a hyphen between numbers', 'שבכה 12-34'],
    ['has no letters', '123'],
  ])('is not tried where it %s', (_, line) => {
    expect(setFromRightToLeft(line)).toBeNull();
  });
});
