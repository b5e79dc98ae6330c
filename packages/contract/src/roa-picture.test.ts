import { expect, it } from 'vitest';
import { readRoaPicture, roaPictureInWords } from './roa-picture.ts';

it('announcements up to the maximum length are valid, and those one bit longer aren’t', () => {
  const roa = readRoaPicture('AS64500 198.18.40.0/22 up to /23');
  expect(roa.rows.map(({ length, parts, isValid }) => [length, parts.length, isValid])).toEqual([
    [22, 1, true],
    [23, 2, true],
    [24, 4, false],
  ]);
  expect(roa.rows[2]!.parts).toEqual(['198.18.40.0/24', '198.18.41.0/24', '198.18.42.0/24', '198.18.43.0/24']);
  expect(roaPictureInWords(roa)).toBe(
    'A ROA allows AS64500 to announce 198.18.40.0/22 up to /23. An announced /22 is valid. An announced /23 is valid. An announced /24 is invalid: too long.',
  );
});

it.each(['AS64500', 'AS64500 198.18.40.0/22 up to /21', 'AS64500 198.18.40.0/22 up to /24', 'AS64500 198.18.41.0/22 up to /22'])(
  'what isn’t a ROA to draw is refused: %s',
  line => expect(() => readRoaPicture(line)).toThrow(/must be/),
);
