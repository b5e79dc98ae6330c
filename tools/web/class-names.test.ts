import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownClassNames, scopedName } from './class-names.ts';

test.each([
  ['/repo/packages/ui/src/message/Badge.module.css', 'Badge_tile'],
  ['/repo/apps/portal/src/pages/Home.module.css', 'portal_Home_tile'],
])('a class of %s has the name of its application and its sheet', (file, name) => expect(scopedName('tile', file)).toBe(name));

/** Returns the module that stands for a sheet in the build. */
async function moduleOf(css: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'class-names-'));
  const sheet = path.join(folder, 'A.module.css');
  writeFileSync(sheet, css);
  const load = ownClassNames()[0]!.load as (this: { addWatchFile: (file: string) => void }, id: string) => string;
  try {
    return load.call({ addWatchFile: () => undefined }, `\0class-names:${sheet}.js`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a component puts the names of its classes together itself, and brings its sheet', async () => {
  const code = await moduleOf('.tile { color: red }');
  expect(code).toMatch(/^import ".*A\.module\.css";/);
  expect(code).toMatch(/new Proxy\(\{\}, \{ get: \(_, name\) => "A_" \+ name \}\);$/);
});

test('a sheet that composes classes is refused', () =>
  expect(moduleOf('.a { composes: b from "./B.module.css"; }')).rejects.toThrow('Use both classes'));
