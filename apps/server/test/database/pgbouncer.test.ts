import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/platform/database/index.ts';
import { taskType } from '../../src/platform/tasks.ts';
import { startWorker } from '../../src/platform/worker.ts';
import { kinds, portalOn, type TestPortal } from '../portal.ts';
import { migratedTemplate } from './migrated-database.ts';
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts';
import { throwawayPostgres } from './throwaway-postgres.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

describe.runIf(hasPgBouncer && kinds.includes('postgres'))('through PgBouncer in transaction mode', () => {
  let server: NonNullable<Awaited<ReturnType<typeof throwawayPostgres>>['server']>;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let portal: TestPortal;
  beforeAll(async () => {
    server = (await throwawayPostgres({ inMemory: true })).server!;
    // Fewer sessions than connections: they are lent from one to the other.
    bouncer = await startPgBouncer(server.url, { default_pool_size: 2 });
    portal = await portalOn(bouncer);
  });
  afterAll(async () => {
    await portal?.[Symbol.asyncDispose]();
    bouncer?.stop();
  });

  test('members read and change, many at the same time', async () => {
    const corin = await portal.as('corin');
    const account = 'EXAMPLE-AU';
    const body = { queue: 'helpdesk', account, subject: 'Two debits', text: 'We see two debits.' } as const;
    const calls = Array.from({ length: 20 }, (_, n) =>
      n % 4 === 0 ? corin(api.tickets.openTicket, { body }) : corin(api.resources.getSummary, { account }),
    );
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    const kept = await portal.db.read.rows(sql`select count(*)::int as count from ticket where subject = 'Two debits'`);
    expect(kept).toEqual([{ count: 5 }]);
  });

  test('a read changes nothing, not even by a function, and no setting of a change is left for others', async () => {
    const { db } = portal;
    await expect(db.read.rows(sql`select set_config('portal.activity_id', '1', false), nextval('task_task_id_seq')`)).rejects.toThrow(
      /read-only/,
    );
    await db.change(line, change => change.rows(sql`select set_config('statement_timeout', '77', true)`), { timeout: 50_000 });
    const timeouts = await Promise.all(
      Array.from({ length: 8 }, () =>
        db.change(
          line,
          async change => (await change.rows<{ limit: string }>(sql`select current_setting('statement_timeout') as limit`))[0]!.limit,
        ),
      ),
    );
    expect(new Set(timeouts)).toEqual(new Set(['30s']));
    const [read] = await db.read.rows<{ limit: string; zone: string; jit: string }>(
      sql`select current_setting('statement_timeout') as limit, current_setting('TimeZone') as zone, current_setting('jit') as jit`,
    );
    expect(read).toEqual({ limit: '10s', zone: 'UTC', jit: 'off' });
  });

  test('a long read is a stream as of one instant, beside changes', async () => {
    const seen: number[] = [];
    for await (const rows of portal.db.read.stream<{ n: number }>(sql`select n from generate_series(1, 2500) n`)) {
      seen.push(rows.length);
      await portal.db.change(line, async () => {});
    }
    expect(seen).toEqual([1000, 1000, 500]);
  });

  test('notices reach every process, and tasks run', async () => {
    const { db, context } = portal;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const stop = await db.listen('pgbouncer_test', resolve);
    await db.change(line, change => change.notify('pgbouncer_test', 'here'));
    expect(await promise).toBe('here');
    await stop();
    const ran = Promise.withResolvers<void>();
    const type = taskType({ name: 'tasks.echo', summary: 'A task', input: z.object({}), run: async () => ran.resolve() });
    const worker = await startWorker(context, { tasks: [type], schedule: [] });
    await db.change(line, change => change.enqueue(type, {}));
    await ran.promise;
    await worker.stop();
  });

  test.each<[string, { bouncer?: Record<string, string>; direct: 'server' | 'none' | 'pooler' | 'another' }, RegExp]>([
    ['a pooler without the server', { direct: 'none' }, /DATABASE_URL leads to PgBouncer\. Name the server itself in DATABASE_DIRECT_URL/],
    [
      'a pooler that forgets the settings of sessions',
      { bouncer: { ignore_startup_parameters: 'options' }, direct: 'none' },
      /leads to a pooler, which leaves out the settings/,
    ],
    ['a pooler twice', { direct: 'pooler' }, /DATABASE_DIRECT_URL leads to PgBouncer; it has to name the database server itself/],
    ['two databases', { direct: 'another' }, /lead to different databases/],
    ['statement mode', { bouncer: { pool_mode: 'statement' }, direct: 'server' }, /set pool_mode = transaction/],
  ])('%s is refused at the start, in a sentence', async (_, { bouncer: settings, direct }, words) => {
    const own = settings ? await startPgBouncer(server.url, settings) : bouncer;
    const [database, another] = [await server.createDatabase(await migratedTemplate()), await server.createDatabase()];
    try {
      const addresses = { server: database.url, none: undefined, pooler: own.urlOf(database.url), another: another.url };
      const opening = openDatabase({ url: own.urlOf(database.url), directUrl: addresses[direct] });
      await expect(opening).rejects.toThrow(words);
    } finally {
      if (settings) own.stop();
      await database.drop();
      await another.drop();
    }
  });

  test('sessions that the pooler opened before the role had its settings are named, with what to do', async () => {
    const database = await server.createDatabase(await migratedTemplate());
    const [url, directUrl] = [bouncer.urlOf(database.url), database.url];
    const early = await openDatabase({ url, directUrl });
    await early.change(line, change =>
      change.rows(sql`do $$ begin execute format('alter role %I in database %I reset jit', current_user, current_database()); end $$`),
    );
    await bouncer.administer('reconnect');
    await expect.poll(() => early.read.rows(sql`select current_setting('jit') as jit`)).toEqual([{ jit: 'on' }]);
    await expect(openDatabase({ url, directUrl })).rejects.toThrow(/jit is on\. Run RECONNECT in the console of PgBouncer/);
    await bouncer.administer('reconnect');
    await expect
      .poll(async () => {
        const again = await openDatabase({ url, directUrl }).catch(() => null);
        await again?.close();
        return again !== null;
      })
      .toBe(true);
    await early.close();
    await database.drop();
  });
});
