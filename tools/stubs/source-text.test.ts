import { describe, expect, test } from 'vitest';
import { declaring, importing, insertAtEnd, rowOf } from './source-text.ts';

describe('a line is put at the end of what a bracket opens', () => {
  test('past brackets inside, in text and in comments', () => {
    const text = "const rows = {\n  a: [{}], // not }\n  b: '}',\n};\nafter();\n";
    expect(insertAtEnd(text, 'const rows = {', '  c: 1,')).toBe("const rows = {\n  a: [{}], // not }\n  b: '}',\n  c: 1,\n};\nafter();\n");
  });

  test('with the comma that was missing', () => {
    expect(insertAtEnd('const types = [one];', 'const types = [', '  two,')).toBe('const types = [one,\n  two,\n];');
  });

  test('not at all when there is no such list', () => {
    expect(() => insertAtEnd('', 'const rows = {', '')).toThrow('"const rows = {" was not found');
  });
});

test('a row of a list ends where its own bracket closes', () => {
  const text = "const pages = {\n  one: page({ access: member('x', { staff: true }), path: '/one' }),\n  two: page({}),\n};";
  expect(rowOf(text, 'one')).toBe("\n  one: page({ access: member('x', { staff: true }), path: '/one' }),");
  expect(rowOf(text, 'three')).toBeUndefined();
});

describe('an import', () => {
  test('gains the names it lacks, in alphabetical order', () => {
    const text = "import { endpoint, group } from './endpoint.ts';\n";
    expect(importing(text, ['contact', 'endpoint'], './endpoint.ts')).toBe("import { contact, endpoint, group } from './endpoint.ts';\n");
  });

  test('of types takes a value in as well', () => {
    const text = "import type { Read } from './index.ts';\n";
    expect(importing(text, ['open'], './index.ts')).toBe("import { open, type Read } from './index.ts';\n");
    expect(importing(text, ['type Change'], './index.ts')).toBe("import type { Change, Read } from './index.ts';\n");
  });

  test('that is missing is inserted in order: packages first, then files from the furthest to the nearest', () => {
    const text = "import { sql } from 'kysely';\nimport { b } from '../b.ts';\nimport { d } from './d.ts';\n\ncode();\n";
    expect(importing(text, ['a'], '../../a.ts')).toBe(text.replace('import { b }', "import { a } from '../../a.ts';\nimport { b }"));
    expect(importing(text, ['* as z'], 'zod')).toBe(text.replace('import { b }', "import * as z from 'zod';\nimport { b }"));
    expect(importing(text, ['type E'], './e.ts')).toBe(text.replace('\ncode', "import type { E } from './e.ts';\n\ncode"));
    expect(importing('code();', ['a'], './a.ts')).toBe("import { a } from './a.ts';\ncode();");
  });
});

test('a module declares one more of what it has, or the first', () => {
  expect(declaring("const m: Module = { name: 'm', tasks: [one] };", 'tasks', 'two')).toContain('tasks: [one,\n    two,\n]');
  expect(declaring("const m: Module = { name: 'm' };", 'tasks', 'one')).toContain("name: 'm',\n  tasks: [one],\n}");
});
