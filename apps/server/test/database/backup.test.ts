import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  backup,
  copyDatabase,
  type Database,
  inspectBackup,
  migrate,
  openDatabase,
  restore,
  sealActivities,
  verify,
} from '../../src/platform/database/index.ts';
import { MIGRATIONS } from '../../src/platform/database/migrations.ts';
import { testSecrets } from '../context.ts';
import { copiedDatabase, emptyDatabase, type Kind, kinds, type TestCopy, templateDatabase } from './migrated-database.ts';

let home: string;
/** The program's first migration and a sample registry, whose rows hold everything that is hard to copy. */
let folder: string;

const SHELVES = `
create table shelf (shelf_id bigint generated always as identity primary key, above_id bigint references shelf, name text, facts jsonb,
  prefixes cidr[], weight numeric, bytes bytea, since timestamptz, span int8range, password text, name_length int generated always as (length(name)) stored);
create table aisle (name text primary key, best_shelf_id bigint references shelf);
alter table shelf add column aisle text references aisle deferrable initially deferred;
create index on shelf using gist (span);
create materialized view shelf_count as select count(*)::int as shelves from shelf;
call keep_history('shelf', secret_columns => '{password}');
call keep_history('aisle');`;

/** Drops a column that the history has, and one that the digests have. */
const CONTRACTION = `
alter table shelf drop column weight, drop column password, add column colour text not null default 'oak';
do $$
declare line bigint;
begin
  insert into activity (action, summary, trace_id) values ('operator.migrate', 'Took digests of shelves anew', repeat('0', 32)) returning activity_id into line;
  perform set_config('portal.activity_id', line::text, true);
  call renew_digests('shelf');
  perform set_config('portal.activity_id', '', true);
end $$;`;

const activity = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-backup-'));
  folder = path.join(home, 'migrations');
  fs.mkdirSync(folder);
  fs.copyFileSync(path.join(MIGRATIONS, '0001_platform.sql'), path.join(folder, '0001_platform.sql'));
  fs.writeFileSync(path.join(folder, '0002_shelves.sql'), SHELVES);
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

let lastFile = 0;
const newFile = (): string => path.join(home, `backup-${++lastFile}`);

let snapshot: Promise<Blob> | undefined;
let template: Promise<string> | undefined;

/** Creates a registry of shelves: a copy of the first of its kind. */
async function filled(kind: Kind): Promise<TestCopy> {
  if (kind === 'postgres') {
    template ??= templateDatabase(fill);
    return copiedDatabase(await template);
  }
  snapshot ??= (async () => {
    await using first = await emptyDatabase(kind);
    await fill(first.database);
    return await first.database.snapshot();
  })();
  const database = await openDatabase({ url: 'memory://', snapshot: await snapshot });
  return { database, url: 'memory://', [Symbol.asyncDispose]: () => database.close() };
}

async function fill(database: Database): Promise<void> {
  await migrate(database, { folder });
  await database.change(activity, async change => {
    await change.rows(sql`insert into aisle values ('north')`);
    await change.rows(sql`insert into shelf (above_id, name, facts, prefixes, weight, bytes, since, span, password, aisle)
      select case when n > 1 then n - 1 end, case when n % 7 > 0 then 'shelf ' || n || ${' "é\\\u2028\t\n,{}'} end, jsonb_build_object('n', n, 'big', 12345678901234567890.10),
        array['192.0.2.0/24', '2001:db8::/32']::cidr[], n / 3.0, decode(md5(n::text), 'hex'), '2026-11-21 10:00:00.123456+10', int8range(n, n + 5), 'secret', 'north'
      from generate_series(1, 2500) n`);
    await change.rows(sql`update aisle set best_shelf_id = 7`);
    await change.rows(sql`delete from shelf where shelf_id = 2500`);
    await change.note({ why: 'spring' });
    await change.enqueue({ name: 'sort', input: z.object({}) }, {}, { queue: 'shelves', runAt: '2030-01-01T00:00:00Z', attempts: 4 });
  });
  await database.recordRefusal(activity, 'FORBIDDEN');
  await sealActivities(database, testSecrets);
  await database.unrecorded.updateTable('task').set({ state: 'running' }).execute();
}

const hashes = async (database: Database) => (await verify(database)).tables;

