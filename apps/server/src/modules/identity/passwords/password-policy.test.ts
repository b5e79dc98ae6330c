import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Read } from '../../../platform/database/index.ts';
import { readProfile } from '../../../profile.ts';
import { openBreachedPasswords } from './breached-passwords.ts';
import { commonPasswords } from './common-passwords.ts';
import { openPasswordPolicy } from './password-policy.ts';

const common = await commonPasswords();
const policy = openPasswordPolicy({
  read: {} as Read,
  profile: { ...readProfile(''), registryName: 'RIPE NCC', product: 'LIR Portal', source: 'RIPE' },
  common,
  breached: { holds: password => Promise.resolve(password === 'sold on a forum in spring') },
  accountNamesOf: () => Promise.resolve([]),
});
const context = {
  username: 'corin',
  email: 'c.achterberg@example-au.example',
  fullName: 'Corin Achterbérg',
  accountNames: ['NLCORIN-HOSTING'],
};
const problemOf = (password: string, secondFactor = false): Promise<string | null> => policy.problemOf(password, { secondFactor, context });

describe('a password', () => {
  test.each([
    ['', 'Enter a password. Choose one of at least 15 characters.'],
    ['a', 'This password has 1 character.'],
    ['ripeadmin', 'This password has 9 characters.'],
    ['just 14 of them', null],
    ['only 14 chars.', 'This password has 14 characters. Choose one of at least 15.'],
    ['ripeadmin123456', 'This password is mostly a name'],
    ['RipeAdmin-2024!!', 'This password is mostly a name'],
    ['R1p3@dm1n__2024', 'This password is mostly a name'],
    ['admin lir portal', 'This password is mostly a name'],
    ['corinachterberg7', 'This password is mostly a name'],
    ['C0r1n.Acht3rb3rg', 'This password is mostly a name'],
    ['example-au.2026!', 'This password is mostly a name'],
    ['nlcorin hosting 1', 'This password is mostly a name'],
    ['password20252025', 'This password is too common'],
    ['christina 1978-09', 'This password is mostly a common word'],
    ['aaaaaaaaaaaaaaaaaaaa', 'This password repeats itself'],
    ['correctcorrectcorrect', 'This password repeats itself'],
    ['P4$$w0rdP4$$w0rd', 'This password repeats itself'],
    ['abcdefghijklmnopq', 'This password is a sequence'],
    ['9876543210/12345', 'This password is a sequence'],
    ['qwertyuiopasdfgh', 'This password is a sequence'],
    ['1qaz2wsx3edc4rfv', 'This password is too common'],
    ['zaq12wsxcde34rfv', 'This password is a sequence'],
    ['Administrator2024', 'This password is too common'],
    ['!lovey0u!lov3you7', 'This password is too common'],
    ['christopher1978!', 'This password is too common'],
    ['summer2024winter', 'This password is mostly a common word'],
    ['sold on a forum in spring', 'This password appeared in a data breach'],
    ['correct horse battery staple', null],
    ['my dog eats purple bananas', null],
    ['x9$Kbzw7Qz!m2&Vt', null],
    ['83059274610382640', null],
    ['密码安全测试一二三四五六七八九十', null],
    ['🐨🐭🐊🦆🐍🕷🐙🦑🐬🐳🐋🦈🐟🐠🐡', null],
    ['ünter dem Eis ruhen Otter', null],
    ['a portal for my purple otters', null],
  ])('"%s"', async (password, reason) => {
    const words = await problemOf(password);
    if (reason === null) expect(words).toBeNull();
    else expect(words).toMatch(new RegExp(`^${reason.replaceAll(/[.]/g, '\\.')}`));
  });

  test('may have twelve characters next to a second factor', async () => {
    expect(await problemOf('otters river', true)).toBeNull();
    expect(await problemOf('otter river', true)).toContain('at least 12');
    expect(policy.words(true)).toContain('12');
    expect(policy.words(false)).toContain('15');
  });

  test('may have 256 characters, counted as composed code points', async () => {
    const long = Array.from({ length: 256 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 5000))).join('');
    expect(await problemOf(long)).toBeNull();
    expect(await problemOf(`${long}x`)).toContain('more than 256');
    expect(await problemOf('e\u0301'.repeat(14))).toContain('14 characters');
    const decomposed = Array.from(
      { length: 256 },
      (_, i) => `${'aeiou'[(i * 3) % 5]}${['\u0301', '\u0300', '\u0302'][(i * 7 + (i >> 3)) % 3]}`,
    ).join('');
    expect(await problemOf(decomposed)).toBeNull();
  });

  test('made at random is accepted, except for one in a hundred', async () => {
    const refused = [];
    for (let i = 0; i < 300; i++) {
      const words = await problemOf(randomBytes(15).toString('base64url'));
      if (words !== null) refused.push(words);
    }
    expect(refused.length).toBeLessThan(10);
  });

  test('can be any text, and never causes an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async text => {
        const words = await problemOf(text);
        if (Array.from(text.normalize('NFC')).length < 15) expect(words).toContain('Choose one of at least 15');
        else expect(words === null || words.endsWith('.')).toBe(true);
      }),
    );
  });

  test.each([...common.passwords].filter((_, i) => i % 400 === 0))('tried by everybody is refused: "%s"', async password => {
    expect(await problemOf(password.padEnd(16, '7'))).not.toBeNull();
    expect(await problemOf(password, true)).not.toBeNull();
  });
});

