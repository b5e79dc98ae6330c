import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sentenceOf } from './sentence.ts';

const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

const folder = os.tmpdir();
const nowhere = path.join(folder, 'nowhere', 'at-all');
const packed = gzipSync('a text');

test.each<[string, () => unknown, string]>([
  ['a file that is not there', () => fs.readFile(nowhere), `There is no file or folder ${nowhere}.`],
  ['a folder for a file', () => fs.writeFile(folder, ''), `${folder} is a folder; a file is needed.`],
  [
    'a gzip file cut off',
    () => gunzipSync(packed.subarray(0, 15)),
    'The file is damaged: it begins like a gzip file and ends before its end.',
  ],
  [
    'a gzip file with other bytes',
    () => gunzipSync(Buffer.concat([packed.subarray(0, 10), Buffer.alloc(20, 255)])),
    'The file is damaged: it begins like a gzip file and does not go on like one.',
  ],
  [
    'nobody at an address',
    () => new Promise((_resolve, reject) => net.connect({ port: 1, host: '127.0.0.1' }).on('error', reject)),
    'Nothing answers at 127.0.0.1:1 (ECONNREFUSED).',
  ],
  ['several reasons at once', () => Promise.reject(new AggregateError([new Error('First'), new Error('Second')])), 'First'],
  ['an object that is no error', () => Promise.reject({ errno: 69 } as unknown as Error), 'It failed without a reason ({"errno":69}).'],
])('%s is told in a sentence', async (_case, work, sentence) => {
  expect(sentenceOf(await thrownBy(work))).toBe(sentence);
});
