import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { commonParts, earlyParts, isPartOf, laterParts } from './common-parts.ts';
import { importsOf } from '../import-rules.ts';
import { root } from '../root.ts';

it('every part that the web build names exists', () => {
  const missing = [...commonParts, ...earlyParts, ...laterParts].filter(part => !existsSync(path.join(root, part)));
  expect(missing).toEqual([]);
});

it.each(['packages/ui/src/index.ts', 'packages/app-kit/src/index.ts'])('%s offers common parts only', index => {
  const imports = importsOf({ path: index, text: readFileSync(path.join(root, index), 'utf8') }).filter(({ external }) => !external);
  expect(imports.length).toBeGreaterThan(10);
  const heavy = imports.filter(({ to }) => to.startsWith(`${path.posix.dirname(index)}/`) && !isPartOf(commonParts, path.join(root, to)));
  expect(heavy).toEqual([]);
});

it('a heavy part is not a common one, nor is a file whose name only starts like one of their folders', () => {
  expect(isPartOf(commonParts, path.join(root, 'packages/ui/src/form/Field.module.css?used'))).toBe(true);
  expect(isPartOf(commonParts, path.join(root, 'packages/ui/src/table/DataTable.tsx'))).toBe(false);
  expect(isPartOf(commonParts, path.join(root, 'packages/ui/src/formats/Date.tsx'))).toBe(false);
  expect(isPartOf(commonParts, path.join(root, 'packages/app-kit/src/auth/auth.test.ts'))).toBe(false);
});