for (const { kind, skip, title } of kinds) {
  describe.skipIf(skip)(`backup and restore, ${title}`, () => {
    test('a restored database is equal, continues its sequences, and protects its tables', async () => {
      await using copy = await filled(kind);
      const file = newFile();
      const steps: string[] = [];
      const summary = await backup(copy.database, file, { onProgress: (table, rows) => steps.push(`${table} ${rows}`), folder });
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect(steps).toContain('shelf 2499');
      const [history, digests, ends] = [1 + 2500 + 1 + 1, 2500 + 1, 1];
      expect(summary).toMatchObject({ file, tables: 12, rows: 2499 + 1 + 2 + 2 + 1 + history + digests + ends });
      expect(await inspectBackup(file)).toMatchObject({
        sha256: summary.sha256,
        rows: summary.rows,
        header: { migrations: [{}, { name: '0002_shelves.sql' }] },
      });

      for (const target of kinds) {
        if (target.skip) continue;
        await using other = await emptyDatabase(target.kind);
        expect(await restore(other.database, file, { folder })).toMatchObject({ rows: summary.rows, sha256: summary.sha256 });
        expect(await hashes(other.database)).toEqual(await hashes(copy.database));
        expect(await verify(other.database, { folder })).toMatchObject({ problems: [], chain: { sealed: 2, unsealed: 0 } });
        expect(await other.database.read.rows(sql`select * from shelf_count`)).toEqual([{ shelves: 2499 }]);
        expect(
          await other.database.read.rows(sql`select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts from graphile_worker._private_jobs j
            join graphile_worker._private_tasks t on t.id = j.task_id join graphile_worker._private_job_queues q on q.id = j.job_queue_id`),
        ).toEqual([
          { identifier: 'sort', payload: { taskId: 1 }, queueName: 'shelves', runAt: '2030-01-01T00:00:00.000Z', maxAttempts: 4 },
        ]);
        await expect(other.database.pool.query(`update shelf set name = 'x'`)).rejects.toThrow('outside a recorded activity');
        await expect(other.database.pool.query(`delete from activity`)).rejects.toThrow('only grows');
        await other.database.change(activity, async change => {
          const [row] = await change.rows<{ shelfId: number }>(sql`insert into shelf (above_id) values (7) returning shelf_id`);
          expect(row?.shelfId).toBeGreaterThan(2500);
          await expect(change.attempt(() => change.rows(sql`insert into shelf (above_id) values (9999)`))).rejects.toMatchObject({
            code: '23503',
          });
        });
      }
    });

    test('fills a database only if it is empty or may be replaced, and then completely', async () => {
      await using copy = await filled(kind);
      const file = newFile();
      await backup(copy.database, file, { folder });
      const before = await hashes(copy.database);
      await copy.database.change(activity, async change => void (await change.rows(sql`insert into aisle values ('south')`)));
      await expect(restore(copy.database, file, { folder })).rejects.toThrow('or add --replace');
      expect(await copy.database.read.rows(sql`select name from aisle order by 1`)).toHaveLength(2);
      await restore(copy.database, file, { folder, replace: true });
      expect(await hashes(copy.database)).toEqual(before);
    });

    test('a restore that fails leaves the database as it was', async () => {
      await using copy = await filled(kind);
      const file = newFile();
      await backup(copy.database, file, { folder });
      const lines = gunzipSync(fs.readFileSync(file)).toString().split('\n').slice(0, -2);
      const broken = rewritten(lines.map(line => (line.startsWith('["north"') ? '["north","99999"]' : line)));
      const before = await hashes(copy.database);
      await expect(restore(copy.database, broken, { folder, replace: true })).rejects.toMatchObject({ code: '23503' });
      expect(await hashes(copy.database)).toEqual(before);
      await expect(copy.database.pool.query('delete from shelf')).rejects.toThrow('outside a recorded activity');
    });

    test('an older backup is restored at its version and then brought up to date; a newer database refuses it', async () => {
      await using copy = await filled(kind);
      const file = newFile();
      await backup(copy.database, file, { folder });
      const newer = path.join(home, `newer-${kind}`);
      fs.cpSync(folder, newer, { recursive: true });
      fs.writeFileSync(path.join(newer, '0003_colour.sql'), `alter table shelf add column colour text not null default 'oak';`);
      await using other = await emptyDatabase(kind);
      await restore(other.database, file, { folder: newer });
      expect(await other.database.read.rows(sql`select distinct colour from shelf`)).toEqual([{ colour: 'oak' }]);
      await expect(restore(other.database, file, { folder: newer, replace: true })).rejects.toThrow(
        'has 0003_colour.sql already and the backup is older',
      );

      const second = newFile();
      await backup(other.database, second, { folder: newer });
      await using third = await emptyDatabase(kind);
      await expect(restore(third.database, second, { folder })).rejects.toThrow(
        'The backup needs 0003_colour.sql, which this version does not have',
      );
    });

    test('verify accepts a column added or removed by a later version', async () => {
      await using copy = await filled(kind);
      const { database } = copy;
      const later = fs.mkdtempSync(path.join(home, 'later-'));
      fs.cpSync(folder, later, { recursive: true });
      fs.writeFileSync(path.join(later, '0003_shelves_contract.sql'), CONTRACTION);
      await migrate(database, { folder: later });
      expect((await verify(database, { folder: later })).problems).toEqual([]);
      await database.change(activity, change => change.rows(sql`update shelf set colour = 'red' where shelf_id = 2`));
      expect((await verify(database, { folder: later })).problems).toEqual([]);

      await database.pool.query(`alter table shelf disable trigger user; update shelf set name = 'another' where shelf_id = 3;
        update shelf set colour = 'blue' where shelf_id = 2; alter table shelf enable trigger user`);
      expect((await verify(database, { folder: later })).problems).toEqual([
        'The row [2] of shelf is not what its history says it became.',
        'The row [3] of shelf is not what its history says it became.',
      ]);
      await expect(database.pool.query('call renew_digests($1)', ['shelf'])).rejects.toThrow('outside a recorded activity');
      await expect(database.pool.query('call renew_digests($1)', ['aisle'])).rejects.toThrow('table aisle has no digests');
    });

    test('verify reports what is wrong', async () => {
      await using copy = await filled(kind);
      const { database } = copy;
      expect((await verify(database, { folder })).problems).toEqual([]);
      for (const statement of [
        `alter table aisle disable trigger all`,
        `update aisle set best_shelf_id = 99999`,
        `select setval('shelf_shelf_id_seq', 5)`,
        `alter table activity disable trigger user`,
        `update activity set summary = 'Nothing happened' where activity_id = 2`,
        `alter table row_change disable trigger user`,
        `insert into row_change (activity_id, table_name, operation) values (77, 'shelf', 'DELETE')`,
      ])
        await database.pool.query(statement);
      expect((await verify(database, { folder })).problems).toEqual([
        '1 rows of aisle name a shelf that does not exist (best_shelf_id).',
        'The history names 1 activities that do not exist.',
        'The sequence shelf_shelf_id_seq would give 6 next, but shelf.shelf_id is at 2499 already.',
        'The trigger append_only of activity is turned off: changes pass it by.',
        'The trigger only_note_on_current_activity of activity is turned off: changes pass it by.',
        'The trigger z_keep_digest of activity is turned off: changes pass it by.',
        'The trigger z_keep_receipt of activity is turned off: changes pass it by.',
        ...['a_refuse_truncate', 'a_require_activity', 'z_keep_deleted', 'z_keep_inserted', 'z_keep_updated'].map(
          trigger => `The trigger ${trigger} of aisle is turned off: changes pass it by.`,
        ),
        'The trigger a_require_activity of row_change is turned off: changes pass it by.',
        'The trigger append_only of row_change is turned off: changes pass it by.',
        'The row ["north"] of aisle is not what its history says it became.',
        'The activity chain breaks at seal 2: activity 2, or what it changed, is not what was sealed.',
        'The activity 2 is not what was written down.',
      ]);
      await database.pool.query('alter table activity_seal disable trigger user');
      await database.pool.query('delete from activity_seal where position = 1');
      expect((await verify(database, { folder })).problems).toContain('The activity chain has a gap: seal 1 is missing.');
    });
  });
}

