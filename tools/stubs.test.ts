import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from './root.ts';
import { importing, insertAtEnd, stubs } from './stubs.ts';

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

test('an import gains the names it lacks, once', () => {
  const text = "import { endpoint, group } from './endpoint.ts';\n";
  expect(importing(text, ['contact', 'endpoint'], './endpoint.ts')).toBe("import { endpoint, group, contact } from './endpoint.ts';\n");
  expect(importing('code();', ['a'], './a.ts')).toBe("import { a } from './a.ts';\ncode();");
});

/** The sources in a folder of their own, with the packages installed here but our own packages taken from the copy. */
function copyOfSources(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'portal-stubs-'));
  for (const part of ['apps', 'packages', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'package.json'])
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  const modules = path.join(copy, 'node_modules');
  mkdirSync(path.join(modules, '@portal'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')).filter(entry => entry !== '@portal'))
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  for (const name of readdirSync(path.join(copy, 'packages')))
    symlinkSync(path.join(copy, 'packages', name), path.join(modules, '@portal', name));
  return copy;
}

/** What the compiler says about these files of the copy. */
function complaints(copy: string, files: readonly string[]): string[] {
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  return ['tsconfig.json', 'tsconfig.web.json'].flatMap(config => {
    const { stdout } = spawnSync(compiler, ['-p', config, '--pretty', 'false'], { cwd: copy, encoding: 'utf8' });
    return stdout.split('\n').filter(line => files.some(file => line.startsWith(`${file}(`)));
  });
}

describe('in a copy of the sources', () => {
  const copy = copyOfSources();
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const textOf = (file: string): string => readFileSync(path.join(copy, file), 'utf8');

  test('a module, an endpoint that reads, one that changes, a task and a page are written and type-check', async () => {
    const written = [
      await stubs.module(copy, ['sample-rooms']),
      await stubs.endpoint(copy, ['sample-rooms.listRooms']),
      await stubs.endpoint(copy, ['sample-rooms.closeRooms']),
      await stubs.endpoint(copy, ['contacts.greetContact']),
      await stubs.task(copy, ['sample-rooms.sweepRooms']),
      await stubs.page(copy, ['annualFeeCalculator', 'pages']),
      await stubs.page(copy, ['reverseDns', 'reverse-dns']),
    ];
    const files = [...new Set(written.flatMap(result => result.files))];

    expect(complaints(copy, files)).toEqual([]);
    expect(textOf('apps/server/src/modules/sample-rooms/routes.ts')).toContain(
      'closeRooms: ({ change, account }) => closeRooms(change, account)',
    );
    expect(textOf('apps/server/src/modules/sample-rooms/module.ts')).toContain('sweepRooms');
    expect(written.every(result => result.next.length > 0)).toBe(true);
  }, 60_000);

  test('nothing is overwritten', async () => {
    await expect(stubs.module(copy, ['contacts'])).rejects.toThrow('packages/contract/src/contacts/contacts.ts is there already');
  });

  test('a wrong name is refused with a right one', async () => {
    await expect(stubs.endpoint(copy, ['removeContact'])).rejects.toThrow('Name it like contacts.removeContact.');
    await expect(stubs.page(copy, ['noSuchPage', 'pages'])).rejects.toThrow('has no row "noSuchPage"');
  });
});
