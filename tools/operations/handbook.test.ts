import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../../apps/server/src/config.ts';
import { commands } from '../../apps/server/src/cli/commands.ts';
import { root } from '../root.ts';

const folder = path.join(root, 'docs/operating');
const pages = readdirSync(folder).map(name => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
const blocks = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, body]) => ({ name, kind, body: body! })),
);
const shell = blocks.filter(({ kind }) => kind === 'sh');

test('every block of commands says whether it was run', () => {
  expect(shell.length).toBeGreaterThan(3);
  expect(shell.filter(({ body }) => !/^# (?:Run|Not run)\b/.test(body)).map(({ name, body }) => `${name}: ${body}`)).toEqual([]);
});

test('every command of the operator that the handbook names exists', () => {
  const names = commands.map(({ name }) => name);
  const called = shell.flatMap(({ name, body }) =>
    [...body.replace(/^#.*$/gm, '').matchAll(/(?:^|[|&;] *|myregistry |npm run registry -- )registry ([a-z][a-z -]*[a-z])/gm)].map(
      ([, words]) => [name, words!] as const,
    ),
  );
  expect(called.length).toBeGreaterThan(2);
  expect(called.filter(([, words]) => !names.some(name => `${words} `.startsWith(`${name} `)))).toEqual([]);
});

test('every setting that the handbook names exists', () => {
  const known = new Set(Object.values(settings).map(({ name }) => name));
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:^|[`\s])([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?==)/gm)].map(([, setting]) => [name, setting!] as const),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(([, setting]) => !known.has(setting))).toEqual([]);
});

test('the first page leads to every other', () => {
  const { text } = pages.find(({ name }) => name === 'README.md')!;
  expect(pages.filter(({ name }) => name !== 'README.md' && !text.includes(`](${name})`)).map(({ name }) => name)).toEqual([]);
});