/** A backup with these lines and a matching closing line. */
function rewritten(lines: string[]): string {
  const body = `${lines.join('\n')}\n`;
  const rows = lines.filter(line => line.startsWith('[')).length;
  const tables = lines.filter(line => line.startsWith('{"table"')).length;
  const file = newFile();
  fs.writeFileSync(file, gzipSync(`${body}${JSON.stringify({ sha256: createHash('sha256').update(body).digest('hex'), tables, rows })}\n`));
  return file;
}

describe('a backup file', () => {
  const { kind } = kinds.findLast(({ skip }) => !skip)!;

  test('is refused, with the reason, when it is foreign, truncated, tampered with or of another format', async () => {
    await using copy = await filled(kind);
    const file = newFile();
    await backup(copy.database, file, { folder });
    const bytes = fs.readFileSync(file);
    const text = gunzipSync(bytes).toString();
    const cases: [Buffer, string][] = [
      [Buffer.from('PK not gzip'), 'is not a backup of this program'],
      [Buffer.alloc(0), 'is truncated'],
      [gzipSync('{"some":"json"}\n'), 'is not a backup of this program'],
      [gzipSync('words\n'), 'is not a backup of this program'],
      [bytes.subarray(0, bytes.length - 100), 'is truncated: it ends in the middle'],
      [bytes.subarray(0, 5000), 'is truncated: it ends in the middle'],
      [gzipSync(text.slice(0, text.lastIndexOf('\n{"sha256"') + 1)), 'is truncated: its closing line is missing'],
      [gzipSync(text.replace('"FORBIDDEN"', '"ALLOWED"')), 'was changed after it was written'],
      [gzipSync(text.replace('"version":1', '"version":2')), 'is a backup of format 2; this program reads format 1'],
      [Buffer.concat([bytes.subarray(0, 2000), Buffer.from([(bytes[2000] ?? 0) ^ 255]), bytes.subarray(2001)]), 'is '],
    ];
    await using other = await emptyDatabase(kind);
    for (const [content, words] of cases) {
      const bad = newFile();
      fs.writeFileSync(bad, content);
      await expect(restore(other.database, bad, { folder })).rejects.toThrow(words);
    }
    await expect(restore(other.database, path.join(home, 'nowhere'), { folder })).rejects.toThrow('does not exist');
    expect(await other.database.read.rows(sql`select to_regclass('migration') as migration`)).toEqual([{ migration: null }]);
  });

  test('is never overwritten, and nothing is left of a failed one', async () => {
    await using copy = await filled(kind);
    const file = newFile();
    fs.writeFileSync(file, 'mine');
    await expect(backup(copy.database, file, { folder })).rejects.toThrow('exists already');
    expect(fs.readFileSync(file, 'utf8')).toBe('mine');
    await expect(backup(copy.database, path.join(home, 'no-folder', 'x'), { folder })).rejects.toMatchObject({ code: 'ENOENT' });
    await using bare = await emptyDatabase(kind);
    await expect(backup(bare.database, newFile(), { folder })).rejects.toThrow('nothing to back up');
    expect(fs.readdirSync(home).filter(name => name.endsWith('.part'))).toEqual([]);
  });
});

