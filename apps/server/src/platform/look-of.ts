/** Letters and digits of other scripts that look like Latin ones in small letters, and what is easily taken for each other. */
const twins = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьв',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еєε',
    h: 'һнη',
    i: 'іιı1lӏ|',
    j: 'јϳ',
    k: 'кκ',
    m: 'мμ',
    n: 'пν',
    o: 'оοσ0',
    p: 'рρ',
    s: 'ѕ5',
    t: 'тτ',
    u: 'υ',
    v: 'ѵ',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγү',
  }).flatMap(([letter, alike]) => Array.from(alike, each => [each, letter] as const)),
);

/**
 * Returns how a name looks, for telling names apart in a list: without case, marks, spaces and punctuation, and with letters that look alike as one (after UTS 39, of the scripts
 * that are mixed up with Latin).
 */
export const lookOf = (name: string): string =>
  Array.from(name.normalize('NFKD').toLowerCase(), letter => twins.get(letter) ?? letter)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
