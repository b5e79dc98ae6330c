import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const main = path.join(import.meta.dirname, '../src/main.ts');
/** A folder with the demo registry, made once: initdb takes seconds, a copy does not. */
let demoDir: string;
/** What one start has compiled the next ones need not. */
let compiled: string;
let dataDir: string;
let running: ChildProcess[] = [];
beforeAll(async () => {
  compiled = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-compiled-'));
  dataDir = demoDir = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-process-'));
  expect((await command(['demo', 'load'])).output).toContain('Loaded.');
});
afterAll(async () => {
  for (const folder of [demoDir, compiled]) await fs.rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-process-'));
});
const withDemo = (): Promise<void> => fs.cp(demoDir, dataDir, { recursive: true });
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(running.filter(child => child.exitCode === null && child.signalCode === null).map(child => once(child, 'exit')));
  running = [];
  await fs.rm(dataDir, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the program; resolves when it says it is ready, or with its exit code and what it said. */
async function start(
  args: string[],
  environment: Record<string, string>,
): Promise<{ child: ChildProcess; output: string; code: number | null }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', NODE_COMPILE_CACHE: compiled, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  return new Promise(resolve => {
    const heard = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Ctrl-C stops it')) resolve({ child, output, code: null });
    };
    child.stdout!.on('data', heard);
    child.stderr!.on('data', heard);
    child.once('close', code => resolve({ child, output, code }));
  });
}
const command = async (words: string[], environment: Record<string, string> = {}) => start(['registry', ...words], environment);

/** A worker needs no web build and no port. */
const worker = { ROLES: 'worker' };

describe('the program', () => {
  test('a second process on the same folder is refused with a sentence, a command too', async () => {
    await withDemo();
    const first = await start(['serve'], worker);
    expect(first.code).toBeNull();

    const second = await start(['serve'], worker);
    expect(second.code).toBe(1);
    expect(second.output.trim()).toContain(`process ${first.child.pid}`);
    expect(second.output.trim().split('\n')).toHaveLength(1);
    expect((await command(['status'])).code).toBe(1);
  });

  test('a process killed in the middle leaves a folder that the next one opens, with what was acknowledged', async () => {
    await withDemo();
    const killed = await start(['serve'], worker);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');

    const after = await command(['status']);
    expect(after.output).toContain('19 accounts');
    expect((await command(['verify'])).output).toContain('Nothing is wrong.');
  });

  test('SIGTERM ends it cleanly', async () => {
    await withDemo();
    const { child } = await start(['serve'], worker);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect((await command(['status'])).code).toBe(0);
  });

  test.each([
    [{ PORT: 'eighty' }, 'The setting PORT ("eighty") must be a whole number'],
    [{ ROLES: 'web,waiter' }, 'The setting ROLES'],
    [{ ROLES: 'publisher' }, 'ROLES=publisher has nothing to do in this version'],
    [{ WHOIS_PORT: '70000' }, 'The setting WHOIS_PORT ("70000") must be a whole number'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters'],
    [{ DATABASE_URL: 'mysql://x' }, 'The setting DATABASE_URL must be an address'],
    [{ REGISTRY_PROFILE: '/nowhere.json' }, 'The registry profile /nowhere.json cannot be read'],
    [{ NODE_ENV: 'production', DEMO: 'on' }, 'DEMO=on cannot be used in production'],
    [{ NODE_ENV: 'production' }, 'SECRET_KEY must be set in production'],
    [{ NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(32) }, 'APP_URL ("http://localhost:8080") must start with https://'],
  ])('%j stops the start with a sentence', async (environment, sentence) => {
    const { code, output } = await start(['serve'], environment as Record<string, string>);
    expect(code).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toContain('    at ');
  });

  test('what is secret is not in the sentence', async () => {
    const { output } = await start(['serve'], { DATABASE_URL: 'mysql://user:hunter2@x' });
    expect(output).not.toContain('hunter2');
  });
});

describe('the operator’s commands', () => {
  test.each([
    [['nonsense'], 2, '"nonsense" is not a command'],
    [['backup'], 1, '"backup" needs FILE'],
    [['backup', '--loud', 'x'], 1, '--help'],
    [['import', 'statistics', '/nowhere.gz'], 1, 'There is no file /nowhere.gz.'],
    [['demo', 'reset'], 1, 'Say --yes if that is meant.'],
    [['keys', 'reseal'], 1, 'Set SECRET_KEY_OLD to the key before SECRET_KEY'],
  ])('%j is refused with one line', async (words, code, sentence) => {
    const answer = await command(words);
    expect(answer).toMatchObject({ code, output: expect.stringContaining(sentence) });
    expect(answer.output.trim().split('\n')).toHaveLength(1);
  });

  test('a token for nobody is refused with one line', async () => {
    await withDemo();
    const { code, output } = await command(['token', 'nobody']);
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^[^\n]*There is no login "nobody"[^\n]*$/);
  });

  test('each has help', async () => {
    const overview = await command(['--help']);
    expect(overview.code).toBe(0);
    for (const name of [
      'status',
      'migrate',
      'backup',
      'restore',
      'verify',
      'import statistics',
      'export statistics',
      'token',
      'staff add',
      'login disable',
    ])
      expect(overview.output).toContain(name);
  });

  test('a backup goes back into an empty database, equal to the last row', async () => {
    await withDemo();
    const before = await command(['verify']);
    const file = path.join(dataDir, 'registry.backup');
    expect((await command(['backup', file])).code).toBe(0);

    const elsewhere = { DATA_DIR: path.join(dataDir, 'elsewhere') };
    expect((await command(['restore', file], elsewhere)).code).toBe(0);
    expect((await command(['verify'], elsewhere)).output).toBe(before.output);
    expect((await command(['restore', file], elsewhere)).code).toBe(1);
  });

  test('what was sealed with a SECRET_KEY is sealed anew, and that key can go', async () => {
    await withDemo();
    const next = { SECRET_KEY: 'the-secret-key-after-of-32-characters-' };
    const resealed = await command(['keys', 'reseal'], { ...next, SECRET_KEY_OLD: 'demo-registry-not-for-production' });
    expect(resealed).toMatchObject({ code: 0, output: expect.stringMatching(/^Sealed anew: signing keys 2, authenticator apps [1-9]/m) });
    expect((await command(['token', 'corin'], next)).output.trim()).toMatch(/^[^.\s]+\.[^.\s]+\.[^.\s]+$/);
  });

  test('a token opens the API as that person', async () => {
    const port = String(await freePort());
    await withDemo();
    const { output } = await command(['token', 'corin', '--mfa'], { PORT: port });
    const claims = JSON.parse(Buffer.from(output.trim().split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
    expect(claims).toMatchObject({
      iss: `http://localhost:${port}/oidc`,
      aud: 'portal',
      azp: 'portal',
      amr: expect.arrayContaining(['mfa']),
    });
  });
});
