import { describe, expect, test } from 'vitest';
import { brokenBorders, circles, importsOf } from './import-rules.ts';

const modules = 'apps/server/src/modules';
const broken = (from: string, to: string, external = false): string[] => brokenBorders({ from, to, external, line: 1 });

describe('an import is refused', () => {
  test.each([
    ['from one app to another', 'apps/portal/src/main.tsx', 'apps/server/src/config.ts', 'direction'],
    ['from a package to an app', 'packages/ui/src/Table.tsx', 'apps/portal/src/main.tsx', 'direction'],
    ['against the direction of packages', 'packages/ui/src/Table.tsx', 'packages/contract/src/index.ts', 'direction'],
    ['from the platform to a module', 'apps/server/src/platform/http/http.ts', `${modules}/identity/index.ts`, 'platform knows no module'],
    ['of a module further down the line-up', `${modules}/accounts/accounts.ts`, `${modules}/resources/index.ts`, 'line-up'],
    ['past the door of a module', `${modules}/resources/delegations.ts`, `${modules}/accounts/accounts.ts`, 'through the door'],
    ['from one web folder to another', 'apps/portal/src/home/HomePage.tsx', 'apps/portal/src/billing/fees.ts', 'web folders'],
    ['of a test by the program', 'apps/server/src/app.ts', 'apps/server/test/portal.ts', 'tests stay apart'],
  ])('%s', (_, from, to, border) => {
    expect(broken(from, to)).toEqual([expect.stringContaining(`(${border}: `)]);
  });

  test.each([
    ['pg', `${modules}/resources/delegations.ts`],
    ['fastify', `${modules}/resources/routes.ts`],
    ['oidc-provider', 'apps/server/src/app.ts'],
    ['node:fs', 'packages/contract/src/index.ts'],
  ])('of %s from %s', (name, from) => {
    expect(broken(from, name, true)).toHaveLength(1);
  });
});

test.each([
  ['apps/portal/src/main.tsx', 'packages/contract/src/index.ts'],
  [`${modules}/resources/delegations.ts`, `${modules}/accounts/index.ts`],
  [`${modules}/resources/resources.test.ts`, 'apps/server/test/portal.ts'],
  ['apps/portal/src/home/HomePage.tsx', 'apps/portal/src/shell/TopBar.tsx'],
])('%s may import %s', (from, to) => {
  expect(broken(from, to)).toEqual([]);
});

test('imports are found whatever their form, types too, each with its line', () => {
  const text = `import type { A } from './root.ts';
import { b } from '@portal/contract/errors';
export * from './lock.ts';
const page = () => import('./nowhere.ts');
import z from 'zod/mini';`;
  expect(
    importsOf({ path: 'tools/example.ts', text }).map(({ to, line, external, unresolved }) => ({ to, line, external, unresolved })),
  ).toEqual([
    { to: 'tools/root.ts', line: 1, external: false },
    { to: 'packages/contract/src/errors.ts', line: 2, external: false },
    { to: 'zod', line: 5, external: true },
    { to: 'tools/lock.ts', line: 3, external: false },
    { to: 'tools/nowhere.ts', line: 4, external: false, unresolved: true },
  ]);
});

test('an import of a package leads to the file the package exports under that name', () => {
  const text = `import '@portal/app-kit'; import '@portal/app-kit/testing'; import '@portal/app-kit/form/ActForm'; import '@portal/ui/base.css';`;
  expect(importsOf({ path: 'apps/portal/src/App.tsx', text }).map(({ to }) => to)).toEqual([
    'packages/app-kit/src/index.ts',
    'packages/app-kit/test/member.tsx',
    expect.stringMatching(/^packages\/app-kit\/src\/(.+\/)?ActForm\.tsx$/),
    'packages/ui/src/base.css',
  ]);
  expect(broken('apps/portal/src/App.tsx', 'packages/app-kit/test/member.tsx')).toHaveLength(1);
  expect(broken('apps/portal/src/App.test.tsx', 'packages/app-kit/test/member.tsx')).toEqual([]);
});

test('a cycle is found and shown completely', () => {
  const edges = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'c', to: 'b' },
    { from: 'c', to: 'd' },
  ];
  expect(circles(edges)).toEqual([['b', 'c']]);
  expect(circles(edges.slice(0, 2))).toEqual([]);
});
