import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { canOwnPostgres } from '../../apps/server/test/database/own-postgres.ts';
import { type TestDatabase, throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { migrationFiles } from '../../apps/server/src/platform/database/migrations.ts';
import { root } from '../../tools/root.ts';
import { losses, type OpenApi } from './api-losses.ts';
import { freePort, installed, start } from './program.ts';
import { UpgradeLoad } from './upgrade-load.ts';
import { lastReleaseHere, ReleaseProgram, unpackLastRelease, webBuildOf } from '../../apps/server/test/processes/release-program.ts';

const haproxy = installed('/usr/sbin/haproxy');
const missing = [
  // It takes one to two minutes of both processors.
  ...(process.env.UPGRADE === 'on' ? [] : ['npm test -- upgrade runs it']),
  ...(canOwnPostgres() ? [] : ['install postgresql']),
  ...(haproxy ? [] : ['install haproxy']),
  ...(lastReleaseHere.missing === null ? [] : [lastReleaseHere.missing]),
];
const people = ['corin', 'tess', 'bill', 'tilda', 'nadia', 'nils', 'hana', 'max', 'olive', 'stella'];
const CLIENTS = 50;
/** Answers of each process that serves, in each step. */
const SOME = 50;
const host = 'portal.test';

/** The handbook's configuration of HAProxy, for ports of this machine, with the name of the server in each answer. */
async function startHandbookProxy(folder: string, { web, whois, health }: Record<'web' | 'whois' | 'health', readonly [number, number]>) {
  const [people, lines] = [await freePort(), await freePort()];
  let config = fs.readFileSync(path.join(root, 'ops/haproxy/haproxy.cfg'), 'utf8');
  const put = (from: string, to: string): void => {
    expect(config).toContain(from);
    config = config.replace(from, to);
  };
  put('bind :443 ssl crt /etc/haproxy/registry.pem alpn h2,http/1.1', `bind 127.0.0.1:${people}\n  http-response set-header x-server %s`);
  put('bind :43\n', `bind 127.0.0.1:${lines}\n`);
  for (const n of [0, 1] as const) {
    put(`10.0.0.${n + 1}:8080`, `127.0.0.1:${web[n]}`);
    put(`10.0.0.${n + 1}:4343 check port 8082`, `127.0.0.1:${whois[n]} check port ${health[n]}`);
  }
  const file = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(file, config);
  const running = await start(haproxy!, ['-db', '-f', file], { ready: `http://127.0.0.1:${people}/healthz` });
  return { people, lines, stop: running.stop };
}

describe.skipIf(missing.length > 0)(
  `release ${lastReleaseHere.version} and this one over one database${missing.length > 0 ? ` (skipped: ${missing.join('; ')})` : ''}`,
  { timeout: 300_000 },
  () => {
    let folder: string;
    let database: TestDatabase;
    let db: Database;
    let proxy: Awaited<ReturnType<typeof startHandbookProxy>>;
    let ports: Record<'web' | 'whois' | 'health' | 'rsync', [number, number]>;
    let own: { tree: string; webBuild: string };
    let last: { tree: string; webBuild: string };
    const programs: ReleaseProgram[] = [];
    const serve = async (release: 'last' | 'own', role: string, more: Record<string, string> = {}): Promise<ReleaseProgram> => {
      const { tree, webBuild } = release === 'last' ? last : own;
      const made = await ReleaseProgram.start(`${role} of the ${release} release`, tree, webBuild, {
        NODE_ENV: 'test',
        DATA_DIR: path.join(folder, 'data'),
        DATABASE_URL: database.url,
        ROLES: role,
        DEMO: 'on',
        APP_URL: `http://${host}`,
        BEHIND_PROXY: 'yes',
        LOG_LEVEL: 'warn',
        RPKI_RSYNC_BASE: `rsync://localhost:${ports.rsync[0]}/repository`,
        SHUTDOWN_NOTICE_SECONDS: role === 'web' || role === 'whois' ? '5' : '0',
        ...more,
      });
      programs.push(made);
      return made;
    };
    const web = (release: 'last' | 'own', n: 0 | 1) => serve(release, 'web', { PORT: String(ports.web[n]) });
    const whois = (release: 'last' | 'own', n: 0 | 1) =>
      serve(release, 'whois', { WHOIS_PORT: String(ports.whois[n]), HEALTH_PORT: String(ports.health[n]) });

    beforeAll(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-upgrade-'));
      const tree = path.join(folder, 'last');
      fs.mkdirSync(tree);
      unpackLastRelease(tree);
      last = { tree, webBuild: webBuildOf(tree) };
      own = { tree: root, webBuild: webBuildOf(root) };
      // A file of its own, as a release has whose pages changed.
      for (const [name, { webBuild }] of Object.entries({ last, own }))
        fs.writeFileSync(path.join(webBuild, `assets/only-${name}.js`), name);
      const { server } = await throwawayPostgres({ inMemory: true });
      database = await server!.createDatabase();
      const two = async (): Promise<[number, number]> => [await freePort(), await freePort()];
      ports = { web: await two(), whois: await two(), health: await two(), rsync: await two() };
      proxy = await startHandbookProxy(folder, ports);
    }, 120_000);
    afterAll(async () => {
      await db?.close();
      for (const each of programs) await each.kill();
      await proxy?.stop();
      await database?.drop();
      for (const each of [last, own]) if (each) fs.rmSync(each.webBuild, { recursive: true, force: true });
      fs.rmSync(folder, { recursive: true, force: true });
    });

    test('the last release has the migrations that are frozen, and all of them', async () => {
      const frozen = fs.readFileSync(path.join(root, 'apps/server/db/frozen-migrations.txt'), 'utf8');
      const files = await migrationFiles(path.join(last.tree, 'apps/server/db/migrations'));
      expect(frozen).toBe(files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(''));
    });

    test('an upgrade at noon fails no request, leaves no change in doubt, and no one complains', async () => {
      // The first one makes the demo registry.
      const worker = await serve('last', 'worker');
      const [publisher, oldWhois, one, two] = await Promise.all([
        serve('last', 'publisher'),
        whois('last', 0),
        web('last', 0),
        web('last', 1),
      ]);
      db = await openDatabase({ url: database.url, onError: () => {} });
      const config = readConfig({ NODE_ENV: 'test', APP_URL: `http://${host}`, DATABASE_URL: database.url, DEMO: 'on' });
      const tokens = await Promise.all(people.map(name => mintToken(db, config, name, { mfa: true })));

      const load = new UpgradeLoad({ ...proxy, host });
      const { answers, failures, acknowledged } = load;
      /** Waits until each of the servers has answered often enough from now on. */
      const afterSome = async (...servers: string[]): Promise<void> => {
        const before = { ...answers };
        const holds = () => servers.every(by => (answers[by] ?? 0) - (before[by] ?? 0) >= SOME) || failures.length > 0;
        await vi.waitUntil(holds, { timeout: 60_000, interval: 20 });
        expect(failures).toEqual([]);
      };
      const isUp = async (port: number): Promise<void> => {
        await vi.waitUntil(async () => (await load.call('/readyz', { port })).status === 200, { timeout: 60_000, interval: 50 });
      };
      const codes: (number | null)[] = [];
      const replace = async (old: ReleaseProgram, by: () => Promise<ReleaseProgram>): Promise<void> => {
        codes.push(await old.stop());
        await by();
      };

      await vi.waitUntil(async () => (await load.call('/rdap/help')).status === 200 && (await load.askWhois()).status === 200, {
        timeout: 60_000,
        interval: 50,
      });
      const before = JSON.parse((await load.call('/api/openapi.json')).body) as OpenApi;
      const begun = new Date();
      load.start(CLIENTS, tokens);
      await afterSome('web1', 'web2', 'whois');

      // The first process of the release migrates, while all others are of the last one.
      await replace(worker, () => serve('own', 'worker'));
      await afterSome('web1', 'web2', 'whois');
      await replace(publisher, () => serve('own', 'publisher'));
      await whois('own', 1);
      await isUp(ports.health[1]);
      await afterSome('whois');
      codes.push(await oldWhois.stop());
      await replace(one, () => web('own', 0));
      await afterSome('web1', 'web2', 'whois');
      // Each release has pages whose files the other one doesn't have.
      for (const name of ['last', 'own'])
        for (let times = 0; times < 4; times++)
          expect(await load.call(`/assets/only-${name}.js`)).toMatchObject({ status: 200, body: name });
      expect((await load.call('/assets/of-no-release.js')).status).toBe(404);
      await replace(two, () => web('own', 1));
      await afterSome('web1', 'web2', 'whois');
      const after = JSON.parse((await load.call('/api/openapi.json')).body) as OpenApi;
      await load.stop();

      expect(failures).toEqual([]);
      expect(codes).toEqual([0, 0, 0, 0, 0]);
      const lines = await db.read.rows<{ traceId: string; count: number }>(
        sql`select trace_id, count(*)::int as count from activity where action = ${api.people.savePreferences.id} group by trace_id`,
      );
      const kept = new Map(lines.map(({ traceId, count }) => [traceId, count]));
      expect(acknowledged.filter(traceId => kept.get(traceId) !== 1)).toEqual([]);
      expect(kept.size).toBe(acknowledged.length);
      expect(await db.read.rows(sql`select * from task where outcome = 'failed' and created_at >= ${begun}`)).toEqual([]);
      expect(programs.flatMap(({ complaints }) => complaints)).toEqual([]);
      expect(losses(before, after)).toEqual([]);
    });
  },
);
