import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contract } from '../src/api.ts';
import { errorCatalogue } from '../src/errors.ts';

const source = path.join(import.meta.dirname, '../src');
const serverModules = path.join(import.meta.dirname, '../../../apps/server/src/modules');
const textOf = (...parts: string[]): string => fs.readFileSync(path.join(...parts), 'utf8');
const filesIn = (folder: string): string[] =>
  (fs.readdirSync(folder, { recursive: true }) as string[])
    .filter(file => /(?<!\.test)\.ts$/.test(file))
    .map(file => file.split(path.sep).join('/'));

const modules = fs
  .readdirSync(source, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name);
const files = modules.flatMap(module =>
  filesIn(path.join(source, module)).map(file => ({ module, file, text: textOf(source, module, file) })),
);
const groups = files.flatMap(({ module, file, text }) =>
  [...text.matchAll(/^export const (\w+) = group\('([^']*)'/gm)].map(([, name, id]) => ({
    module,
    file: file.slice(0, -'.ts'.length),
    name: name!,
    id,
  })),
);
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

test('a group is named after its module and file, so that an id says where to look', () => {
  expect(groups.length).toBeGreaterThan(40);
  for (const { module, file, id } of groups) expect(id).toBe(file === module ? camel(module) : `${camel(module)}.${camel(file)}`);
  expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length);
});

test('a group is implemented by the module that has its name', () => {
  for (const module of new Set(groups.map(group => group.module))) {
    const folder = path.join(serverModules, module);
    const routes = filesIn(folder)
      .map(file => textOf(folder, file))
      .join('\n');
    for (const { name } of groups.filter(group => group.module === module))
      expect(routes, `${module}: ${name}`).toMatch(new RegExp(`implement\\(\\s*${name},`));
  }
});

test('every module lists all its files, and the contract all modules', () => {
  const api = textOf(source, 'api.ts');
  for (const module of modules) {
    const index = textOf(source, module, 'index.ts');
    for (const { file } of files.filter(each => each.module === module && !['index.ts', 'errors.ts'].includes(each.file)))
      expect(index, `${module}/index.ts`).toContain(`export * from './${file}';`);
    expect(api).toContain(`import * as ${camel(module)} from './${module}/index.ts';`);
  }
});

test('no two modules export the same name: one would hide the other', () => {
  const names = files
    .filter(({ file }) => file !== 'errors.ts')
    .flatMap(({ module, text }) => [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => `${name} of ${module}`));
  const twice = [...Map.groupBy(names, name => name.split(' ')[0]!).values()].filter(same => same.length > 1);
  expect(twice).toEqual([]);
  for (const { name } of groups) expect(contract).toHaveProperty(name);
});

test('every refusal is listed once', () => {
  const codes = [{ text: textOf(source, 'request-errors.ts') }, ...files.filter(({ file }) => file === 'errors.ts')].flatMap(({ text }) =>
    [...text.matchAll(/^ {2}([A-Z_]+): \{/gm)].map(([, code]) => code!),
  );
  expect(codes.sort()).toEqual(Object.keys(errorCatalogue).sort());
});