test('the list of common passwords has at least 3,000 of 12 characters and more, each in the form it is looked up in', () => {
  expect(common.passwords.size).toBeGreaterThanOrEqual(3000);
  for (const password of common.passwords) {
    expect(Array.from(password).length).toBeGreaterThanOrEqual(12);
    expect(password).toBe(password.normalize('NFC').toLowerCase());
  }
});

describe('the file of stolen passwords', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'breached-'));
  });
  afterAll(() => fs.rm(folder, { recursive: true }));

  const digest = (password: string): string => createHash('sha1').update(password).digest('hex').toUpperCase();
  const fileOf = async (lines: readonly string[], end = '\n'): Promise<string> => {
    const file = path.join(folder, randomBytes(6).toString('hex'));
    await fs.writeFile(file, lines.map(line => line + end).join(''));
    return file;
  };

  test.each([
    ['with counts and CRLF, as it is downloaded', '\r\n', (line: string, i: number) => `${line}:${(i * 7919) % 100_000}`],
    ['without counts', '\n', (line: string) => line],
    ['in small letters', '\n', (line: string) => line.toLowerCase()],
  ])('is searched %s', async (_name, end, form) => {
    const stolen = Array.from({ length: 3000 }, (_, i) => `stolen ${i}`);
    const file = await fileOf(stolen.map(digest).toSorted().map(form), end);
    const list = await openBreachedPasswords(file);
    try {
      for (const password of stolen) expect(await list.holds(password)).toBe(true);
      for (let i = 0; i < 500; i++) expect(await list.holds(`kept ${i}`)).toBe(false);
    } finally {
      await list.close();
    }
  });

  test.each([1, 2, 3, 60, 100])('is searched with %i lines, and without an end of the last', async many => {
    const stolen = Array.from({ length: many }, (_, i) => `stolen ${i}`);
    const file = path.join(folder, `few-${many}`);
    await fs.writeFile(file, stolen.map(digest).toSorted().join('\n'));
    const list = await openBreachedPasswords(file);
    for (const password of stolen) expect(await list.holds(password)).toBe(true);
    expect(await list.holds('kept')).toBe(false);
    await list.close();
  });

  test('is none by default', async () => {
    expect(await (await openBreachedPasswords('')).holds('password')).toBe(false);
  });

  test('must be there, sorted, and of digests; what is wrong is said', async () => {
    const sorted = Array.from({ length: 1000 }, (_, i) => digest(`stolen ${i}`)).toSorted();
    await expect(openBreachedPasswords('/nowhere/breached.txt')).rejects.toThrow(
      'BREACHED_PASSWORDS_FILE: /nowhere/breached.txt cannot be read (there is no such file).',
    );
    await expect(openBreachedPasswords(folder)).rejects.toThrow(/^BREACHED_PASSWORDS_FILE: .* is no file\.$/);
    await expect(openBreachedPasswords(await fileOf([]))).rejects.toThrow('is empty');
    await expect(openBreachedPasswords(await fileOf(sorted.toReversed()))).rejects.toThrow('is not sorted');
    await expect(openBreachedPasswords(await fileOf(['password', 'qwerty']))).rejects.toThrow('has a line at byte 0 that is no SHA-1');
  });
});