const postgres = kinds.find(({ kind }) => kind === 'postgres');
describe.skipIf(postgres?.skip)(`copy, ${postgres?.title}`, () => {
  test('an embedded database moves to a server: equal hashes, a working registry, and no second copy over it', async () => {
    await using copy = await filled('embedded');
    await using target = await emptyDatabase('postgres');
    const steps: string[] = [];
    const { tables, rows } = await copyDatabase(copy.database, target.url, {
      folder,
      onProgress: (table, n) => steps.push(`${table} ${n}`),
    });
    expect(tables).toEqual(await hashes(copy.database));
    expect(tables).toEqual(await hashes(target.database));
    expect(rows).toBe(tables.reduce((sum, table) => sum + table.rows, 0));
    expect(tables.findIndex(({ name }) => name === 'activity')).toBeLessThan(tables.findIndex(({ name }) => name === 'task'));
    expect(steps).toContain('shelf 2499');
    expect((await verify(target.database, { folder })).problems).toEqual([]);
    await expect(target.database.pool.query('delete from shelf')).rejects.toThrow('outside a recorded activity');
    await expect(copyDatabase(copy.database, target.url, { folder })).rejects.toThrow('The target is not empty');
  });

  test('foreign tables are left alone', async () => {
    await using copy = await filled('postgres');
    await using target = await emptyDatabase('postgres');
    await target.database.pool.query('create table wp_posts (id int)');
    await expect(copyDatabase(copy.database, target.url, { folder })).rejects.toThrow('holds tables of something else (wp_posts)');
    expect(await target.database.read.rows(sql`select to_regclass('migration') as migration`)).toEqual([{ migration: null }]);
  });

  test('a server moves into a folder', async () => {
    await using copy = await filled('postgres');
    const into = path.join(home, 'embedded');
    await copyDatabase(copy.database, into, { folder });
    const database = await openDatabase({ url: into });
    expect(await hashes(database)).toEqual(await hashes(copy.database));
    await database.close();
  });
});
