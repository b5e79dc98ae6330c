import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { DAY_MS } from '@portal/contract/days';
import { mergeRuntime } from '../merge-runtime.ts';
import { writePageFiles } from './page-files.ts';
import { type ReadAddresses, readAddressesIn } from './page-reads.ts';
import { root } from '../root.ts';
import { hashWebSources } from './web-sources.ts';

const built = path.join(root, 'dist/web');
const draft = path.join(root, `dist/web-${process.pid}`);
/** The command registry among the assets. */
const commandSource = 'apps/registry-command/src/main.ts';
/** Read by apps/server/src/platform/http/web-pages.ts. */
const firstScriptFile = '.vite/first-script.js';
const stampFile = `${built}.sources`;

type BuiltFile = { name: string; bytes: number; brotli: number };

/** True if dist/web was built from the current sources. */
export async function isWebBuilt(): Promise<boolean> {
  const [stamp, hash] = await Promise.all([readFile(stampFile, 'utf8').catch(() => ''), hashWebSources()]);
  return stamp === hash;
}

/**
 * Builds all web apps into dist/web, with a brotli and a gzip copy beside every text asset. Vite runs in a separate process: it
 * takes about half a gigabyte that a server should not keep. The old build is replaced at the end, in one step; its assets stay for a day,
 * for open tabs and running servers.
 * @throws Error with Vite's message if the build fails; the old build stays.
 */
export async function buildWeb(): Promise<BuiltFile[]> {
  const hash = await hashWebSources();
  try {
    await mkdir(path.dirname(built), { recursive: true });
    await runVite(['--outDir', draft]);
    await mergeRuntime(draft);
    await writePageFiles(draft, await buildReads());
    await buildFirstScript();
    await buildCommand();
    const files = await compress();
    await copyOldAssets();
    await rm(stampFile, { force: true });
    await rm(built, { recursive: true, force: true });
    await rename(draft, built);
    await writeFile(stampFile, hash);
    return files;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Returns the addresses of what pages read first. */
async function buildReads(): Promise<ReadAddresses> {
  const folder = `${draft}-reads`;
  try {
    await runVite(['--config', path.join(root, 'tools/web/vite.page-reads.config.ts'), '--outDir', folder]);
    return await readAddressesIn(path.join(folder, 'page-reads.js'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bundles the first script, which the server inlines in the HTML, beside the other files it reads of a build. */
async function buildFirstScript(): Promise<void> {
  const folder = `${draft}-first`;
  try {
    await runVite(['--config', path.join(root, 'tools/web/vite.first-script.config.ts'), '--outDir', folder]);
    await cp(path.join(folder, 'first-script.js'), path.join(draft, firstScriptFile));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bundles the command registry into one file, which members download from the portal. */
async function buildCommand(): Promise<void> {
  const folder = `${draft}-command`;
  try {
    await runVite(['--config', path.join(root, 'apps/registry-command/vite.config.ts'), '--outDir', folder]);
    const content = await readFile(path.join(folder, 'registry.mjs'));
    const file = `assets/registry-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.mjs`;
    await writeFile(path.join(draft, file), content);
    const place = path.join(draft, '.vite/manifest.json');
    const manifest = JSON.parse(await readFile(place, 'utf8')) as Record<string, unknown>;
    await writeFile(place, JSON.stringify({ ...manifest, [commandSource]: { file } }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runVite(args: readonly string[]): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', ...args, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The web apps could not be built.\n${said.trim()}`);
  if (said.trim() !== '') console.error(said.trim());
}

async function copyOldAssets(): Promise<void> {
  const old = path.join(built, 'assets');
  const fresh = path.join(draft, 'assets');
  for (const name of await readdir(old).catch(() => [])) {
    const { mtimeMs } = await stat(path.join(old, name));
    if (Date.now() - mtimeMs < DAY_MS) await cp(path.join(old, name), path.join(fresh, name), { force: false, preserveTimestamps: true });
  }
}

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Fonts and pictures are compressed already. */
async function compress(): Promise<BuiltFile[]> {
  const entries = await readdir(draft, { withFileTypes: true, recursive: true });
  const texts = entries.filter(entry => entry.isFile() && /\.(js|css|svg)$/.test(entry.name));
  const files = await Promise.all(
    texts.map(async entry => {
      const file = path.join(entry.parentPath, entry.name);
      const content = await readFile(file);
      const [br, gz] = await Promise.all([
        brotli(content, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
        gzip(content, { level: 9 }),
      ]);
      await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
      return { name: path.relative(draft, file), bytes: content.length, brotli: br.length };
    }),
  );
  return files.sort((a, b) => b.brotli - a.brotli);
}

if (process.argv[1] === import.meta.filename) {
  try {
    const files = await buildWeb();
    for (const { name, bytes, brotli: packed } of files)
      console.log(`${(packed / 1000).toFixed(1).padStart(8)} KB brotli ${(bytes / 1000).toFixed(1).padStart(8)} KB  ${name}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
