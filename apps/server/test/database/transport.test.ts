import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { connectionsOf } from '../../src/platform/database/database.ts';
import { kinds, migratedDatabase } from './migrated-database.ts';

const PLATFORM = '0001_platform.sql';

/** Behaviour that users of node-postgres rely on, on either database. */
for (const { kind, skip, title } of kinds) {
  describe.skipIf(skip)(`the wire, ${title}`, () => {
    const open = (options = {}) => migratedDatabase(kind, options, PLATFORM);

    test('answers thirty good queries, each sent after a failing one, with its own row', async () => {
      await using copy = await open();
      const { pool } = copy.database;
      for (let i = 0; i < 30; i++) {
        await expect(pool.query('select * from nowhere')).rejects.toMatchObject({ code: '42P01' });
        expect((await pool.query('select $1::int as i', [i])).rows).toEqual([{ i }]);
      }
    });

    test('errors carry constraint and code, and the position of a mistake', async () => {
      await using copy = await open();
      const { pool } = copy.database;
      await pool.query('create table t (id int constraint t_pk primary key)');
      await pool.query('insert into t values (1)');
      await expect(pool.query('insert into t values ($1)', [1])).rejects.toMatchObject({ code: '23505', constraint: 't_pk' });
      await expect(pool.query(`select 'x'::int`)).rejects.toMatchObject({ code: '22P02' });
      await expect(pool.query('selec 1')).rejects.toMatchObject({ code: '42601', position: '1' });
    });

    test('keeps twenty concurrent transactions apart, of which half fail', async () => {
      await using copy = await open();
      const { pool } = copy.database;
      await pool.query('create table t (id int primary key)');
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, i) => {
          const client = await pool.connect();
          try {
            await client.query('begin');
            await client.query('insert into t values ($1)', [i]);
            if (i % 2 === 1) await client.query('insert into t values ($1)', [i]);
            await client.query('commit');
          } catch (error) {
            await client.query('rollback');
            throw error;
          } finally {
            client.release();
          }
        }),
      );
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
      expect((await pool.query('select count(*)::int as n from t')).rows).toEqual([{ n: 10 }]);
    });

    test('shows no row of an open transaction to others, before or after a rollback', async () => {
      await using copy = await open();
      const { pool } = copy.database;
      await pool.query('create table t (id int)');
      const client = await pool.connect();
      await client.query('begin');
      await client.query('insert into t values (1)');
      const seen = pool.query('select count(*)::int as n from t');
      await client.query('rollback');
      client.release();
      expect((await seen).rows).toEqual([{ n: 0 }]);
    });

    test('rolls back when a connection dies in the middle of a transaction', async () => {
      await using copy = await open();
      const { pool } = copy.database;
      await pool.query('create table t (id int)');
      const client = await connectionsOf(copy.database).dedicated();
      await client.query('begin');
      await client.query('insert into t values (1)');
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      expect((await pool.query('select count(*)::int as n from t')).rows).toEqual([{ n: 0 }]);
    });

    test('takes the same statement name from two connections', async () => {
      await using copy = await open();
      const [one, two] = [await copy.database.pool.connect(), await copy.database.pool.connect()];
      expect((await one.query({ name: 's', text: 'select $1::int as a', values: [1] })).rows).toEqual([{ a: 1 }]);
      expect((await two.query({ name: 's', text: 'select $1::text as b', values: ['x'] })).rows).toEqual([{ b: 'x' }]);
      expect((await one.query({ name: 's', text: 'select $1::int as a', values: [2] })).rows).toEqual([{ a: 2 }]);
      one.release();
      two.release();
    });

    test('reads a result in parts and lets others in afterwards', async () => {
      await using copy = await open();
      const client = await copy.database.pool.connect();
      const query = client.query(new pg.Query({ text: 'select n from generate_series(1, 2500) n', rows: 1000 } as never));
      let rows = 0;
      query.on('row', () => rows++);
      await new Promise((resolve, reject) => query.on('end', resolve).on('error', reject));
      client.release();
      expect(rows).toBe(2500);
      expect((await copy.database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });

    test('carries a parameter of 8 MB and a result of 20 MB', async () => {
      await using copy = await open();
      const { pool } = copy.database;
      const big = 'é'.repeat(4_000_000);
      expect((await pool.query('select length($1) as n, md5($1) = md5($2) as same', [big, big])).rows).toEqual([
        { n: 4_000_000, same: true },
      ]);
      const { rows } = await pool.query(`select repeat('x', 1000) as line from generate_series(1, 20000)`);
      expect(rows).toHaveLength(20_000);
    });

    test('keeps order when queries are pipelined on one connection', async () => {
      await using copy = await open();
      const client = await copy.database.pool.connect();
      const answers = await Promise.allSettled([client.query('select 1 as n'), client.query('selec'), client.query('select 3 as n')]);
      client.release();
      expect(answers.map(answer => (answer.status === 'fulfilled' ? answer.value.rows[0].n : answer.reason.code))).toEqual([1, '42601', 3]);
    });

    test('brings a notification to a listener on another connection, and only when it is committed', async () => {
      await using copy = await open();
      const client = await connectionsOf(copy.database).dedicated();
      const heard: string[] = [];
      const second = new Promise<void>(resolve => {
        client.on('notification', ({ payload }) => {
          heard.push(payload ?? '');
          if (heard.at(-1) === 'kept') resolve();
        });
      });
      await client.query('listen news');
      const writer = await copy.database.pool.connect();
      await writer.query('begin');
      await writer.query(`notify news, 'dropped'`);
      await writer.query('rollback');
      await writer.query(`notify news, 'kept'`);
      writer.release();
      await second;
      expect(heard).toEqual(['kept']);
      await client.end();
    });

    test('gives numbers, instants, dates, bytes, networks and JSON in their own shapes', async () => {
      await using copy = await open();
      const rows = await copy.database.read.rows(sql`select 9007199254740991::int8 as big, count(*) as count, '2026-11-21'::date as day,
        '2026-11-21 10:00:00.5+10'::timestamptz as instant, array[1, null]::int8[] as numbers, '\\x00ff'::bytea as bytes,
        '192.0.2.0/24'::cidr as prefix, '2001:db8::1'::inet as address, '{"aB": [1, null]}'::jsonb as json_value,
        array['a,b', null, '"'] as texts, array['2026-11-21T00:00:00Z']::timestamptz[] as instants, 1.50::numeric as exact`);
      expect(rows).toEqual([
        {
          big: 9007199254740991,
          count: 1,
          day: '2026-11-21',
          instant: '2026-11-21T00:00:00.500Z',
          numbers: [1, null],
          bytes: Buffer.from([0, 255]),
          prefix: '192.0.2.0/24',
          address: '2001:db8::1',
          jsonValue: { aB: [1, null] },
          texts: ['a,b', null, '"'],
          instants: ['2026-11-21T00:00:00.000Z'],
          exact: '1.50',
        },
      ]);
    });

    test('leaves libraries that share the connections their own types', async () => {
      await using copy = await open();
      const { rows } = await copy.database.pool.query(`select '2026-11-21T00:00:00Z'::timestamptz as at, 1::int8 as n`);
      expect(rows).toEqual([{ at: new Date('2026-11-21T00:00:00Z'), n: '1' }]);
    });
  });
}

