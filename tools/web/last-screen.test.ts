import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';

const folder = 'packages/app-kit/src/screen';
const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(root, folder, file), 'utf8').matchAll(/^import (?!type )(.*) from '(.*)';$/gm)].map(([, , from]) => from!);

test('the code of the last screen imports nothing of the first script, which waits for it', () => {
  expect(importsOf('last-screen.ts')).toEqual(['./drawn.ts']);
  expect(importsOf('drawn.ts')).toEqual([]);
  expect(importsOf('screens.ts'), 'the reader of imports sees them').not.toEqual([]);
});
