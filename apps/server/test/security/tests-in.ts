import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

const root = path.join(import.meta.dirname, '../../../..');

/** Names of the tests that run in a file: those of `test` and `it`, each or not, but none that is skipped. */
export function testsIn(file: string): Set<string> {
  const text = readFileSync(path.join(root, file), 'utf8');
  expect(text, `${file} skips nothing`).not.toMatch(/\b(?:test|it|describe)\.(?:skip|todo)\b/);
  const titles = text.matchAll(
    /(?:(?<![\w.])(?:test|it)(?:\.(?:concurrent|only))?\(|[\])]\)?\()\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g,
  );
  return new Set([...titles].map(([, single, double, template]) => (single ?? double ?? template)!.replaceAll(/\\(.)/g, '$1')));
}