describe('the wire, embedded', () => {
  const open = (options = {}) => migratedDatabase('embedded', options, PLATFORM);

  test('refuses COPY over the wire with 0A000, aborts its transaction, and continues', async () => {
    await using copy = await open();
    const { pool } = copy.database;
    await pool.query('create table t (a text)');
    for (const text of ['copy t from stdin', 'COPY t\nTO STDOUT', '/* in bulk */ copy t (a) from stdin with csv'])
      await expect(pool.query(text)).rejects.toMatchObject({ code: '0A000' });
    const client = await pool.connect();
    await client.query('begin');
    await client.query('insert into t values ($1)', ['x']);
    await expect(client.query({ text: 'copy t from stdin', queryMode: 'extended' } as pg.QueryConfig)).rejects.toMatchObject({
      code: '0A000',
    });
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('rollback');
    client.release();
    expect((await pool.query('select count(*)::int as n from t')).rows).toEqual([{ n: 0 }]);
  });

  test('answers a query sent during an open transaction, from inside it, with 57014 and the rule', async () => {
    await using copy = await open({ waitLimit: 200 });
    const { change, unrecorded } = copy.database;
    const activity = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
    const attempt = change(activity, () => unrecorded.selectFrom('task').selectAll().execute());
    await expect(attempt).rejects.toMatchObject({ code: '57014', hint: expect.stringContaining('Inside change, use change') });
    expect(await copy.database.read.selectFrom('activity').selectAll().execute()).toEqual([]);
  });

  test('waits for a transaction that is at work longer than for an idle one', async () => {
    await using copy = await open({ waitLimit: 300 });
    const { change, read } = copy.database;
    const activity = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
    let waiting: Promise<unknown> | undefined;
    await change(activity, async at => {
      waiting = read.selectFrom('activity').selectAll().execute();
      const end = performance.now() + 700;
      while (performance.now() < end) await at.rows(sql`select 1`);
    });
    expect(await waiting).toHaveLength(1);
  });

  test('keeps each connection in its own mode in any order', async () => {
    await using copy = await open();
    const { reader, writer } = connectionsOf(copy.database);
    await writer.query('create table t (id int)');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? writer : reader).query('insert into t values ($1)', [i])),
    );
    expect(outcomes.map(outcome => (outcome.status === 'fulfilled' ? 'written' : outcome.reason.code))).toEqual(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? 'written' : '25006')),
    );
  });
});
