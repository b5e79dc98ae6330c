import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Change, Database } from '../../src/platform/database/index.ts';
import { kinds, migratedDatabase } from './migrated-database.ts';

const PLATFORM = '0001_platform.sql';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const activity = { action: 'shelf.change', summary: 'Changed a shelf', traceId };

/** A guarded table with a secret, a short-lived table, and dependants of the first. */
async function makeShelf(database: Database): Promise<void> {
  for (const statement of [
    'create table shelf (id int primary key, name text not null, password text)',
    `call keep_history('shelf', secret_columns => '{password}')`,
    'create table book (id int primary key, shelf_id int not null references shelf on delete cascade)',
    `call keep_history('book')`,
    'create table code (id int primary key, value text)',
    `call keep_history('code', with_copy => false)`,
  ])
    await database.pool.query(statement);
}

const history = (database: Database) =>
  database.read
    .selectFrom('rowChange')
    .select(['activityId', 'tableName', 'operation', 'before', 'after'])
    .orderBy('rowChangeId')
    .execute();

for (const { kind, skip, title } of kinds) {
  describe.skipIf(skip)(`read and change, ${title}`, () => {
    const open = async () => {
      const copy = await migratedDatabase(kind, {}, PLATFORM);
      await makeShelf(copy.database);
      return copy;
    };

    test('a read is refused to write, by the database itself', async () => {
      await using copy = await open();
      const { read, change } = copy.database;
      for (const write of [
        sql`insert into shelf values (1, 'a', null)`,
        sql`with gone as (delete from shelf returning id) select * from gone`,
        sql`select nextval('activity_activity_id_seq')`,
        sql`create table x ()`,
        sql`call keep_history('task')`,
      ])
        await expect(read.rows(write)).rejects.toMatchObject({ code: '25006' });
      await change(activity, async at => void (await at.rows(sql`insert into shelf values (1, 'a', null)`)));
      await expect(
        read
          .with('gone', db => db.deleteFrom('task').returning('taskId'))
          .selectFrom('gone')
          .selectAll()
          .execute(),
      ).rejects.toMatchObject({
        code: '25006',
      });
    });

    test('a read cannot make its connection writable', async () => {
      await using copy = await open();
      await copy.database.read.rows(sql`set default_transaction_read_only = off`).catch(() => {});
      for (let i = 0; i < 12; i++)
        await expect(
          copy.database.read.rows(sql`insert into activity_seal (position, activity_id, hash) values (${i + 1}, 1, '')`),
        ).rejects.toMatchObject({
          code: '25006',
        });
    });

    test('one query is one statement: nothing can be appended', async () => {
      await using copy = await open();
      await expect(copy.database.read.rows(sql.raw('select 1; commit'))).rejects.toMatchObject({ code: '42601' });
    });

    test('a change leaves its line, with who, when and what it noted', async () => {
      await using copy = await open();
      const { change, read } = copy.database;
      const now = await change(
        {
          ...activity,
          accountName: 'EXAMPLE-AU',
          login: { issuer: 'https://login.example.net', subject: 'corin' },
          contactId: '7',
          sid: 's1',
          amr: ['pwd', 'otp'],
          address: '192.0.2.1',
        },
        async at => {
          await at.note({ shelf: 1 });
          await at.note({ books: [2] });
          return at.now;
        },
      );
      expect(await read.selectFrom('activity').selectAll().execute()).toEqual([
        {
          activityId: 1,
          happenedAt: now,
          action: 'shelf.change',
          summary: 'Changed a shelf',
          traceId,
          accountName: 'EXAMPLE-AU',
          loginIssuer: 'https://login.example.net',
          loginSubject: 'corin',
          contactId: '7',
          sid: 's1',
          amr: ['pwd', 'otp'],
          address: '192.0.2.1',
          refusal: null,
          details: { shelf: 1, books: [2] },
          digest: expect.any(Buffer),
        },
      ]);
    });

    test('a change that throws leaves no rows, no log line and no task', async () => {
      await using copy = await open();
      const { change, read } = copy.database;
      const failing = change(activity, async at => {
        await at.rows(sql`insert into shelf values (1, 'a', null)`);
        await at.enqueue({ name: 'sort', input: z.object({}) }, {});
        throw new Error('no room');
      });
      await expect(failing).rejects.toThrow('no room');
      expect(await read.rows(sql`select id from shelf`)).toEqual([]);
      expect(await read.selectFrom('activity').selectAll().execute()).toEqual([]);
      expect(await read.selectFrom('task').selectAll().execute()).toEqual([]);
      expect(await read.rows(sql`select id from graphile_worker._private_jobs`)).toEqual([]);
    });

    test('no row changes outside a recorded activity, even when the statement finds none', async () => {
      await using copy = await open();
      const { pool } = copy.database;
      for (const table of ['shelf', 'code']) {
        const refused = `change of ${table} outside a recorded activity`;
        const column = table === 'shelf' ? 'name' : 'value';
        await expect(pool.query(`insert into ${table} (id, ${column}) values (1, 'a')`)).rejects.toThrow(refused);
        await expect(pool.query(`update ${table} set id = 2`)).rejects.toThrow(refused);
        await expect(pool.query(`delete from ${table}`)).rejects.toThrow(refused);
        await expect(pool.query(`truncate ${table} cascade`)).rejects.toThrow('outside a recorded activity');
        await expect(copy.database.change(activity, at => at.rows(sql.raw(`truncate ${table} cascade`)))).rejects.toThrow(
          'outside a recorded activity',
        );
      }
      await expect(pool.query(`insert into row_change (activity_id, table_name, operation) values (1, 'shelf', 'DELETE')`)).rejects.toThrow(
        'outside a recorded activity',
      );
    });

    test('an activity doesn’t apply to statements after it', async () => {
      await using copy = await open();
      await copy.database.change(activity, async at => void (await at.rows(sql`insert into shelf values (1, 'a', null)`)));
      for (let i = 0; i < 8; i++)
        await expect(copy.database.pool.query('delete from shelf')).rejects.toThrow('outside a recorded activity');
      await expect(copy.database.unrecorded.deleteFrom('shelf' as never).execute()).rejects.toThrow('outside a recorded activity');
    });

    test('history keeps the old and new row, without its secrets', async () => {
      await using copy = await open();
      const { change } = copy.database;
      await change(activity, async at => void (await at.rows(sql`insert into shelf values (1, 'a', 'hunter2'), (2, 'b', null)`)));
      await change(activity, async at => {
        await at.rows(sql`update shelf set name = 'c' where id = 1`);
        await at.rows(sql`update shelf set name = name`);
        await at.rows(sql`update shelf set password = 'hunter3' where id = 1`);
        await at.rows(sql`insert into shelf values (1, 'x', null) on conflict (id) do update set name = 'd'`);
        await at.rows(sql`insert into code values (1, '123456')`);
      });
      await change(activity, async at => {
        await at.rows(sql`insert into book values (5, 1)`);
        await at.rows(sql`delete from shelf where id = 1`);
      });
      const shelf = { activityId: 2, tableName: 'shelf' };
      expect(await history(copy.database)).toEqual([
        { activityId: 1, tableName: 'shelf', operation: 'INSERT', before: null, after: { id: 1, name: 'a' } },
        { activityId: 1, tableName: 'shelf', operation: 'INSERT', before: null, after: { id: 2, name: 'b' } },
        { ...shelf, operation: 'UPDATE', before: { id: 1, name: 'a' }, after: { id: 1, name: 'c' } },
        { ...shelf, operation: 'UPDATE', before: { id: 1, name: 'c' }, after: { id: 1, name: 'c' } },
        { ...shelf, operation: 'UPDATE', before: { id: 1, name: 'c' }, after: { id: 1, name: 'd' } },
        { activityId: 3, tableName: 'book', operation: 'INSERT', before: null, after: { id: 5, shelf_id: 1 } },
        { activityId: 3, tableName: 'shelf', operation: 'DELETE', before: { id: 1, name: 'd' }, after: null },
        { activityId: 3, tableName: 'book', operation: 'DELETE', before: { id: 5, shelf_id: 1 }, after: null },
      ]);
      expect(JSON.stringify(await copy.database.read.rows(sql`select * from row_change`))).not.toMatch(/hunter|123456/);
    });

    test('keep_history refuses an unknown secret column', async () => {
      await using copy = await open();
      await copy.database.pool.query('create table late (id int)');
      await expect(copy.database.pool.query(`call keep_history('late', secret_columns => '{pasword}')`)).rejects.toThrow(
        'keep_history: table late has no column pasword',
      );
    });

    test('the log is append-only', async () => {
      await using copy = await open();
      const { change, pool } = copy.database;
      await change(activity, async at => void (await at.rows(sql`insert into shelf values (1, 'a', null)`)));
      await expect(pool.query(`update activity set summary = 'x'`)).rejects.toThrow('activity only grows');
      await expect(pool.query(`update activity set details = '{}'`)).rejects.toThrow('activity 1 is not the current one');
      await expect(pool.query('delete from activity')).rejects.toThrow('activity only grows');
      await expect(pool.query('truncate activity cascade')).rejects.toThrow('only grows');
      await expect(pool.query(`update row_change set after = null`)).rejects.toThrow('row_change only grows');
      await expect(pool.query('delete from row_change')).rejects.toThrow('row_change only grows');
      await expect(pool.query('truncate row_change')).rejects.toThrow('row_change only grows');
      await expect(
        change(activity, at => at.rows(sql`update activity set summary = 'x' where activity_id = ${at.activityId}`)),
      ).rejects.toThrow('nothing but details');
      await expect(change(activity, at => at.rows(sql`update activity set details = '{}' where activity_id = 1`))).rejects.toThrow(
        'activity 1 is not the current one',
      );
    });

    test('a refused call leaves its own line with the code', async () => {
      await using copy = await open();
      await copy.database.recordRefusal({ ...activity, accountName: 'EXAMPLE-AU' }, 'FORBIDDEN');
      expect(await copy.database.read.selectFrom('activity').select(['accountName', 'refusal']).execute()).toEqual([
        { accountName: 'EXAMPLE-AU', refusal: 'FORBIDDEN' },
      ]);
    });

    test('a dry run answers what the change would, and leaves nothing', async () => {
      await using copy = await open();
      const { rehearse, read } = copy.database;
      const rows = await rehearse(activity, async at => {
        await at.rows(sql`insert into shelf values (1, 'a', null)`);
        await at.enqueue({ name: 'sort', input: z.object({}) }, {});
        return at.rows(sql`select id, name from shelf`);
      });
      expect(rows).toEqual([{ id: 1, name: 'a' }]);
      expect(
        await read.rows(sql`select (select count(*) from shelf) + (select count(*) from activity) + (select count(*) from row_change)
        + (select count(*) from task) + (select count(*) from graphile_worker._private_jobs) as left_behind`),
      ).toEqual([{ leftBehind: 0 }]);
    });

    test('a task exists if and only if its change commits, with the input its type allows', async () => {
      await using copy = await open();
      const { change, read } = copy.database;
      const sort = { name: 'shelves.sort', summary: 'Sorted shelves', input: z.object({ shelf: z.number().int() }) };
      const taskId = await change({ ...activity, accountName: 'EXAMPLE-AU' }, at =>
        at.enqueue(sort, { shelf: 1 }, { queue: 'shelves', attempts: 3 }),
      );
      expect(await read.selectFrom('task').selectAll().executeTakeFirst()).toMatchObject({
        taskId,
        name: 'shelves.sort',
        summary: 'Sorted shelves',
        input: { shelf: 1 },
        accountName: 'EXAMPLE-AU',
        activityId: 1,
        state: 'queued',
        outcome: null,
      });
      expect(
        await read.rows(sql`select j.payload, j.max_attempts, q.queue_name, t.identifier from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id join graphile_worker._private_job_queues q on q.id = j.job_queue_id`),
      ).toEqual([{ payload: { taskId }, maxAttempts: 3, queueName: 'shelves', identifier: 'shelves.sort' }]);
      await expect(change(activity, at => at.enqueue(sort, { shelf: 1.5 }))).rejects.toThrow(z.ZodError);
      expect(await read.selectFrom('task').select('taskId').execute()).toHaveLength(1);
    });

    test('only the failed attempt is rolled back', async () => {
      await using copy = await open();
      await copy.database.change(activity, async at => {
        await at.rows(sql`insert into shelf values (1, 'a', null)`);
        await expect(
          at.attempt(async () => {
            await at.rows(sql`insert into shelf values (2, 'b', null)`);
            await at.rows(sql`insert into shelf values (1, 'again', null)`);
          }),
        ).rejects.toMatchObject({ code: '23505' });
        await at.attempt(() => at.note({ tried: true }));
      });
      expect(await copy.database.read.rows(sql`select id from shelf`)).toEqual([{ id: 1 }]);
      expect(await history(copy.database)).toHaveLength(1);
    });

    test('a big result streams in batches of one instant, and lets changes in between', async () => {
      await using copy = await open();
      const { change, read } = copy.database;
      await change(
        activity,
        async at => void (await at.rows(sql`insert into shelf select n, 'shelf ' || n, null from generate_series(1, 2500) n`)),
      );
      const sizes: number[] = [];
      for await (const rows of read.stream(
        sql<{ id: number; shelfName: string }>`select id, name as shelf_name from shelf where id > ${0} order by id`,
      )) {
        if (sizes.length === 0) expect(rows[0]).toEqual({ id: 1, shelfName: 'shelf 1' });
        sizes.push(rows.length);
        await change(activity, async at => void (await at.rows(sql`delete from shelf where id > 1000`)));
      }
      expect(sizes).toEqual([1000, 1000, 500]);
      for await (const rows of read.stream(read.selectFrom('activity').select('activityId'), 2)) {
        expect(rows).toHaveLength(2);
        break;
      }
      expect(await read.rows(sql`select name from pg_cursors where name like 'stream%'`)).toEqual([]);
      const inside = await change(activity, async at => {
        let n = 0;
        for await (const rows of at.stream(at.selectFrom('rowChange').select('tableName'))) n += rows.length;
        return n;
      });
      expect(inside).toBe(4000);
    });

    test("a listener receives a change's notification when it commits", async () => {
      await using copy = await open();
      const { database } = copy;
      const heard: string[] = [];
      expect(database.listening).toBe(false);
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = await database.listen('permissions', payload => {
        heard.push(payload);
        if (payload === 'last') resolve();
      });
      expect(database.listening).toBe(true);
      await database.change(activity, at => at.notify('permissions', 'one'));
      await database.rehearse(activity, at => at.notify('permissions', 'rehearsed'));
      await database.change(activity, at => at.notify('permissions', 'last'));
      await promise;
      expect(heard).toEqual(['one', 'last']);
      await stop();
    });

    test('the clock of the database is the instant of its changes', async () => {
      await using copy = await migratedDatabase(kind, { clock: () => new Date('2026-07-01T00:00:00Z') }, PLATFORM);
      expect(await copy.database.change(activity, async at => at.now)).toBe('2026-07-01T00:00:00.000Z');
      expect(await copy.database.read.selectFrom('activity').select('happenedAt').execute()).toEqual([
        { happenedAt: '2026-07-01T00:00:00.000Z' },
      ]);
    });

    test('a change runs again after a serialisation failure, three times at most', async () => {
      await using copy = await open();
      const failing = (times: number) => {
        let runs = 0;
        return async (at: Change) => {
          runs++;
          if (runs <= times) await at.rows(sql.raw(`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`));
          return runs;
        };
      };
      expect(await copy.database.change(activity, failing(3))).toBe(4);
      await expect(copy.database.change(activity, failing(4))).rejects.toMatchObject({ code: '40001' });
      expect(await copy.database.read.selectFrom('activity').selectAll().execute()).toHaveLength(1);
    });
  });
}

