import { expect, test } from 'vitest';
import { kindByName, tidyFileName } from './file-name.ts';

test.each([
  ['Agreement 2026.pdf', 'pdf', 'Agreement 2026.pdf'],
  ['C:\\fakepath\\scan.PDF', 'pdf', 'scan.pdf'],
  ['../../etc/passwd', 'pdf', 'passwd.pdf'],
  ['setup.exe', 'pdf', 'setup.pdf'],
  ['photo.JPEG', 'jpg', 'photo.jpeg'],
  ['photo.png', 'jpg', 'photo.jpg'],
  ['定款 変更後.pdf', 'pdf', '定款 変更後.pdf'],
  ['شهادة.pdf', 'pdf', 'شهادة.pdf'],
  // U+202E would show "fdp.exe" as "exe.pdf".
  ['invoice\u202efdp.exe', 'pdf', 'invoice fdp.pdf'],
  ['a\r\nContent-Type: text.pdf', 'pdf', 'a Content-Type text.pdf'],
  ['<b>"x"|y?*.docx', 'docx', 'b x y.docx'],
  ['.htaccess', 'pdf', 'file.pdf'],
  ['...', 'png', 'file.png'],
  ['', 'png', 'file.png'],
  ['CON.pdf', 'pdf', '_CON.pdf'],
  ['v1.2 final', 'pdf', 'v1.2 final.pdf'],
] as const)('%j of kind %s becomes %j', (given, kind, tidy) => {
  expect(tidyFileName(given, kind)).toBe(tidy);
});

test('a name of any length is shortened, keeping its extension and without splitting a character', () => {
  const tidy = tidyFileName(`${'𠮷'.repeat(400)}.docx`, 'docx');
  expect(Array.from(tidy)).toHaveLength(150);
  expect(tidy.endsWith('𠮷.docx')).toBe(true);
});

test('a name that is mostly dots costs no more than another', () => {
  const began = performance.now();
  expect(tidyFileName(`a${'.'.repeat(14_000)}x.pdf`, 'pdf')).toMatch(/\.x\.pdf$|x\.pdf$/);
  expect(kindByName(`a.pdf${' '.repeat(14_000)}x`)).toBeNull();
  expect(performance.now() - began).toBeLessThan(50);
});
