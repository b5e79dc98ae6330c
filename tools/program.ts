import { globSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyProgram } from './program-files.ts';
import { root } from './root.ts';
import { runProgram } from './steps.ts';
import { buildWeb, isWebBuilt } from './web/build-web.ts';

/**
 * `npm run program -- FOLDER`: writes what a machine needs that runs the program, with its dependencies and its own Node.js, and a list of all parts
 * (`sbom.cdx.json`, CycloneDX).
 */
async function writeProgram(folder: string): Promise<void> {
  if (!(await isWebBuilt())) {
    console.log('Building the web apps …');
    await buildWeb();
  }
  await copyProgram(folder);
  console.log('Installing its dependencies from the lock …');
  // The workspaces are there as manifests; what the server does not need is not installed.
  const parts = ['--omit=dev', '--workspace=apps/server', '--include-workspace-root'];
  await npm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...parts);
  await removeUnread(path.join(folder, 'node_modules'));
  // Of the lock, so that what was built into the web apps is in it.
  const list = await npm(root, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--omit=dev');
  await writeFile(path.join(folder, 'sbom.cdx.json'), list);
  console.log(`${folder} has the program: ${path.join(folder, 'bin/myregistry')} serve`);
}

/** Packages that npm installs because a library would take them if they were there. */
const optional = ['typescript', '@typescript', 'react', 'react-dom', '@types'];

/** Removes what no running program reads: headers and manuals of Node.js, types, source maps, and compilers that libraries could use. */
async function removeUnread(modules: string): Promise<void> {
  const unread = [
    ...globSync('node*/{include,share,CHANGELOG.md,README.md}', { cwd: modules }).filter(name =>
      /^node(-bin)?-(darwin|linux|win)/.test(name),
    ),
    ...globSync('**/*.{d.ts,d.mts,d.cts,map}', { cwd: modules, exclude: name => name === '@portal' }),
    ...optional,
  ];
  for (const name of unread) await rm(path.join(modules, name), { recursive: true, force: true });
}

async function npm(folder: string, ...args: string[]): Promise<string> {
  // Under npm its own program is known; run by hand, npm is looked for on PATH.
  const own = process.env.npm_execpath;
  const [program, ...first] = own ? [process.execPath, own] : ['npm'];
  const { passed, output } = await runProgram(program!, [...first, '--prefix', folder, ...args], { from: folder });
  if (!passed) throw new Error(`npm ${args[0]} failed:\n${output}`);
  return output;
}

const [folder] = process.argv.slice(2);
try {
  if (!folder) throw new Error('Name the folder to write to: npm run program -- /opt/myregistry');
  await writeProgram(path.resolve(root, folder));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
