import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { MINUTE_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { heapFlagsFor } from '../../src/heap-limit.ts';
import { mintToken } from '../../src/modules/identity/index.ts';
import { freePort, throwawayPostgres } from '../database/throwaway-postgres.ts';
import { demoDatabase, type OpenedDatabase } from '../portal.ts';
import { inherited } from './inherited.ts';
import { smallestWebBuild } from './smallest-web-build.ts';
import { killProgram } from './worker-programs.ts';

const MEGABYTES = 1024;
/** People who send at the same time, and how many requests each of them. */
const people = ['corin', 'tess', 'bill', 'tilda', 'nils', 'hana', 'max', 'stella'];
const AT_A_TIME = 80;

type Answer = { status: number; headers: http.IncomingHttpHeaders; body: string };

const { server, reason } = await throwawayPostgres();
// Only Linux says what a process took at most.
const left = server === null ? reason : process.platform === 'linux' ? null : 'this is not Linux';
describe.skipIf(left !== null)(`a process with MEMORY_MEGABYTES${left === null ? '' : ` (left out: ${left})`}`, () => {
  let program: ChildProcess;
  let said = '';
  let port: number;
  let folders: string[];
  let database: OpenedDatabase;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    const [dataDir, webFolder] = (folders = await Promise.all([fs.mkdtemp(path.join(os.tmpdir(), 'portal-memory-')), smallestWebBuild()]));
    [database, port] = await Promise.all([demoDatabase('postgres'), freePort()]);
    const environment = {
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: String(port),
      ROLES: 'web',
      DEMO: 'on',
      MEMORY_MEGABYTES: String(MEGABYTES),
    };
    program = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        ...heapFlagsFor(MEGABYTES),
        path.join(import.meta.dirname, 'serve-smallest.ts'),
        webFolder!,
      ],
      { env: { ...inherited, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [program.stdout!, program.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const hasEnded = () => program.exitCode !== null || program.signalCode !== null;
    await vi.waitUntil(() => said.includes('Ctrl-C stops it') || hasEnded(), { timeout: 2 * MINUTE_MS, interval: 50 });
    if (hasEnded()) throw new Error(said);
    for (const name of people) tokens.set(name, await mintToken(database.db, readConfig(environment), name, { mfa: true }));
  });
  afterAll(async () => {
    await killProgram(program);
    await database.db.close();
    await database.drop();
    for (const folder of folders) await fs.rm(folder, { recursive: true, force: true });
  });

  /** Asks over a connection of its own. @returns null where it was cut: the sender of a body may not have read why it was refused */
  const ask = (url: string, { token, body }: { token?: string; body?: Buffer } = {}): Promise<Answer | null> =>
    new Promise(resolve => {
      const headers = {
        host: `localhost:${port}`,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
      };
      const request = http.request({ port, path: url, agent: false, method: body ? 'POST' : 'GET', headers }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
        response.once('error', () => resolve(null));
      });
      request.once('error', () => resolve(null));
      request.end(body);
    });
  /** The most that it took since its start, in MB. */
  const peak = async (): Promise<number> =>
    Number(/^VmHWM:\s+(\d+)/m.exec(await fs.readFile(`/proc/${program.pid}/status`, 'utf8'))![1]) / 1024;

  test('takes no more when 640 bodies of a megabyte come together, tells those that it refuses, and answers all others', async () => {
    const item = `{"prefix":"198.51.100.0/24","asn":"64500","note":"${'x'.repeat(60)}"}`;
    const body = Buffer.from(`{"add":[${Array.from({ length: Math.floor(1_000_000 / (item.length + 1)) }, () => item).join()}]}`);
    const refused: Answer[] = [];
    const sent = people.flatMap(name =>
      Array.from({ length: AT_A_TIME }, async () => {
        const answer = await ask('/api/EXAMPLE-AU/routes/check', { token: tokens.get(name)!, body });
        if (answer?.status === 503) refused.push(answer);
      }),
    );
    const others: (number | undefined)[] = [];
    let isOver = false;
    const meanwhile = (async () => {
      while (!isOver) others.push((await ask('/healthz'))?.status, (await ask('/whois'))?.status);
    })();
    await Promise.all(sent);
    isOver = true;
    await meanwhile;

    expect(await peak()).toBeLessThan(MEGABYTES);
    expect(new Set(others)).toEqual(new Set([200]));
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused)
      expect([answer.body, answer.headers['retry-after']]).toEqual([
        expect.stringContaining('MEMORY_SHORT'),
        expect.stringMatching(/^\d+$/),
      ]);
  });
});
