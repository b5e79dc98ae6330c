import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginningOf } from './beginning-of.ts';

describe('the beginning of a text', () => {
  test.each([
    ['what fits stays', 'Aroha', 5, 'Aroha'],
    ['a longer one is cut', 'Aroha Ngata', 5, 'Aroha'],
    ['an emoji is not halved', 'Net 🛰️', 5, 'Net '],
    ['a flag is not halved', 'Fiji 🇫🇯', 7, 'Fiji '],
    ['a family is not halved', 'a👩‍👧‍👦', 4, 'a'],
    ['an accent stays with its letter', 'cafe\u0301s', 4, 'caf'],
    ['a character longer than all that fits is cut between code points', '👩‍👧‍👦', 4, '👩‍'],
    ['nothing fits', '🛰', 1, ''],
  ])('%s', (_, text, longest, expected) => {
    expect(beginningOf(text, longest)).toBe(expected);
  });

  test('is never longer than said, never half a character, and is how the text begins', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, longest) => {
        const beginning = beginningOf(text, longest);
        expect(beginning.length).toBeLessThanOrEqual(longest);
        expect(beginning.isWellFormed()).toBe(true);
        expect(text.startsWith(beginning)).toBe(true);
      }),
    );
  });
});
