import { expect, test } from 'vitest';
import { kindOf, newSecret, prefixOf, secretIn } from './api-key-secret.ts';

test('a secret is recognised by its beginning, and its checksum tells a mistyped one', () => {
  const secrets = Array.from({ length: 100 }, () => newSecret());
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^mr_live_[0-9A-Za-z]{46}$/);
    expect(prefixOf(secret)).toBe(secret.slice(0, 16));
    expect(secretIn(`Bearer ${secret}`)).toBe(secret);
    for (let place = 8; place < secret.length; place += 9) {
      const other = secret[place] === 'a' ? 'b' : 'a';
      expect(secretIn(`Bearer ${secret.slice(0, place)}${other}${secret.slice(place + 1)}`)).toBeNull();
    }
  }
});

test('a key of the sandbox says so', () => {
  const secret = newSecret('sandbox');
  expect(secret).toMatch(/^mr_test_[0-9A-Za-z]{46}$/);
  expect(secretIn(`Bearer ${secret}`)).toBe(secret);
  expect([kindOf(secret), kindOf(newSecret())]).toEqual(['sandbox', 'registry']);
  expect(secretIn(`Bearer ${secret.replace('mr_test_', 'mr_live_')}`)).toBeNull();
});

test('an Authorization header without a secret is ignored', () => {
  const secret = newSecret();
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    secret,
    `Basic ${secret}`,
    `Bearer ${secret} x`,
    `Bearer ${secret.slice(0, -1)}`,
    `Bearer x${secret}`,
  ])
    expect(secretIn(header)).toBeNull();
});
