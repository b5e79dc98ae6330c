import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { lastRelease } from '../../../../tools/last-release.ts';
import { root } from '../../../../tools/root.ts';
import { inherited } from './inherited.ts';

const { version, commit } = await lastRelease();
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] });
type Lock = { packages: Record<string, { version?: string; integrity?: string; link?: boolean }> };

/** Why the program of the last release can't run here, or null. */
function obstacle(): string | null {
  let lock: Lock;
  try {
    lock = JSON.parse(git('show', `${commit}:package-lock.json`)) as Lock;
  } catch {
    return `the history with release ${version} (${commit.slice(0, 8)}) is not here`;
  }
  const ours = (JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock).packages;
  const other = Object.entries(lock.packages).find(
    ([place, { link, integrity }]) => place.startsWith('node_modules/') && !link && ours[place]?.integrity !== integrity,
  );
  return other ? `release ${version} has another ${other[0].replace('node_modules/', '')} than is installed here` : null;
}

export const lastReleaseHere = { version, commit, missing: obstacle() };

/** Writes the source of the last release to a folder, with links to the libraries that are installed here. */
export function unpackLastRelease(folder: string): void {
  const archive = path.join(folder, 'release.tar');
  git('archive', '--format=tar', `--output=${archive}`, commit, 'apps', 'packages', 'package.json', 'tools', 'dev');
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  fs.rmSync(archive);
  const [installed, linked] = [root, folder].map(each => path.join(each, 'node_modules'));
  fs.mkdirSync(path.join(linked!, '@portal'), { recursive: true });
  for (const name of fs.readdirSync(installed!))
    if (!name.startsWith('.') && name !== '@portal') fs.symlinkSync(path.join(installed!, name), path.join(linked!, name));
  // Its own packages stand beside it.
  for (const name of fs.readdirSync(path.join(installed!, '@portal')))
    fs.symlinkSync(fs.readlinkSync(path.join(installed!, '@portal', name)), path.join(linked!, '@portal', name));
}

/** Makes the smallest web build of a release, as its own tests do. @param tree the folder with its source */
export function webBuildOf(tree: string): string {
  const file = path.join(tree, 'apps/server/test/processes/smallest-web-build.ts');
  const script = `import { smallestWebBuild } from ${JSON.stringify(file)}; console.log(await smallestWebBuild());`;
  return execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script], {
    encoding: 'utf8',
  }).trim();
}

/** A process of a release, whose log is kept. */
export class ReleaseProgram {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #log = '';
  private constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#log += text));
    this.#ready = new Promise((resolve, reject) => {
      let said = '';
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('Ctrl-C stops it')) resolve();
      });
      child.once('close', () => reject(new Error(`${name} ended:\n${said}${this.#log}`)));
    });
    this.#ready.catch(() => {});
  }

  /** Starts one, and waits until it says that it is ready. @param tree the folder with its source */
  static async start(name: string, tree: string, webBuild: string, environment: Record<string, string>): Promise<ReleaseProgram> {
    const program = path.join(tree, 'apps/server/test/processes/serve-smallest.ts');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, webBuild], {
      env: { ...inherited, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new ReleaseProgram(name, child);
    await started.#ready;
    return started;
  }

  /** Lines of warnings and errors that it wrote. */
  get complaints(): string[] {
    return this.#log
      .split('\n')
      .filter(Boolean)
      .map(line => `${this.name}: ${line}`);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Stops it as an operator does. @returns its exit code */
  async stop(): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
