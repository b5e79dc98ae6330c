import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@portal/api-client';
import type { Endpoint } from '@portal/contract';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import type { FastifyInstance } from 'fastify';
import { type App, openApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { loadDemo } from '../src/demo/index.ts';
import { mintToken } from '../src/modules/identity/index.ts';
import { bodyOf } from '../src/modules/mail/mail.ts';
import { caSigner } from '../src/modules/rpki/authorities/signing-system.ts';
import { type Database, openDatabase } from '../src/platform/database/index.ts';
import type { Log } from '../src/platform/log.ts';
import type { ModuleContext } from '../src/platform/module.ts';
import { standIn } from '../src/platform/outside-systems.ts';
import { openSecretBox } from '../src/platform/secret-box.ts';
import { type Profile, readProfile } from '../src/profile.ts';
import { tasksOf, testContext } from './context.ts';
import { startPgBouncer } from './database/pgbouncer.ts';
import { migratedDatabase, migratedTemplate } from './database/migrated-database.ts';
import { oncePerRun } from './once-per-run.ts';
import { signerWithSharedKeys } from './rpki-keys.ts';
import { throwawayPostgres } from './database/throwaway-postgres.ts';
import { undeclaredInTests } from './undeclared-in-tests.ts';

export type Kind = 'embedded' | 'postgres';

const postgres = await throwawayPostgres({ inMemory: true });
/**
 * The databases of this machine, for tests of what differs between them: connections, concurrent changes, notices between processes, streams, files. A missing
 * one is named by the test run.
 */
export const kinds: readonly Kind[] = postgres.server ? ['embedded', 'postgres'] : ['embedded'];

/**
 * The database for all other tests: PostgreSQL where there is one, because it starts faster and runs changes at the same time. Both run one engine and one SQL.
 * `TEST_DATABASES=both` runs all on both (docs/decisions/0048-tests-on-one-database.md).
 */
export const kindsForRules: readonly Kind[] = process.env['TEST_DATABASES'] === 'both' ? kinds : kinds.slice(-1);

const host = 'portal.test';
const testConfig = (environment: Record<string, string> = {}): Config =>
  readConfig({ NODE_ENV: 'test', APP_URL: `http://${host}`, DATABASE_URL: 'memory://', LOG_LEVEL: 'silent', ...environment });
const profile: Profile = readProfile('');

/** The demo registry on an embedded database, made once for the whole test run. */
const demoSnapshot = (): Promise<Buffer> =>
  oncePerRun('demo.snapshot', async () => {
    await using made = await migratedDatabase('embedded');
    await loadDemo(made.database, { config: testConfig(), profile, today: new Date(), store: null });
    return new Uint8Array(await (await made.database.snapshot()).arrayBuffer());
  });

/** Name of a PostgreSQL database that holds the demo registry, to be copied. */
const demoTemplate = async (): Promise<string> =>
  (
    await oncePerRun('demo.template', async () => {
      const made = await postgres.server!.createDatabase(await migratedTemplate());
      const db = await openDatabase({ url: made.url });
      try {
        await loadDemo(db, { config: testConfig(), profile, today: new Date(), store: null });
      } finally {
        await db.close();
      }
      return Buffer.from(made.name);
    })
  ).toString();

export type OpenedDatabase = { db: Database; url: string; drop: () => Promise<void> };

/** Creates a database with the demo registry. */
export async function demoDatabase(kind: Kind, clock?: () => Date): Promise<OpenedDatabase> {
  if (kind === 'embedded')
    return { db: await openDatabase({ url: 'memory://', snapshot: await demoSnapshot(), clock }), url: 'memory://', drop: async () => {} };
  const copy = await postgres.server!.createDatabase(await demoTemplate());
  const pooled = process.env['TEST_POOLER'] === 'on' && { url: (await pooler()).urlOf(copy.url), directUrl: copy.url };
  const db = await openDatabase({ ...(pooled || { url: copy.url }), pools: { reader: 4, writer: 4 }, clock });
  return { db, url: copy.url, drop: () => copy.drop() };
}

/** PgBouncer of this process of tests, for `npm test -- pgbouncer`. */
let ownPooler: ReturnType<typeof startPgBouncer> | undefined;
const pooler = (): ReturnType<typeof startPgBouncer> =>
  (ownPooler ??= startPgBouncer(postgres.server!.url).then(started => {
    process.once('exit', () => started.stop());
    return started;
  }));

export type TestPortal = Awaited<ReturnType<typeof testPortal>>;

/**
 * A whole portal on its own copy of the demo registry, without a network: calls go straight into the HTTP layer. On PostgreSQL where there
 * is one, because it starts faster; tests of what differs between the two name the kind.
 * @param clock a clock other than that of the machine
 */
export async function testPortal(kind: Kind = kinds.at(-1)!, environment: Record<string, string> = {}, clock?: () => Date) {
  return portalOf(await demoDatabase(kind, clock), environment, clock);
}

/** The same on PostgreSQL through a pooler. */
export async function portalOn(pooler: { urlOf: (url: string) => string }) {
  const copy = await postgres.server!.createDatabase(await demoTemplate());
  const url = pooler.urlOf(copy.url);
  return portalOf({ db: await openDatabase({ url, directUrl: copy.url, pools: { reader: 8, writer: 8 } }), url, drop: () => copy.drop() });
}

async function portalOf({ db, url, drop }: OpenedDatabase, environment: Record<string, string> = {}, clock?: () => Date) {
  // Made when the first file arrives.
  const dataDir = path.join(os.tmpdir(), `portal-test-${crypto.randomUUID()}`);
  const config = testConfig({ DATA_DIR: dataDir, ...environment });
  const keys =
    config.rpkiPkcs11Module === ''
      ? [standIn(caSigner, signerWithSharedKeys({ secretKey: config.secretKey, secretKeyOld: config.secretKeyOld }))]
      : [];
  const context = testContext({ db, config, ...(clock && { clock }) }, ...keys);
  const undeclared = undeclaredInTests();
  const app = await openApp(context, { webFolder: null, onUndeclared: undeclared.onUndeclared });
  const portal = portalOver({ app, context });
  return {
    ...portal,
    url,
    async [Symbol.asyncDispose]() {
      await app.close();
      await db.close();
      await drop();
      await rm(dataDir, { recursive: true, force: true });
      undeclared.refuse();
    },
  };
}

/** A second web process on the same PostgreSQL. @param log what it writes; nothing by default */
export async function secondProcess(url: string, environment: Record<string, string> = {}, log?: Log) {
  const db = await openDatabase({ url, pools: { reader: 4, writer: 4 } });
  const config = testConfig(environment);
  const context = { ...testContext({ db, config }), ...(log && { log }) };
  const undeclared = undeclaredInTests();
  const app = await openApp(context, { webFolder: null, onUndeclared: undeclared.onUndeclared });
  return {
    ...portalOver({ app, context }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await db.close();
      undeclared.refuse();
    },
  };
}

/** On a busy machine a test takes longer than a second factor counts as given just now; its person gives another one, as people do. */
const stepUpAfterMs = 4 * MINUTE_MS;

function portalOver({ app, context }: { app: App; context: ModuleContext }) {
  const { db, config } = context;
  const http: FastifyInstance = app.http;
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const payload = init.body instanceof Blob ? Buffer.from(await init.body.arrayBuffer()) : (init.body as string | undefined);
    const answer = await http.inject({
      method: init.method as 'GET',
      url,
      headers: { host, ...(init.headers as Record<string, string>) },
      ...(payload !== undefined && payload.length > 0 && { payload }),
    });
    const empty = answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(empty ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
    });
  };
  const tokenOf = (name: string, options: { mfa?: boolean } = {}): Promise<string> =>
    mintToken(db, config, name, { mfa: options.mfa ?? true, clock: context.clock });
  /** Tokens of walks through all endpoints, which ask thousands of times as the same few people; each lasts a third of its life. */
  const walkers = new Map<string, { until: number; token: Promise<string> }>();
  const walkerToken = (name: string, mfa: boolean): Promise<string> => {
    const known = walkers.get(`${name} ${mfa}`);
    if (known && Date.now() < known.until) return known.token;
    const fresh = { until: Date.now() + (config.tokenSeconds * SECOND_MS) / 3, token: tokenOf(name, { mfa }) };
    walkers.set(`${name} ${mfa}`, fresh);
    return fresh.token;
  };
  /**
   * Returns an endpoint's answer to a person, with path parameters that exist nowhere but for the account: status, and the refusal's code.
   */
  const answerOf = async (
    endpoint: Endpoint,
    { as, account = 'EXAMPLE-AU', mfa = true }: { as: string | null; account?: string; mfa?: boolean },
  ): Promise<{ status: number; code: string | null }> => {
    const token = as === null ? null : await walkerToken(as, mfa);
    const url = endpoint.path.replace(/:account\b/, account).replace(/:\w+/g, 'x');
    const answer = await send(url, {
      method: endpoint.method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
      ...(endpoint.method === 'GET' ? {} : { body: '{}' }),
    });
    const said = answer.ok ? null : ((await answer.json()) as { errors: { code: string }[] });
    return { status: answer.status, code: said?.errors[0]?.code ?? null };
  };
  return {
    app,
    context,
    db,
    config,
    http,
    tokenOf,
    /** Returns the calls of a demo person, in a session with a second factor by default; null for no sign-in. */
    as: async (name: string | null, options: { mfa?: boolean } = {}): Promise<Client> => {
      if (name === null) return createClient({ baseUrl: '', token: () => null, fetch: send });
      let token = await tokenOf(name, options);
      let until = Date.now() + stepUpAfterMs;
      return createClient({
        baseUrl: '',
        token: () => token,
        fetch: async (url, init) => {
          if (Date.now() < until) return send(url, init);
          until = Date.now() + stepUpAfterMs;
          token = await tokenOf(name, options);
          return send(url, { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` } });
        },
      });
    },
    /** One raw request. */
    request: (url: string, init: RequestInit = {}) => send(url, { method: 'GET', ...init }),
    answerOf,
    statusOf: async (...asked: Parameters<typeof answerOf>): Promise<number> => (await answerOf(...asked)).status,
    /** Runs enqueued tasks except mail, as the worker would. */
    runTasks: async (): Promise<void> => {
      for (;;) {
        const task = await db.unrecorded
          .updateTable('task')
          .set({ state: 'running' })
          .where('taskId', '=', eb =>
            eb
              .selectFrom('task')
              .select('taskId')
              .where('state', '=', 'queued')
              .where('name', '<>', 'mail.deliver')
              .orderBy('taskId')
              .limit(1),
          )
          .returningAll()
          .executeTakeFirst();
        if (!task) return;
        const type = tasksOf(context).find(({ name }) => name === task.name)!;
        const activity = { action: type.name, summary: type.summary, traceId: '0'.repeat(32), accountName: task.accountName };
        const ended = await type.run({
          db,
          taskId: task.taskId,
          input: type.input.parse(task.input) as never,
          activity,
          context,
          progress: async () => {},
        });
        await db.unrecorded
          .updateTable('task')
          .set({ state: 'completed', outcome: ended?.outcome ?? 'success' })
          .where('taskId', '=', task.taskId)
          .execute();
      }
    },
    /** The mails to an address, oldest first, with the link each carries. */
    mailsTo: async (recipient: string): Promise<{ subject: string; body: string }[]> => {
      const box = openSecretBox(config);
      const mails = await db.read.selectFrom('mail').selectAll().where('recipient', '=', recipient).orderBy('mailId').execute();
      return mails.map(mail => ({ subject: mail.subject, body: bodyOf(box, mail) }));
    },
    lastActivity: () => db.read.selectFrom('activity').selectAll().orderBy('activityId', 'desc').limit(1).executeTakeFirst(),
  };
}
