import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breathing } from '../../platform/breathing.ts';
import { paragraphsIn, recordsIn, unpacked } from './bounded-files.ts';
import { LONGEST_OBJECT } from './kept-object.ts';

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-files-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

async function all<Each>(generator: AsyncIterable<Each>): Promise<Each[]> {
  const found: Each[] = [];
  for await (const each of generator) found.push(each);
  return found;
}
async function* chunks(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const written = async (bytes: Buffer | string): Promise<string> => {
  const file = path.join(folder, crypto.randomUUID());
  await fs.writeFile(file, bytes);
  return file;
};
const paragraphs = (text: string | Buffer, size = 7) => all(paragraphsIn(chunks(text, size), breathing()));

describe('files of objects', () => {
  test.each([1, 2, 7, 1000])('are parted at empty lines, whatever the pieces of %i bytes', async size => {
    const text = '# head\r\n\r\nroute: a\r\n  \t \r\n\n\nroute: b\n+ ü\n\n';
    expect((await paragraphs(text, size)).map(each => each.trim())).toEqual(['# head', 'route: a', 'route: b\n+ ü']);
  });
  test('are read as UTF-8, and as Latin-1 where they aren’t', async () => {
    expect(await paragraphs(Buffer.from('descr: Größe\n', 'latin1'))).toEqual(['descr: Größe\n']);
  });
  test('that end in the middle of a line, or have an object without end, are refused', async () => {
    await expect(paragraphs('route: a\n\nroute: b')).rejects.toThrow('A file ends in the middle of a line.');
    await expect(paragraphs(`descr: ${'x'.repeat(LONGEST_OBJECT)}\n`, 65_536)).rejects.toThrow(
      'An object has more than 1000000 characters.',
    );
  });
});

describe('compressed files', () => {
  const text = Buffer.from('route: a\n\n'.repeat(10_000));
  test('are unpacked by their first bytes', async () => {
    expect(Buffer.concat(await all(unpacked(await written(gzipSync(text)))))).toEqual(text);
    expect(Buffer.concat(await all(unpacked(await written(text))))).toEqual(text);
    expect(await all(unpacked(await written('')))).toEqual([]);
  });
  test('that are cut off, damaged or unpack without end are refused', async () => {
    const packed = gzipSync(text);
    await expect(all(unpacked(await written(packed.subarray(0, packed.length / 2))))).rejects.toThrow('ends in the middle, or is damaged');
    const damaged = Buffer.from(packed);
    damaged[damaged.length - 6]! ^= 1;
    await expect(all(unpacked(await written(damaged)))).rejects.toThrow('ends in the middle, or is damaged');
    await expect(all(unpacked(await written(packed), 50_000))).rejects.toThrow('A file has more than 50000 bytes once it is unpacked.');
  });
});

describe('JSON text sequences', () => {
  const records = (text: string, size = 5) => all(recordsIn(chunks(text, size), breathing()));
  test.each([1, 5, 1000])('are read one record after the other, whatever the pieces of %i bytes', async size => {
    expect(await records('\u001e{"a":"ü"}\n\u001e[1]\n', size)).toEqual([{ a: 'ü' }, [1]]);
    expect(await records('', size)).toEqual([]);
  });
  test.each([
    ['{"a":1}\n', 'doesn’t begin with a record'],
    ['\u001e{"a":1}\n\u001e{"a"', 'ends in the middle of a record'],
    ['\u001e{"a":1}\n\u001enothing\n', 'isn’t JSON'],
  ])('%j is refused', async (text, sentence) => {
    await expect(records(text)).rejects.toThrow(sentence);
  });
});
