import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';

/** Folders of the project that a running program reads; the web apps are read as they were built. */
export const programFolders = [
  'apps/server',
  'dist/web',
  ...['api-client', 'ballots', 'contract', 'number-resources', 'rpki-objects', 'rpsl'].map(name => `packages/${name}`),
] as const;

/** Files that only tests and builds read. */
const forDevelopment = /(?:^|\/)(?:test|node_modules|bench\.ts|tsconfig[^/]*\.json)(?:\/|$)|\.test\.tsx?$/;

/** Returns whether a file of a program folder belongs to the program. @param file from the root, with slashes */
export const isOfProgram = (file: string): boolean => !forDevelopment.test(file);

/** Returns the manifests that npm compares with the lock: those of all workspaces, also of parts that are left out. */
const manifests = async (): Promise<string[]> => {
  const { workspaces } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  return [
    'package.json',
    'package-lock.json',
    ...globSync(
      workspaces.map(pattern => `${pattern}/package.json`),
      { cwd: root },
    ),
  ];
};

/**
 * Copies what a machine needs that runs the program, without its dependencies: the server, the packages it imports, the web apps as they were built, and
 * `ops/bin` as `bin`. @param folder a new or empty one, or one of an earlier copy, whose files are replaced
 * @throws Error if the web apps are not built
 */
export async function copyProgram(folder: string): Promise<void> {
  if (!existsSync(path.join(root, 'dist/web'))) throw new Error('The web apps are not built: run npm test -- build first.');
  await mkdir(folder, { recursive: true });
  const copy = async (from: string, to = from): Promise<void> => {
    await rm(path.join(folder, to), { recursive: true, force: true });
    await cp(path.join(root, from), path.join(folder, to), {
      recursive: true,
      filter: source => isOfProgram(path.relative(root, source).replaceAll(path.sep, '/')),
    });
  };
  for (const each of programFolders) await copy(each);
  for (const file of [...(await manifests()), 'LICENSE']) await copy(file);
  await copy('ops/bin', 'bin');
}
