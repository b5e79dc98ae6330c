import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printerIn } from './printing.ts';

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-printing-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const threadOf = async (name: string, lines: string): Promise<URL> => {
  const file = path.join(folder, `${name}.mjs`);
  await fs.writeFile(file, `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', paper => {\n${lines}\n});\n`);
  return pathToFileURL(file);
};

test('the document is returned, whatever Node reports of the thread before', async () => {
  const print = printerIn<string>(
    await threadOf(
      'watched',
      `parentPort.postMessage({ 'watch:import': ['file:///x'] }); parentPort.postMessage(new TextEncoder().encode(paper));`,
    ),
  );
  expect(await Promise.all(['one', 'two'].map(async text => Buffer.from(await print(text)).toString()))).toEqual(['one', 'two']);
});

test('a thread that fails, or ends without a document, is an error, and the next document is printed', async () => {
  const print = printerIn<string>(
    await threadOf(
      'failing',
      `if (paper === 'fails') throw new Error('no such font'); if (paper === 'works') parentPort.postMessage(new Uint8Array([1])); else process.exit();`,
    ),
  );
  await expect(print('fails')).rejects.toThrow('no such font');
  await expect(print('ends')).rejects.toThrow('ended without a document');
  expect(await print('works')).toEqual(new Uint8Array([1]));
});

test('one thread typesets documents that follow one another', async () => {
  const print = printerIn<string>(
    await threadOf(
      'counting',
      `globalThis.printed = (globalThis.printed ?? 0) + 1; parentPort.postMessage(new Uint8Array([globalThis.printed]));`,
    ),
  );
  expect([await print('one'), await print('two')]).toEqual([new Uint8Array([1]), new Uint8Array([2])]);
});
