// The entry point of every npm script. Plain JavaScript for any Node from 18 up: installs if needed, then starts the pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const bin = path.join(modules, '.bin');
const windows = process.platform === 'win32';

const fail = sentence => {
  console.error(sentence);
  process.exit(1);
};

/** True when npm's own record of what it installed agrees with the lock: nothing missing, nothing of another version. */
function isInstalled() {
  const packagesOf = file => JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  try {
    const lock = packagesOf(path.join(root, 'package-lock.json'));
    const installed = packagesOf(path.join(modules, '.package-lock.json'));
    const runsHere = ({ os: systems = process.platform, cpu = process.arch }) =>
      [systems].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
    const pinnedNodes = new Set(Object.keys(lock[''].optionalDependencies ?? {}).map(name => `node_modules/${name}`));
    return Object.entries(lock).every(([place, entry]) => {
      if (place === '' || !place.startsWith('node_modules/')) return true;
      if (entry.link) return isLinked(path.join(root, place), path.join(root, entry.resolved));
      const present = installed[place];
      if (!present) return entry.optional || entry.devOptional || entry.peer ? !(pinnedNodes.has(place) && runsHere(entry)) : false;
      return present.version === entry.version && present.integrity === entry.integrity;
    });
  } catch {
    return false;
  }
}

/** True when a package of ours can be found among the modules. A new one only needs its link, so npm is not asked for it. */
function isLinked(link, folder) {
  if (!fs.existsSync(link)) fs.symlinkSync(windows ? folder : path.relative(path.dirname(link), folder), link, 'junction');
  return true;
}

function install() {
  console.log('Installing dependencies …');
  // Under npm its own program is known; run by hand, npm is looked for on PATH.
  const [command, ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : [windows ? 'npm.cmd' : 'npm'];
  // The project's build and test tools are development dependencies: needed with NODE_ENV=production as well.
  const args = [...first, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: windows && first.length === 0 });
  if (error) fail(`npm could not be started (${error.message}). Install Node.js with npm, then try again.`);
  if (status !== 0) fail('The dependencies could not be installed; npm says why above.');
}

const isUsable = version => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
};

/** The Node the project pins, else the one that runs this, when it is new enough. */
function findNode() {
  const pinned = path.join(bin, windows ? 'node.cmd' : 'node');
  if (fs.existsSync(pinned)) {
    const { stdout, status } = spawnSync(pinned, ['-p', 'process.versions.node'], { encoding: 'utf8', shell: windows });
    if (status === 0 && isUsable(stdout.trim())) return pinned;
  }
  if (isUsable(process.versions.node)) return process.execPath;
  return fail(
    `The project's own Node.js does not run on ${process.platform}-${process.arch}, and the installed one is ${process.versions.node}. Install Node.js 24, or any from 22.18 up.`,
  );
}

const [name = '', ...given] = process.argv.slice(2);
// Called by hand, `check -- types` means what it means under npm, which keeps the dashes to itself.
const args = given[0] === '--' ? given.slice(1) : given;
const program = name === 'registry' ? 'apps/server/src/main.ts' : `tools/${name}.ts`;
if (!fs.existsSync(path.join(root, program))) fail(`There is no tool "${name}"; package.json lists them under "scripts".`);

if (!isInstalled()) install();
const node = findNode();
const child = spawn(node, ['--disable-warning=ExperimentalWarning', program, ...(name === 'registry' ? [name] : []), ...args], {
  cwd: root,
  stdio: 'inherit',
  shell: windows && node.endsWith('.cmd'),
  env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
});
child.on('error', error => fail(`${node} could not be started: ${error.message}`));
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => {
    // Ctrl-C in a terminal reaches the child itself; a second one would interrupt its clean shutdown.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
// If npm is told to end, it stops only its shell: without this the server would keep running.
if (process.env.npm_lifecycle_event && !windows) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 1)));
