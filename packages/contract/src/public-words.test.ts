import { expect, test } from 'vitest';
import { holdsContact, publicWords } from './public-words.ts';

test.each(['Call +61 7 5550 0100', 'Tel. (07) 5550-0100', 'ada@example.net', 'ada (at) example.net', '0755500100'])(
  'public text must not contain contact details: %s',
  words => {
    expect(holdsContact(words)).toBe(true);
    expect(publicWords(500).safeParse(words).error?.issues[0]?.message).toMatch(/^Leave out e-mail addresses and telephone numbers/);
  },
);

test.each([
  '198.18.28.0/22, free from 2027-01-01 until 2027-06-30',
  '1 024 addresses at 25.50 each',
  '2001:db8:1234:5678::/64',
  'Written @ home',
  'AS4200000000 announces it',
  '',
])('text without contact details passes: %s', words => {
  // A long AS number is not a telephone number: letters are before it.
  expect(publicWords(500).safeParse(words).success).toBe(true);
});
