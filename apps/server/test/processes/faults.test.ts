import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@portal/api-client';
import { api } from '@portal/contract/api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { mintToken } from '../../src/modules/identity/index.ts';
import { openDatabase } from '../../src/platform/database/index.ts';
import { canOwnPostgres, type OwnPostgres, ownPostgres, type ShutdownMode } from '../database/own-postgres.ts';
import { freePort } from '../database/throwaway-postgres.ts';
import { inherited } from './inherited.ts';
import { smallestWebBuild } from './smallest-web-build.ts';

const account = 'EXAMPLE-AU';
/** More than one answer waits for. */
const ROUTES = 600;

const route = (number: number, remarks = 'None'): string =>
  `route6:         2001:db8:${number.toString(16)}::/48\ndescr:          Fault\nremarks:        ${remarks}\norigin:         AS64500\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`;
const routes = (first: number, total: number): string => Array.from({ length: total }, (_, place) => route(first + place)).join('\n');

/** The real program with all roles, on a PostgreSQL that may be harmed. */
describe.runIf(canOwnPostgres())('the program, when the machine fails', () => {
  let postgres: OwnPostgres;
  let program: ChildProcess;
  let said = '';
  let address: string;
  let token: string;
  let tess: Client;
  let settings: Record<string, string>;
  const folders: string[] = [];
  const start = async (more: Record<string, string> = {}): Promise<void> => {
    const { WEB_FOLDER, ...environment } = settings;
    said = '';
    program = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, 'serve-smallest.ts'), WEB_FOLDER!],
      { env: { ...inherited, ...environment, ...more }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const ready = Promise.withResolvers<void>();
    for (const stream of [program.stdout!, program.stderr!])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Ctrl-C stops it')) ready.resolve();
      });
    program.once('close', () => ready.reject(new Error(said)));
    await ready.promise;
  };
  beforeAll(async () => {
    postgres = await ownPostgres();
    const [dataDir, webFolder, port] = await Promise.all([
      fs.mkdtemp(path.join(os.tmpdir(), 'portal-faults-')),
      smallestWebBuild(),
      freePort(),
    ]);
    folders.push(dataDir, webFolder);
    settings = {
      NODE_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ROLES: 'web,worker,whois',
      WHOIS_PORT: '0',
      DEMO: 'on',
      WEB_FOLDER: webFolder,
    };
    address = `http://localhost:${port}`;
    await start();
    const db = await openDatabase({ url: postgres.url });
    token = await mintToken(db, readConfig(settings), 'tess', { mfa: true });
    await db.close();
    tess = createClient({ baseUrl: address, token: () => token, fetch: (url, init) => fetch(url, init) });
  });
  afterAll(async () => {
    program.kill('SIGKILL');
    await postgres[Symbol.asyncDispose]();
    for (const folder of folders) await fs.rm(folder, { recursive: true, force: true });
  });

  const readiness = async () => {
    const answer = await fetch(`${address}/readyz`);
    return { status: answer.status, problems: ((await answer.json()) as { problems: string[] }).problems };
  };
  const isReady = () => expect.poll(readiness, { timeout: 60_000, interval: 50 }).toMatchObject({ status: 200, problems: [] });
  const raw = (body: unknown, more: Record<string, string> = {}) =>
    fetch(`${address}/api/${account}/whois/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
  const refusal = async (answer: Response) => ({
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as { errors: { code: string; message: string }[] },
  });

  /** Returns the answers of sign-in addresses that need the database: all of them, or those that write. */
  const signInSays = async (which: 'all' | 'writing') => {
    const query = new URLSearchParams({
      client_id: 'portal',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `${address}/auth-callback`,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      state: 'outage',
    });
    const form = {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ name: 'bill', mailbox: 'a@b.example', code: '1234-5678', duties: 'yes' }),
    };
    const writing = { begin: [`/oidc/auth?${query.toString()}`, {}], reset: ['/account/reset', form] } as const;
    const reading = {
      certificate: ['/certificates/7QX2-M0VD-9KEH-41TR', {}],
      registration: ['/account/confirm-registration?token=x', {}],
      irt: ['/irt-validation', form],
    } as const;
    const said: Record<string, string> = {};
    for (const [name, [url, init]] of Object.entries({ ...writing, ...(which === 'all' && reading) })) {
      const answer = await fetch(address + url, { redirect: 'manual', ...init });
      const title = /<h1>([^<]*)<\/h1>/.exec(await answer.text())?.[1];
      said[name] = `${answer.status} after ${answer.headers.get('retry-after')}: ${title}`;
    }
    return said;
  };
  const everywhere = (said: Record<string, string>) => [...new Set(Object.values(said))];

  test.each<[ShutdownMode, number]>([
    ['fast', 0x1000],
    ['immediate', 0x2000],
    ['smart', 0x3000],
  ])('goes on after a restart of PostgreSQL (%s) in the middle of a task', async (mode, first) => {
    const { data } = await tess(api.whois.uploadText, { account, body: { text: routes(first, ROUTES), dryRun: false } });
    expect(data).toMatchObject({ taskId: expect.any(Number) });
    const taskId = String(data!.taskId);
    const task = async () => (await tess(api.tasks.getTask, { account, taskId })).data;
    await expect.poll(async () => (await task())?.state, { timeout: 30_000, interval: 5 }).toBe('running');
    if (mode === 'smart') {
      // Connected clients are served; then the operator forces the shutdown.
      postgres.signal('smart');
      expect((await tess(api.accounts.listAccounts, {})).status).not.toBe(500);
    }
    await postgres.stop(mode === 'smart' ? 'fast' : mode);
    try {
      const away = await fetch(`${address}/api/accounts`, { headers: { authorization: `Bearer ${token}` } });
      expect(await refusal(away)).toMatchObject({ status: 503, retryAfter: '5', body: { errors: [{ code: 'UNAVAILABLE' }] } });
      expect(await readiness()).toMatchObject({ status: 503, problems: ['the database does not answer'] });
      expect(everywhere(await signInSays('all'))).toEqual(['503 after 5: Not available right now']);
      const bought = await fetch(`${address}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: 'x'.repeat(43),
          client_id: 'portal',
          redirect_uri: `${address}/auth-callback`,
          code_verifier: 'x'.repeat(43),
        }),
      });
      expect([bought.status, bought.headers.get('retry-after'), await bought.json()]).toEqual([
        503,
        '5',
        { error: 'temporarily_unavailable' },
      ]);
    } finally {
      await postgres.start();
    }
    await isReady();
    await expect
      .poll(task, { timeout: 60_000, interval: 100 })
      .toMatchObject({ state: 'completed', outcome: 'success', counts: { ok: ROUTES } });
    await expect
      .poll(
        async () => (await postgres.query('select count(*)::int as n from graphile_worker._private_jobs where locked_at is not null')).rows,
        {
          timeout: 60_000,
          interval: 100,
        },
      )
      .toEqual([{ n: 0 }]);
    expect(program.exitCode).toBeNull();
    expect(await (await fetch(`${address}/metrics`)).text()).toContain('\nunhandled_rejections_total 0\n');
  });

  test('refuses changes and continues reading when the disk is full, and resumes when there is room', async () => {
    const restore = await fullDisk(postgres);
    try {
      let refused: Response | null = null;
      for (let number = 0x4000; number < 0x4100 && refused === null; number++) {
        const answer = await raw({ text: route(number, 'x'.repeat(20_000)) });
        if (!answer.ok) refused = answer;
      }
      expect(await refusal(refused!)).toMatchObject({ status: 503, retryAfter: '60', body: { errors: [{ code: 'CHANGES_PAUSED' }] } });
      expect(await readiness()).toMatchObject({ status: 503, problems: ['the disk of the database is full'] });
      if (postgres.fillDisk) expect(everywhere(await signInSays('writing'))).toEqual(['503 after 60: Changes can’t be saved right now']);
      expect((await tess(api.accounts.listAccounts, {})).status).toBe(200);
    } finally {
      await restore();
    }
    expect((await raw({ text: route(0x4200), dryRun: false })).status).toBe(200);
    await isReady();
  });

  test('refuses changes and continues reading when the database is read-only', async () => {
    const set = (statement: string) => postgres.query('set default_transaction_read_only = off', statement, 'select pg_reload_conf()');
    await set('alter system set default_transaction_read_only = on');
    try {
      await expect
        .poll(readiness, { timeout: 10_000, interval: 20 })
        .toMatchObject({ status: 503, problems: ['the database is read-only'] });
      const answer = await raw({ text: route(0x4300), dryRun: false });
      expect(await refusal(answer)).toMatchObject({ status: 503, retryAfter: '60', body: { errors: [{ code: 'CHANGES_PAUSED' }] } });
      expect(everywhere(await signInSays('writing'))).toEqual(['503 after 60: Changes can’t be saved right now']);
      expect((await tess(api.accounts.listAccounts, {})).status).toBe(200);
    } finally {
      await set('alter system reset default_transaction_read_only');
    }
    await isReady();
    expect((await raw({ text: route(0x4300), dryRun: false })).status).toBe(200);
  });

  test('that gets SIGTERM answers every running upload, tells streams to reconnect, and ends', async () => {
    const stream = await fetch(`${address}/api/session-events`, { headers: { authorization: `Bearer ${token}` } });
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table whois_object in access exclusive mode');
    const uploads = Array.from({ length: 8 }, (_, place) => raw({ text: route(0x5000 + place), dryRun: false }));
    const waiting = async () =>
      (await postgres.query(`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`)).rows[0]!.n as number;
    // Three of one person are under way at a time; the others wait for their turn, and are answered too.
    await expect.poll(waiting, { timeout: 20_000, interval: 10 }).toBe(3);

    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    expect(await stream.text()).toMatch(/retry: 1000\n\n$/);
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
    await holder.query('rollback');
    await holder.end();
    const answers = await Promise.all(uploads);
    expect(answers.map(({ status }) => status)).toEqual(uploads.map(() => 200));
    const stored = await postgres.query(`select count(*)::int as n from whois_object where class = 'route6' and key like '2001:db8:500%'`);
    expect(stored.rows).toEqual([{ n: uploads.length }]);
    expect(await ended).toEqual([0, null]);
  });

  test('goes on for as long as load balancers need to read in /readyz that it stops', async () => {
    await start({ SHUTDOWN_NOTICE_SECONDS: '3' });
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    const read = async () => {
      const answer = await fetch(`${address}/readyz`);
      return [answer.status, ((await answer.json()) as { problems: string[] }).problems];
    };
    await expect.poll(read, { timeout: 2_500, interval: 20 }).toEqual([503, ['this process is stopping']]);
    expect((await raw({ text: route(0x5800), dryRun: false })).status).toBe(200);
    expect(await ended).toEqual([0, null]);
    await expect(fetch(`${address}/readyz`)).rejects.toThrow();
  });

  test('cuts off what does not end in time, says so, and leaves nothing of it: its sender learns later that it was not saved', async () => {
    await start({ SHUTDOWN_SECONDS: '1' });
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table whois_object in access exclusive mode');
    const key = 'key-of-what-is-cut-off';
    const upload = raw({ text: route(0x6000), dryRun: false }, { 'idempotency-key': key }).then(
      answer => answer.status,
      () => 'closed',
    );
    const waiting = async () =>
      (await postgres.query(`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`)).rows[0]!.n as number;
    await expect.poll(waiting, { timeout: 20_000, interval: 10 }).toBeGreaterThanOrEqual(1);

    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    expect(await upload).toBe('closed');
    expect(await ended).toEqual([1, null]);
    expect(said).toMatch(/requests were cut off: they did not end within SHUTDOWN_SECONDS/);
    expect(said).toMatch(/what it had not committed is rolled back/);
    await holder.query('rollback');
    await holder.end();

    await start();
    expect((await tess(api.changeOutcomes.settleChange, { body: { endpoint: 'whois.uploadText', key } })).data).toEqual({
      outcome: 'not-saved',
      savedAt: null,
    });
    const stored = await postgres.query(`select count(*)::int as n from whois_object where class = 'route6' and key like '2001:db8:6000%'`);
    expect(stored.rows).toEqual([{ n: 0 }]);
    expect((await raw({ text: route(0x6000), dryRun: false }, { 'idempotency-key': key })).status).toBe(409);
    expect((await raw({ text: route(0x6000), dryRun: false })).status).toBe(200);
  });
});

/** Fills the tables' disk; returns a function that frees it. Where no disk can be mounted the database itself reports a full disk. */
async function fullDisk({ fillDisk, query }: OwnPostgres): Promise<() => Promise<unknown>> {
  if (fillDisk) {
    const restore = fillDisk();
    return async () => restore();
  }
  await query(
    `create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
    'create trigger no_room before insert on activity execute function no_room()',
  );
  return () => query('drop trigger no_room on activity', 'drop function no_room()');
}
