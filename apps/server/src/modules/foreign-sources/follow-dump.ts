import fs from 'node:fs/promises';
import path from 'node:path';
import { copyFile } from '../../adapters/mirrored-registry.ts';
import { breathing } from '../../platform/breathing.ts';
import { paragraphsIn, unpacked } from './bounded-files.ts';
import { type KeptObject, readForeignObject } from './kept-object.ts';
import { SourceProblem } from './source-problem.ts';

/** Bytes of one file, as it is sent. */
const MAX_BYTES = 4 * 2 ** 30;

/** Reads the serial that files go up to. It is read before them: changes that are in both are applied once more. @throws SourceProblem */
export async function readSerial(folder: string, address: string): Promise<number> {
  const file = path.join(folder, 'serial');
  await copyFile(address, file, { maxBytes: 1_000 });
  const text = (await fs.readFile(file, 'latin1')).trim();
  const serial = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(serial)) throw new SourceProblem(`${address} has no serial, which is one number.`);
  return serial;
}

/** The objects of files; `left` for one that isn't kept. */
export async function* dumpObjects(
  folder: string,
  addresses: readonly string[],
  source: string,
): AsyncGenerator<KeptObject | 'left', void, void> {
  const breathe = breathing();
  const file = path.join(folder, 'dump');
  for (const address of addresses) {
    await copyFile(address, file, { maxBytes: MAX_BYTES });
    for await (const text of paragraphsIn(unpacked(file), breathe)) {
      const object = await readForeignObject(text, source, breathe);
      if (object !== null) yield object;
    }
  }
}