const postgres = kinds.find(({ kind }) => kind === 'postgres');
describe.skipIf(postgres?.skip)(`a server under load, ${postgres?.title}`, () => {
  const open = async () => {
    const copy = await migratedDatabase('postgres', { timeouts: { read: 200, change: 400 } }, PLATFORM);
    await makeShelf(copy.database);
    return copy;
  };

  test('two changes that collide both happen, one after the other', async () => {
    await using copy = await open();
    const { change, read } = copy.database;
    await change(activity, async at => void (await at.rows(sql`insert into shelf values (1, '0', null)`)));
    const both = Promise.withResolvers<void>();
    let readers = 0;
    const increment = () =>
      change(
        activity,
        async at => {
          const [row] = await at.rows<{ name: string }>(sql`select name from shelf where id = 1`);
          readers++;
          if (readers === 2) both.resolve();
          if (readers < 2) await both.promise;
          await at.rows(sql`update shelf set name = ${String(Number(row?.name) + 1)} where id = 1`);
        },
        { isolation: 'serializable' },
      );
    await Promise.all([increment(), increment()]);
    expect(await read.rows(sql`select name from shelf`)).toEqual([{ name: '2' }]);
    expect(readers).toBeGreaterThan(2);
  });

  test('a statement that takes too long is cancelled, a read sooner; a change may have a longer limit', async () => {
    await using copy = await open();
    const { change, read } = copy.database;
    await expect(read.rows(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' });
    await expect(change(activity, at => at.rows(sql`select pg_sleep(5)`))).rejects.toMatchObject({ code: '57014' });
    await change(activity, at => at.rows(sql`select pg_sleep(0.6)`), { timeout: 5_000 });
    await expect(change(activity, at => at.rows(sql`select pg_sleep(5)`))).rejects.toMatchObject({ code: '57014' });
  });

  test('a lost listener reports it, reconnects automatically, and receives again', async () => {
    await using copy = await open();
    const { database } = copy;
    const back = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<string>();
    const states: boolean[] = [];
    await database.listen('news', heard.resolve);
    database.onListening(listening => {
      states.push(listening);
      if (listening) back.resolve();
    });
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
    );
    await back.promise;
    expect(states).toEqual([false, true]);
    await database.change(activity, at => at.notify('news', 'again'));
    expect(await heard.promise).toBe('again');
  });
});
