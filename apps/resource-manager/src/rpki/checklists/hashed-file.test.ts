import { expect, test } from 'vitest';
import { hashFiles } from './hashed-file.ts';

test('a file is hashed as sha256sum does, and loses a name that a checklist cannot carry', async () => {
  const { hashed, refused } = await hashFiles([new File(['abc'], 'letter.pdf'), new File(['abc'], 'Brief an Müller.pdf')]);
  expect(refused).toEqual([]);
  expect(hashed.map(({ name, sha256 }) => [name, sha256])).toEqual([
    ['letter.pdf', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [null, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ]);
});
