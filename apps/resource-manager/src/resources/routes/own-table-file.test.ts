import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readOwnTable } from './own-table-file.ts';

const space = ['198.18.0.0/19', '2001:db8::/32'];

it('only lines inside the account’s space leave the browser, and unreadable ones, so that they are reported', async () => {
  const text = '% RIS\n64500\t198.18.5.0/24\t3\n64500\t8.8.8.0/24\t300\n2001:db8:5::/48 AS64500\n198.18.5.1/24 AS64500\nhello\n';
  expect(await readOwnTable(new Blob([text]), space)).toEqual({
    text: '64500\t198.18.5.0/24\t3\n2001:db8:5::/48 AS64500\n198.18.5.1/24 AS64500\nhello',
    inside: 4,
    outside: 1,
  });
});

it('a file compressed with gzip is unpacked', async () => {
  const file = new Blob([new Uint8Array(gzipSync('198.18.5.0/24,AS64500\n198.51.100.0/24,AS64500\n'))]);
  expect(await readOwnTable(file, space)).toMatchObject({ text: '198.18.5.0/24,AS64500', outside: 1 });
});

it('a file that is neither text nor an MRT table is refused', async () => {
  await expect(readOwnTable(new Blob([new Uint8Array([0, 1, 2, 3, 200, 201, 202])]), space)).rejects.toThrow(/ends within the head/);
});
