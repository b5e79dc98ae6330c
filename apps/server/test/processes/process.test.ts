import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandFlags } from '../../src/cli/command-flags.ts';
import { openDatabase, restore } from '../../src/platform/database/index.ts';
import { inherited } from './inherited.ts';
import { serverProgram } from './worker-programs.ts';
import { throwawayPostgres } from '../database/throwaway-postgres.ts';

const postgres = await throwawayPostgres({ inMemory: true });
/** A folder with the demo registry, made once: initdb takes seconds, a copy does not. */
let demoDir: string;
let dataDir: string;
let running: ChildProcess[] = [];
type Started = { child: ChildProcess; output: string; code: number | null };
beforeAll(async () => {
  dataDir = demoDir = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-process-'));
  expect((await command(['demo', 'load'])).output).toContain('Loaded.');
});
afterAll(async () => {
  await fs.rm(demoDir, { recursive: true, force: true });
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

/**
 * Starts the program; resolves when it says it is ready, or with its exit code and what it said. @param flags of Node.js: like commands, most of these servers end
 * before a faster database pays, which is a third of what a start costs
 */
async function start(args: string[], environment: Record<string, string>, flags: readonly string[] = commandFlags): Promise<Started> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...flags, serverProgram, ...args], {
    env: { ...inherited, NODE_ENV: 'test', DATA_DIR: dataDir, ...environment },
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

/** Writes a statistics file of this registry with one delegation: all others would be closed. */
async function shorterFile(folder: string, { without = false } = {}): Promise<string> {
  const file = path.join(folder, 'delegated-example');
  const records = [
    'example|AU|ipv4|198.18.0.0|8192|20210302|allocated',
    // With a part that the demo's requests move: these can't go.
    'example|NZ|ipv4|192.0.2.0|256|20230719|assigned',
    'example|AU|ipv4|198.18.64.0|768|20221114|allocated',
  ].slice(0, without ? 1 : 3);
  const head = [`2|example|20261121|${records.length}|19940830|20261121|+1000`, `example|*|ipv4|*|${records.length}|summary`];
  await fs.writeFile(file, `${[...head, ...records].join('\n')}\n`);
  return file;
}
const openDelegations = async (): Promise<string> => /(\d+) delegations?/.exec((await command(['status'])).output)![1]!;

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
/** Runs the command at a terminal with this typed input. */
async function atTerminal(words: string[], typed: string): Promise<{ code: number | null; output: string }> {
  const line = [process.execPath, '--disable-warning=ExperimentalWarning', ...commandFlags, serverProgram, 'registry', ...words].join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { ...inherited, NODE_ENV: 'test', DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.push(child);
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.endsWith('[y/N] ')) child.stdin!.write(typed);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('a running server', () => {
  let folder: string;
  let port: string;
  let server: Started;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-process-'));
    await fs.cp(demoDir, folder, { recursive: true });
    port = String(await freePort());
    server = await start(['serve'], { ...worker, DATA_DIR: folder, PORT: port });
    // The server outlives a test.
    running = running.filter(child => child !== server.child);
    expect(server.code).toBeNull();
  });
  afterAll(async () => {
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    await fs.rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await fs.rm(dataDir, { recursive: true, force: true });
    dataDir = folder;
  });
  afterEach(() => {
    // What is removed after each test is the folder of that test.
    dataDir = path.join(os.tmpdir(), 'portal-process-none');
  });

  test('has its folder for itself: a second process is refused with a sentence, a command that replaces everything too', async () => {
    const second = await start(['serve'], worker);
    expect(second.code).toBe(1);
    expect(second.output.trim()).toContain(`process ${server.child.pid}`);
    expect(second.output.trim().split('\n')).toHaveLength(1);
    expect(await command(['demo', 'reset', '--yes'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('stop that process first'),
    });
  });

  test('runs commands, over a socket only its user can open', async () => {
    const socket = await fs.stat(path.join(folder, 'commands.sock'));
    expect(socket.isSocket()).toBe(true);
    expect(socket.mode & 0o777).toBe(0o600);

    expect(await command(['status'])).toMatchObject({ code: 0, output: expect.stringContaining('19 accounts') });
    const disabled = await command(['login', 'disable', 'bill']);
    expect(disabled).toMatchObject({ code: 0, output: expect.stringContaining('bill can no longer sign in') });
    expect(await command(['token', 'bill'])).toMatchObject({ code: 1, output: 'The login "bill" is disabled.\n' });

    const file = path.join(folder, 'running.backup');
    expect((await command(['backup', file])).code).toBe(0);
    const restored = await openDatabase({ url: 'memory://' });
    try {
      await restore(restored, file);
      const logins = await restored.read
        .selectFrom('login')
        .select(['username', 'disabledAt'])
        .where('username', 'in', ['bill', 'corin'])
        .execute();
      expect(
        logins
          .map(({ username, disabledAt }) => [username, disabledAt !== null])
          .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      ).toEqual([
        ['bill', true],
        ['corin', false],
      ]);
      const { accounts } = await restored.read.selectFrom('account').select(sql<string>`count(*)`.as('accounts')).executeTakeFirstOrThrow();
      expect(Number(accounts)).toBe(19);
    } finally {
      await restored.close();
    }
  });

  test('opens no port without the role web and HEALTH_PORT', async () => {
    for (const address of ['127.0.0.1', '[::1]'])
      for (const path of ['/healthz', '/readyz', '/metrics'])
        await expect(fetch(`http://${address}:${port}${path}`)).rejects.toThrow('fetch failed');
    if (process.platform !== 'linux') return;
    const sockets = await fs.readdir(`/proc/${server.child.pid}/fd`);
    const inodes = new Set(
      (await Promise.all(sockets.map(fd => fs.readlink(`/proc/${server.child.pid}/fd/${fd}`).catch(() => '')))).flatMap(
        link => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [],
      ),
    );
    const LISTENING = '0A';
    for (const table of ['tcp', 'tcp6']) {
      const lines = (await fs.readFile(`/proc/net/${table}`, 'utf8')).split('\n').map(line => line.trim().split(/\s+/));
      expect(lines.filter(([, , , state, , , , , , inode]) => state === LISTENING && inodes.has(inode!))).toEqual([]);
    }
  });

  test('a token opens its API as that person; one for an unknown person is refused with one line', async () => {
    const { output } = await command(['token', 'corin', '--mfa']);
    const claims = JSON.parse(Buffer.from(output.trim().split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
    expect(claims).toMatchObject({
      iss: `http://localhost:${port}/oidc`,
      aud: 'portal',
      azp: 'portal',
      amr: expect.arrayContaining(['mfa']),
    });
    const unknown = await command(['token', 'nobody']);
    expect(unknown.code).toBe(1);
    expect(unknown.output.trim()).toMatch(/^[^\n]*There is no login "nobody"[^\n]*$/);
  });

  test('is not harmed by the contents of a file that a command names', async () => {
    const damaged = path.join(folder, 'damaged.gz');
    await fs.writeFile(damaged, gzipSync('person: X\n'.repeat(1000)).subarray(0, 40));
    for (const [words, sentence] of [
      [['import', 'rpsl', damaged], 'The file is damaged'],
      [['import', 'rpsl', folder], 'is a folder'],
      [['import', 'statistics', damaged], 'the compressed file ends here, before its end'],
      [['import', 'statistics', folder], 'is a folder'],
      [['export', 'statistics', '--out', '/nowhere/out.txt'], 'There is no file or folder /nowhere/out.txt.'],
      [['backup', '/nowhere/out.backup'], 'There is no file or folder /nowhere/out.backup'],
      [['backup', damaged], 'exists already'],
    ] as const) {
      const answer = await command([...words]);
      expect(answer, words.join(' ')).toMatchObject({ code: 1, output: expect.stringContaining(sentence) });
      expect(answer.output, words.join(' ')).not.toMatch(/ {4}at |\bE[A-Z]{3,}\b|object Object/);
    }
    expect(server.child.exitCode).toBeNull();
    expect((await command(['status'])).code).toBe(0);
  });

  test.runIf(hasTerminal)(
    'asks through the command about a statistics file that closes delegations, and imports it after a yes',
    async () => {
      const file = await shorterFile(folder);
      const before = await openDelegations();
      expect(await command(['import', 'statistics', file])).toMatchObject({ code: 1, output: expect.stringContaining('Add --yes') });
      for (const typed of ['n\n', '\u0004']) {
        const answer = await atTerminal(['import', 'statistics', file], typed);
        expect(answer).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was imported.') });
      }
      expect(await openDelegations()).toBe(before);
      expect((await atTerminal(['import', 'statistics', file], 'y\n')).code).toBe(0);
      expect(await openDelegations()).toBe('3');
    },
  );
});

describe('the program', () => {
  test.runIf(postgres.server)('two that start together on one empty database both start, on one demo registry', async () => {
    const database = await postgres.server!.createDatabase();
    try {
      const environment = { ...worker, DATABASE_URL: database.url };
      const both = await Promise.all([1, 2].map(() => start(['serve'], environment)));
      expect(both.map(({ code, output }) => (code === null ? 'runs' : output))).toEqual(['runs', 'runs']);
      expect((await command(['status'], environment)).output).toContain('19 accounts');
      await Promise.all(
        both.map(async ({ child }) => {
          child.kill('SIGTERM');
          await once(child, 'exit');
        }),
      );
    } finally {
      await database.drop();
    }
  });

  test('killed in the middle it leaves a folder that the next process opens and backs up, and nothing is wrong with what is restored elsewhere', async () => {
    await withDemo();
    const killed = await start(['serve'], worker);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');

    const file = path.join(dataDir, 'registry.backup');
    expect((await command(['backup', file])).code).toBe(0);

    const elsewhere = { DATA_DIR: path.join(dataDir, 'elsewhere') };
    expect((await command(['restore', file], elsewhere)).code).toBe(0);
    const { output } = await command(['verify'], elsewhere);
    expect(output).toMatch(/^account {2,}19 /m);
    expect(output).toContain('Nothing is wrong.');
  });

  test('with the demo switched off it does not start over people whose passwords are public', async () => {
    await withDemo();
    const { code, output } = await start(['serve'], { ...worker, DEMO: 'off' });
    expect(code).toBe(1);
    expect(output).toContain('does not start with demo people, whose passwords are public: corin');
  });

  test('HEALTH_PORT answers for a process without the role web, until SIGTERM ends it cleanly', async () => {
    await withDemo();
    const [health, whois] = [await freePort(), await freePort()];
    // This one starts as in production.
    const { child } = await start(['serve'], { ROLES: 'worker,whois', HEALTH_PORT: String(health), WHOIS_PORT: String(whois) }, []);
    const at = (path: string) => fetch(`http://127.0.0.1:${health}${path}`);
    expect(await (await at('/healthz')).json()).toEqual({ status: 'ok' });
    for (const role of ['worker', 'whois']) {
      const answer = await at(`/readyz?role=${role}`);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { status: 'ready', problems: [], roles: { web: [], worker: [], whois: [] } },
      ]);
    }
    const metrics = await (await at('/metrics')).text();
    expect(metrics).toContain('unhandled_rejections_total 0');
    expect(metrics).toContain('whois_queries_total');
    expect((await at('/api/accounts')).status).toBe(404);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    await expect(at('/healthz')).rejects.toThrow('fetch failed');
    expect((await command(['status'])).code).toBe(0);
  });

  test.each([
    [{ PORT: 'eighty' }, 'The setting PORT ("eighty") must be a whole number'],
    [{ ROLES: 'web,waiter' }, 'The setting ROLES'],
    [{ WHOIS_PORT: '70000' }, 'The setting WHOIS_PORT ("70000") must be a whole number'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters'],
    [{ SECRET_KEY: 'x'.repeat(32) }, 'SECRET_KEY repeats a few characters'],
    [{ SECRET_KEY: 'ab'.repeat(32) }, 'SECRET_KEY repeats a few characters'],
    [{ DATABASE_URL: 'mysql://x' }, 'The setting DATABASE_URL must be an address'],
    [{ REGISTRY_PROFILE: '/nowhere.json' }, 'The registry profile /nowhere.json cannot be read'],
    [{ NODE_ENV: 'production', DEMO: 'on' }, 'DEMO=on cannot be used in production'],
    [{ NODE_ENV: 'production' }, 'SECRET_KEY must be set in production'],
    [
      { NODE_ENV: 'production', SECRET_KEY: 'a-secret-key-of-nobody-32-characters' },
      'APP_URL ("http://localhost:8080") must start with https://',
    ],
    [
      { NODE_ENV: 'production', SECRET_KEY: 'a-secret-key-of-nobody-32-characters', APP_URL: 'https://my.registry.test' },
      'REGISTRY_PROFILE must name a file in production',
    ],
  ])('%j stops the start with a sentence', async (environment, sentence) => {
    const { code, output } = await start(['serve'], environment as Record<string, string>);
    expect(code).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toContain('    at ');
  });

  test('the sentence contains no secrets', async () => {
    const { output } = await start(['serve'], { DATABASE_URL: 'mysql://user:hunter2@x' });
    expect(output).not.toContain('hunter2');
  });
});

describe('a statistics file that closes delegations', () => {
  test('is shown as a plan and refused without a terminal to ask, and imported with --yes', async () => {
    await withDemo();
    expect(await command(['import', 'statistics', await shorterFile(dataDir, { without: true }), '--yes'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /no longer lists numbers that requests are moving: .*198\.18\.64\.0 - 198\.18\.66\.255 of EXAMPLE-AU \(REQ-\d+\)/,
      ),
    });
    const file = await shorterFile(dataDir);
    const refused = await command(['import', 'statistics', file]);
    expect(refused.code).toBe(1);
    const closes = /It would add 0 delegations, change 0, and close (\d+):\n {2}\S/.exec(refused.output)![1];
    expect(refused.output).toMatch(/Nothing was imported: the file no longer lists \d+ delegations.*Add --yes to confirm\.\n$/);
    // As many as were to be closed: what was refused closed none.
    const done = await command(['import', 'statistics', file, '--yes']);
    expect(done).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Delegations  0 added, 0 changed, ${closes} closed, 3 as they were`),
    });
  });

  test.runIf(hasTerminal)('is asked about at a terminal, and imported after a yes only', async () => {
    await withDemo();
    // A no is given to a running server, and to `demo reset`.
    const imported = await atTerminal(['import', 'statistics', await shorterFile(dataDir)], 'y\n');
    expect(imported.output).toMatch(/and close \d+:\r\n(.*\r\n)+.*Import the file\? \[y\/N\] /);
    expect(imported).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Delegations {2}0 added, 0 changed, \d+ closed, 3 as they were/),
    });
  });
});

describe('the operator’s commands', () => {
  test.each([
    [['nonsense'], 2, '"nonsense" is not a command'],
    [['backup'], 1, '"backup" needs FILE'],
    [['backup', '--loud', 'x'], 1, '--help'],
    [['import', 'statistics', '/nowhere.gz'], 1, 'There is no file /nowhere.gz.'],
    [['demo', 'reset'], 1, 'Add --yes to confirm.'],
    [['keys', 'reseal'], 1, 'Set SECRET_KEY_OLD to the previous SECRET_KEY'],
  ])('%j is refused with one line', async (words, code, sentence) => {
    const answer = await command(words);
    expect(answer).toMatchObject({ code, output: expect.stringContaining(sentence) });
    expect(answer.output.trim().split('\n')).toHaveLength(1);
  });

  test.runIf(hasTerminal)('deleting everything is asked about at a terminal', async () => {
    expect(await atTerminal(['demo', 'reset'], 'n\n')).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was deleted.') });
  });

  test('help needs no settings', async () => {
    for (const words of [['--help'], ['verify', '--help'], []])
      expect(await command(words, { NODE_ENV: 'production', PORT: 'eighty' })).toMatchObject({ code: 0 });
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

  test('data encrypted with a SECRET_KEY are re-encrypted, and that key can be removed', async () => {
    await withDemo();
    const next = { SECRET_KEY: 'the-secret-key-after-of-32-characters-' };
    const resealed = await command(['keys', 'reseal'], { ...next, SECRET_KEY_OLD: 'demo-registry-not-for-production' });
    expect(resealed).toMatchObject({ code: 0, output: expect.stringMatching(/^Sealed again: signing keys 2, authenticator apps [1-9]/m) });
    expect((await command(['token', 'corin'], next)).output.trim()).toMatch(/^[^.\s]+\.[^.\s]+\.[^.\s]+$/);
  });
});
