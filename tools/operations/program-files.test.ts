import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isOfProgram, programFolders } from '../program-files.ts';
import { root, serverEnvironment, serverFlags } from '../root.ts';

const sources = programFolders
  .flatMap(folder => globSync(`${folder}/**/*.ts`, { cwd: root, exclude: name => name === 'node_modules' }))
  .map(file => file.replaceAll(path.sep, '/'))
  .filter(isOfProgram);
const isCopied = (file: string): boolean => isOfProgram(file) && programFolders.some(folder => file.startsWith(`${folder}/`));

/** Returns where a file imports from at run time: types are gone by then. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(path.join(root, file), 'utf8').matchAll(
      /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'|\bimport\('([^']+)'\)(?!\.)/gm,
    ),
  ].map(([, from, later]) => (from ?? later)!);

test('what the program imports is among its files', () => {
  expect(sources.length).toBeGreaterThan(1000);
  const missing = sources.flatMap(file =>
    importsOf(file).flatMap(from => {
      if (from.startsWith('.')) {
        const found = path.posix.join(path.posix.dirname(file), from);
        return isCopied(found) && existsSync(path.join(root, found)) ? [] : [`${file} imports ${from}`];
      }
      const [, ours] = /^@portal\/([\w-]+)/.exec(from) ?? [];
      return ours === undefined || programFolders.some(folder => folder === `packages/${ours}`) ? [] : [`${file} imports ${from}`];
    }),
  );
  expect(missing).toEqual([]);
});

test('tests and the tools around them stay behind', () => {
  expect(isOfProgram('apps/server/src/serve.ts')).toBe(true);
  expect(isOfProgram('apps/server/db/migrations/0001_activity.sql')).toBe(true);
  expect(isOfProgram('apps/server/src/modules/tasks/task-list.test.ts')).toBe(false);
  expect(isOfProgram('apps/server/test/surface.ts')).toBe(false);
  expect(isOfProgram('packages/rpsl/node_modules/x/index.js')).toBe(false);
});

test('the program starts with the flags and the environment of npm start', () => {
  const script = readFileSync(path.join(root, 'ops/bin/myregistry'), 'utf8');
  expect(script).toContain(`node" ${serverFlags.join(' ')} "`);
  for (const [name, value] of Object.entries(serverEnvironment({}))) expect(script).toContain(`${name}="\${${name}:-${value}}"`);
});

test('the health check says what answers, and ends with 1 where nothing does', () => {
  const check = (environment: Record<string, string>): unknown => {
    try {
      execFileSync(process.execPath, [path.join(root, 'ops/bin/health-check.mjs')], { env: environment, stdio: 'pipe' });
      return 0;
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: Buffer };
      return { status, said: stderr.toString() };
    }
  };
  // Nothing listens on port 1.
  expect(check({ ROLES: 'worker', HEALTH_PORT: '1' })).toEqual({
    status: 1,
    said: expect.stringMatching(/^Nothing answers at 127\.0\.0\.1:1\/healthz: /) as string,
  });
});
