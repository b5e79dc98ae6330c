import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { throwawayPostgres } from '../../../test/database/throwaway-postgres.ts';
import { mixBox, wipeBox } from './box-order.ts';
import { migrate, openDatabase } from '../../platform/database/index.ts';

const { server } = await throwawayPostgres({ inMemory: true });
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const receipt = 'A'.repeat(16);

/** Connects to a database, with the rights of the server's administrator. */
async function connected(connectionString: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

describe.skipIf(server === null)('the ballot box of a portal whose database role is no superuser', () => {
  test('the portal’s role can put ballots in and read none before the close, and the role of the box reads no voter', async () => {
    await using root = await connected(server!.url);
    const role = `registry_${process.pid}`;
    await root.query(`create role ${role} login createrole`);
    const made = await server!.createDatabase();
    await root.query(`alter database ${made.name} owner to ${role}`);
    const url = new URL(made.url);
    url.username = role;
    const db = await openDatabase({ url: url.href });
    try {
      await migrate(db);
      const electionId = await db.change(line, async change => {
        const [election] = await change.rows<{ id: number }>(sql`
          insert into election (kind, title, time_zone, state, created_at, published_at)
          values ('other', 'A question', 'UTC', 'published', now(), now()) returning election_id::int as id`);
        await change.rows(sql`insert into election_window (election_id, kind, opens_at, closes_at)
          values (${election!.id}, 'member-vote', now() - interval '1 hour', now() + interval '1 hour')`);
        return election!.id;
      });
      const store = sql`select ballots.store(${receipt}, ${electionId}, 1, 4, '{1,2}'::int[]) as stored`;
      await expect(store.execute(db.unrecorded)).rejects.toThrow('within an activity');
      expect(await db.change(line, change => change.rows(store as never))).toEqual([{ stored: true }]);
      expect(await db.change(line, change => change.rows(store as never))).toEqual([{ stored: false }]);

      // No statement can read, change or empty the box.
      for (const statement of [
        sql`select * from ballots.ballot`,
        sql`select count(*) from ballots.ballot`,
        sql`select xmin, ctid from ballots.ballot`,
        sql`update ballots.ballot set choices = '{1}'`,
        sql`delete from ballots.ballot`,
        sql`copy ballots.ballot to stdout`,
        sql`alter table ballots.ballot owner to current_user`,
        sql`create or replace function ballots.count_of(bigint, integer) returns integer language sql as 'select 1'`,
        sql`create table ballots.more ()`,
        sql`set role registry_ballots`,
      ])
        await expect(statement.execute(db.unrecorded)).rejects.toThrow(/permission denied|must be (owner|able)|not permitted/);
      const rows = <Row>(query: ReturnType<typeof sql<Row>>) => query.execute(db.unrecorded).then(answer => answer.rows);
      expect(await rows(sql`select * from ballots.published(${electionId}, 1)`)).toEqual([]);
      expect(
        await rows(sql`select ballots.count_of(${electionId}, 1) as count, ballots.holds(${receipt}, ${electionId}, 1, 4) as held`),
      ).toEqual([{ count: 1, held: true }]);
      await expect(db.change(line, change => change.rows(sql`select * from ballots.empty_box(${electionId})`))).rejects.toThrow(
        'is not over',
      );

      // In the order in which they are cast, until they are mixed: from then on neither place nor transaction says when.
      await using root = await connected(made.url);
      const cast = ['Z', 'C', 'M', 'B', 'Y'].map(sign => sign.repeat(16));
      for (const each of cast)
        await db.change(line, change => change.rows(sql`select ballots.store(${each}, ${electionId}, 1, 4, '{1}'::int[]) as stored`));
      const inBox = async () =>
        (await root.query<{ receipt: string; xmin: string }>('select receipt, xmin::text from ballots.ballot order by ctid')).rows;
      expect((await inBox()).map(each => each.receipt)).toEqual([receipt, ...cast]);
      await mixBox(db);
      const mixed = await inBox();
      expect(mixed.map(each => each.receipt)).toEqual([receipt, ...cast].toSorted());
      expect(new Set(mixed.map(each => each.xmin)).size).toBe(1);
      // Nothing is written where nothing was cast since.
      await mixBox(db);
      expect(await inBox()).toEqual(mixed);
      await wipeBox(db, new Date());
      expect(await inBox()).toEqual(mixed);

      // The role of the box sees the timetable, and neither voters nor accounts.
      await using box = await connected(made.url);
      await box.query('set role registry_ballots');
      expect((await box.query('select receipt from ballots.ballot')).rows.length).toBe(6);
      expect((await box.query('select count(*)::int as count from election_window')).rows).toEqual([{ count: 1 }]);
      const { rows: tables } = await box.query<{ name: string }>(
        `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
          and has_table_privilege('registry_ballots', c.oid, 'select, insert, update, delete') order by 1`,
      );
      expect(tables.map(({ name }) => name)).toEqual(['election', 'election_window']);
      for (const table of ['election_vote', 'attendee_vote', 'ballot_session', 'account', 'login', 'activity'])
        await expect(box.query(`select from ${table}`)).rejects.toThrow('permission denied');

      await db.change(line, change => change.rows(sql`update election_window set closes_at = now() - interval '1 minute'`));
      const published = await rows<{ receipt: string }>(sql`select * from ballots.published(${electionId}, 1)`);
      expect(published[0]).toEqual({ receipt, votes: 4, choices: [1, 2] });
      expect(published.map(each => each.receipt)).toEqual(mixed.map(each => each.receipt));
      const emptied = await db.change(line, change =>
        change.rows<{ receipt: string }>(sql`select receipt from ballots.empty_box(${electionId})`),
      );
      expect(emptied.map(each => each.receipt).toSorted()).toEqual(mixed.map(each => each.receipt));
      // The file of the box still has them, until it is exchanged.
      const size = async () => (await root.query<{ size: string }>(`select pg_relation_size('ballots.ballot') as size`)).rows[0]!.size;
      expect(await size()).not.toBe('0');
      await wipeBox(db, new Date());
      expect(await size()).toBe('0');
    } finally {
      await db.close();
      await made.drop();
      await root.query(`drop role ${role}`);
    }
  }, 120_000);
});
