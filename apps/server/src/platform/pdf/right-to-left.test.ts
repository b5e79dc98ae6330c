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
    ['שבכה 2025.5 / 7', '7 / 2025.5 הכבש'],
    ['3 שבכה', 'הכבש 3'],
    ['שבכה 12-34', '12-34 הכבש'],
    ['شركة ٢٠٢٥', '٢٠٢٥ ةكرش'],
    ['شركة 12-34', '34-12 ةكرش'],
    ['שבכה «דרום» 100%', '100% «םורד» הכבש'],
  ])('%s is read as it is written', (line, seen) => {
    // Brackets among right-to-left letters are mirrored.
    expect(shown(line)).toBe(seen);
  });

  test('letters keep their marks, and signs beyond the first plane stay whole', () => {
    expect(setFromRightToLeft('שבכה Cafe\u0301 😀')).toBe('שבכה 😀 e\u0301faC');
  });

  test.each([
    ['begins in another script', 'Example שבכה'],
    ['has a script nobody looked at', 'ދިވެހި'],
    ['has no letters', '123'],
  ])('is not tried where it %s', (_, line) => {
    expect(setFromRightToLeft(line)).toBeNull();
  });
});
