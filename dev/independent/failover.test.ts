import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { SECOND_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { canOwnPostgres } from '../../apps/server/test/database/own-postgres.ts';
import { streamingPair } from '../../apps/server/test/database/streaming-postgres.ts';
import { freePort } from '../../apps/server/test/database/throwaway-postgres.ts';
import { KillableProgram } from '../../apps/server/test/processes/killable-program.ts';
import { smallestWebBuild } from '../../apps/server/test/processes/smallest-web-build.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { databaseProxyIsInstalled, startDatabaseProxy } from './database-proxy.ts';

const missing = [...(canOwnPostgres() ? [] : ['postgresql']), ...(databaseProxyIsInstalled ? [] : ['haproxy'])];
const people = ['corin', 'tess', 'bill', 'tilda', 'nadia', 'nils', 'hana', 'max', 'olive', 'stella'];
const CLIENTS = 50;
/** Acknowledged changes before the failover, and after it by each process. */
const SOME = 100;
/** How soon, in ms, people have to be able to change something again. */
const AGAIN_WITHIN_MS = 30 * SECOND_MS;

describe.skipIf(missing.length > 0)(
  `a registry whose database server is lost, with one that follows it synchronously${missing.length > 0 ? ` (skipped: install ${missing.join(' and ')})` : ''}`,
  { timeout: 300_000 },
  () => {
    let pair: Awaited<ReturnType<typeof streamingPair>>;
    let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
    let folder: string;
    let programs: KillableProgram[];
    let environment: Record<string, string>;
    const program = async (): Promise<KillableProgram> => {
      const made = new KillableProgram(await freePort(), environment, await smallestWebBuild());
      programs.push(made);
      await made.start();
      return made;
    };
    beforeAll(async () => {
      programs = [];
      folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-failover-'));
      pair = await streamingPair();
      await pair.primary.query(`alter system set synchronous_standby_names = '*'`);
      await pair.primary.query('select pg_reload_conf()');
      proxy = await startDatabaseProxy([pair.primary.port, pair.replica.port]);
      environment = {
        NODE_ENV: 'test',
        DATA_DIR: folder,
        DATABASE_URL: `postgres://portal@127.0.0.1:${proxy.port}/postgres`,
        // Both servers: one of them is the primary.
        DATABASE_READ_URL: `${pair.primary.url},${pair.replica.url}`,
        ROLES: 'web',
        DEMO: 'on',
        APP_URL: 'http://portal.test',
        LOG_LEVEL: 'silent',
      };
    }, 180_000);
    afterAll(async () => {
      for (const each of programs) await each.kill();
      await proxy?.stop();
      await pair?.[Symbol.asyncDispose]();
      await fs.rm(folder, { recursive: true, force: true });
    });

    type Answer = { status: number | null; body: string };
    const agent = new http.Agent({ keepAlive: true, maxSockets: 2 * CLIENTS });
    const call = (port: number, url: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Answer> =>
      new Promise(resolve => {
        const length = Buffer.byteLength(body);
        const request = http.request(
          { agent, host: '127.0.0.1', port, path: url, method, headers: { host: 'portal.test', 'content-length': length, ...headers } },
          response => {
            let text = '';
            response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
            response
              .on('end', () => resolve({ status: response.statusCode!, body: text }))
              .on('error', () => resolve({ status: null, body: '' }));
          },
        );
        request.on('error', () => resolve({ status: null, body: '' })).end(body);
      });

    test('loses no acknowledged change and makes none twice, and its processes go on by themselves', async () => {
      const [one, two] = [await program(), await program()];
      const db = await openDatabase({ url: environment['DATABASE_URL']!, onError: () => {} });
      const config = readConfig(environment);
      const tokens = await Promise.all(people.map(name => mintToken(db, config, name, { mfa: true })));
      await db.close();

      /** Trace ids of acknowledged changes, with when they were sent and acknowledged, and the process. */
      const acknowledged: { traceId: string; sentAt: number; at: number; by: KillableProgram }[] = [];
      const sent: string[] = [];
      const refused = new Set<string>();
      let isOver = false;
      const { method, path: address } = api.people.savePreferences;
      const client = async (n: number): Promise<void> => {
        for (let round = n; !isOver; round++) {
          const by = round % 2 === 0 ? one : two;
          const traceId = randomBytes(16).toString('hex');
          sent.push(traceId);
          const sentAt = performance.now();
          const headers = {
            authorization: `Bearer ${tokens[n % tokens.length]}`,
            'content-type': 'application/json',
            traceparent: `00-${traceId}-${traceId.slice(16)}-01`,
          };
          const { status } = await call(by.port, address, {
            method,
            headers,
            body: JSON.stringify({ hourCycle: round % 3 === 0 ? 'h12' : 'h23' }),
          });
          if (status === 200) acknowledged.push({ traceId, sentAt, at: performance.now(), by });
          else refused.add(String(status));
        }
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
      const until = (holds: () => boolean): Promise<unknown> => vi.waitUntil(holds, { timeout: 120_000, interval: 20 });
      const statesOf = async (of: KillableProgram): Promise<string[]> =>
        (JSON.parse((await call(of.port, '/readyz')).body) as { replicas: string[] }).replicas;

      await until(() => acknowledged.length >= SOME);
      expect(await statesOf(one)).toEqual([
        'replica 1 is a primary now, and is left out',
        expect.stringMatching(/^replica 2 is a replica, at most [\d.]+ s behind$/),
      ]);
      await pair.primary.crash();
      const lostAt = performance.now();
      await pair.replica.promote();
      const since = (by: KillableProgram): number => acknowledged.filter(each => each.by === by && each.sentAt > lostAt).length;
      await until(() => since(one) >= SOME && since(two) >= SOME);
      isOver = true;
      await clients;

      expect(acknowledged.find(({ sentAt }) => sentAt > lostAt)!.at - lostAt).toBeLessThan(AGAIN_WITHIN_MS);
      expect([one.isRunning, two.isRunning]).toEqual([true, true]);
      const { rows } = await pair.replica.query(
        'select trace_id, count(*)::int as count from activity where refusal is null group by trace_id',
      );
      const kept = new Map(rows.map(({ trace_id, count }) => [trace_id as string, count as number]));
      expect(acknowledged.filter(({ traceId }) => kept.get(traceId) !== 1)).toEqual([]);
      expect(sent.filter(traceId => (kept.get(traceId) ?? 0) > 1)).toEqual([]);
      // Nothing but outages was refused.
      expect([...refused].filter(status => !['null', '503', '429'].includes(status))).toEqual([]);

      // The settings are still those from before, and name the present primary among the replicas.
      const three = await program();
      expect((await call(three.port, '/readyz')).status).toBe(200);
      const states = ['replica 1 does not answer, and is left out', 'replica 2 is a primary now, and is left out'];
      for (const each of [one, two, three]) expect(await statesOf(each)).toEqual(states);
    });
  },
);
