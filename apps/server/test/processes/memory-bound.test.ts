import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { mintToken } from '../../src/modules/identity/index.ts';
import { openDatabase } from '../../src/platform/database/index.ts';
import { freePort, throwawayPostgres } from '../database/throwaway-postgres.ts';
import { inherited } from './inherited.ts';
import { killProgram } from './worker-programs.ts';

const MEGABYTES = 512;
const main = path.join(import.meta.dirname, '../../src/main.ts');
/** People who send at the same time, and how many requests each of them. */
const people = ['corin', 'tess', 'bill', 'tilda', 'nils', 'hana', 'max', 'stella'];
const AT_A_TIME = 80;

type Answer = { status: number | undefined; headers: http.IncomingHttpHeaders; body: string };

const { server, reason } = await throwawayPostgres();
/** The status of a process says what it took at most; only Linux does. */
const isMeasured = server !== null && process.platform === 'linux';
describe.skipIf(!isMeasured)(
  `a web process with MEMORY_MEGABYTES${isMeasured ? '' : ` (left out: ${reason ?? 'this is not Linux'})`}`,
  () => {
    let program: ChildProcess;
    let said = '';
    let port: number;
    let folder: string;
    let database: Awaited<ReturnType<NonNullable<typeof server>['createDatabase']>>;
    const tokens = new Map<string, string>();

    beforeAll(async () => {
      [database, folder, port] = await Promise.all([
        server!.createDatabase(),
        fs.mkdtemp(path.join(os.tmpdir(), 'portal-memory-')),
        freePort(),
      ]);
      const environment = {
        NODE_ENV: 'test',
        DATABASE_URL: database.url,
        DATA_DIR: folder,
        PORT: String(port),
        ROLES: 'web',
        DEMO: 'on',
        MEMORY_MEGABYTES: process.env['NO_BOUND'] ? '0' : String(MEGABYTES),
      };
      program = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'serve'], {
        env: { ...inherited, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [program.stdout!, program.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      await vi.waitUntil(() => said.includes('Ctrl-C stops it') || program.exitCode !== null, { timeout: 120_000, interval: 50 });
      const db = await openDatabase({ url: database.url });
      for (const name of people) tokens.set(name, await mintToken(db, readConfig(environment), name, { mfa: true }));
      await db.close();
    });
    afterAll(async () => {
      await killProgram(program);
      await database.drop();
      await fs.rm(folder, { recursive: true, force: true });
    });

    const ask = (url: string, { token, body }: { token?: string; body?: Buffer } = {}): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const request = http.request(
          {
            port,
            path: url,
            agent: false,
            method: body ? 'POST' : 'GET',
            headers: {
              host: `localhost:${port}`,
              ...(token && { authorization: `Bearer ${token}` }),
              ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
            },
          },
          response => {
            let text = '';
            response.setEncoding('utf8').on('data', (part: string) => (text += part));
            response.once('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }));
            response.once('error', reject);
          },
        );
        request.once('error', reject);
        request.end(body);
      });
    /** The most that it took since its start, in MB. */
    const most = async (): Promise<number> =>
      Number(/^VmHWM:\s+(\d+)/m.exec(await fs.readFile(`/proc/${program.pid}/status`, 'utf8'))![1]) / 1024;

    test('takes no more, whatever is sent, says so to those it refuses, and goes on for all others', async () => {
      const item =
        '{"prefix":"198.51.100.0/24","asn":"64500","note":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}';
      const body = Buffer.from(`{"add":[${Array.from({ length: Math.floor(1_000_000 / (item.length + 1)) }, () => item).join()}]}`);
      const before = await most();
      const statuses = new Map<number | undefined, number>();
      const sent = people.flatMap(name =>
        Array.from({ length: AT_A_TIME }, async () => {
          const { status, headers, body: text } = await ask('/api/EXAMPLE-AU/routes/check', { token: tokens.get(name)!, body });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 503)
            expect([text, headers['retry-after']]).toEqual([expect.stringContaining('MEMORY_SHORT'), expect.stringMatching(/^\d+$/)]);
        }),
      );
      const pages: (number | undefined)[] = [];
      let isOver = false;
      const others = (async () => {
        while (!isOver) pages.push((await ask('/healthz')).status, (await ask('/whois')).status);
      })();
      const results = await Promise.allSettled(sent);
      isOver = true;
      await others;
      console.log(
        before,
        await most(),
        statuses,
        results.filter(({ status }) => status === 'rejected').length,
        pages.length,
        new Set(pages),
        said.slice(-500),
      );
      expect(await most()).toBeLessThan(MEGABYTES);
    });
  },
);
