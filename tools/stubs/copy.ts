import { cpSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../root.ts';

/** Makes a folder with the sources that stubs read and write. Returns where it is. */
export function copySources(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'portal-stubs-'));
  for (const part of ['apps', 'packages/contract']) cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  return copy;
}
