import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, describeTables, migrate, migrationStatus, openDatabase } from '../../src/platform/database/index.ts';
import { MIGRATIONS } from '../../src/platform/database/migrations.ts';
import { requireServerVersion } from '../../src/platform/database/server-connections.ts';
import { statementsOf } from '../../src/platform/database/statements.ts';
import { emptyDatabase, kinds, migratedDatabase } from './migrated-database.ts';

const PLATFORM = '0001_platform.sql';
let home: string;
beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-migrations-'));
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

/** A folder with the first migration of the program and these files. */
function folderWith(files: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(home, 'f'));
  fs.copyFileSync(path.join(MIGRATIONS, PLATFORM), path.join(folder, PLATFORM));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

const tablesLike = (database: Database, pattern: string) =>
  database.read.rows(sql`select relname from pg_class where relname like ${pattern} and relkind = 'r'`);

for (const { kind, skip, title } of kinds) {
  describe.skipIf(skip)(`migrations, ${title}`, () => {
    test('apply once, in order, and say what they did', async () => {
      await using copy = await emptyDatabase(kind);
      const folder = folderWith({
        '0002_shelves.sql': 'create table shelf (id int);',
        '0003_books.sql': 'alter table shelf add column books int;',
      });
      expect((await migrationStatus(copy.database, folder)).pending).toEqual([PLATFORM, '0002_shelves.sql', '0003_books.sql']);
      const said: string[] = [];
      expect(await migrate(copy.database, { folder, through: '0002_shelves.sql', onProgress: name => said.push(name) })).toEqual([
        PLATFORM,
        '0002_shelves.sql',
      ]);
      expect(said).toEqual([PLATFORM, '0002_shelves.sql']);
      expect(await Promise.all([migrate(copy.database, { folder }), migrate(copy.database, { folder })]).then(both => both.flat())).toEqual(
        ['0003_books.sql'],
      );
      expect(await migrate(copy.database, { folder })).toEqual([]);
      expect(await migrationStatus(copy.database, folder)).toMatchObject({ pending: [], changed: [], unknown: [] });
      expect(await copy.database.read.rows(sql`select to_regclass('graphile_worker._private_jobs') is not null as worker`)).toEqual([
        { worker: true },
      ]);
    });

    test('one that fails leaves no trace, reports file, line and reason, and the old version continues to work', async () => {
      await using copy = await migratedDatabase(kind, {}, PLATFORM);
      const { database } = copy;
      const failing: [string, number, string][] = [
        [
          `create table shelf (id int);\n\n-- a mistake; here\ninsert into shelf\n  values ('one');\n`,
          5,
          'invalid input syntax for type integer',
        ],
        [
          `create table shelf (id int);\ncreate function f() returns int language plpgsql as $$\nbegin\n  return 1;\nend $$;\nselect f(1);`,
          6,
          'does not exist',
        ],
        [
          `create table shelf (id int);\ninsert into shelf values (1), (1);\n\nalter table shelf add unique (id);`,
          4,
          'could not create unique index',
        ],
        [`create table shelf (id int);\ncommit;\ncreate table left_over (id int);`, 2, 'must not open or close any'],
      ];
      for (const [text, line, words] of failing) {
        const folder = folderWith({ '0002_shelves.sql': text, '0003_more.sql': 'create table shelf_more (id int);' });
        await expect(migrate(database, { folder })).rejects.toMatchObject({
          name: 'MigrationError',
          file: '0002_shelves.sql',
          line,
          message: expect.stringMatching(
            new RegExp(`^0002_shelves\\.sql, line ${line}: .*${words}.*nothing of this file was applied`, 's'),
          ),
        });
        expect(await tablesLike(database, 'shelf%')).toEqual([]);
        expect((await migrationStatus(database, folder)).pending).toEqual(['0002_shelves.sql', '0003_more.sql']);
      }
      const activityId = await database.change(
        { action: 'test', summary: 'Test', traceId: '0'.repeat(32) },
        async change => change.activityId,
      );
      expect(activityId).toBe(1);
    });

    test('indexes that are made concurrently are alone in their file, and made again where an earlier try left something', async () => {
      await using copy = await migratedDatabase(kind, {}, PLATFORM);
      const { database } = copy;
      const made = { '0002_shelves.sql': 'create table shelf (id int, name text);\ninsert into shelf values (1, null), (1, null);' };
      const failing = { ...made, '0003_index.sql': '-- Each once.\ncreate unique index concurrently shelf_once on shelf (id);' };
      await expect(migrate(database, { folder: folderWith(failing) })).rejects.toMatchObject({
        name: 'MigrationError',
        file: '0003_index.sql',
        line: 2,
        message: expect.stringContaining('could not create unique index'),
      });
      expect(await database.read.rows(sql`select from pg_class where relname = 'shelf_once'`)).toEqual([]);
      const right = { ...made, '0003_index.sql': 'create index concurrently shelf_once on shelf (id);' };
      const both = {
        '0004_more.sql': 'create index concurrently shelf_name on shelf (name);\ncreate index concurrently shelf_both on shelf (id, name);',
      };
      // Those who wait for their turn must not keep the index from being made.
      const folder = folderWith({ ...right, ...both });
      expect((await Promise.all([migrate(database, { folder }), migrate(database, { folder })])).flat()).toEqual([
        '0003_index.sql',
        '0004_more.sql',
      ]);
      expect(
        await database.read.rows(
          sql`select relname, indisvalid from pg_class join pg_index on indexrelid = oid where relname like 'shelf_%' order by 1`,
        ),
      ).toEqual(['shelf_both', 'shelf_name', 'shelf_once'].map(relname => ({ relname, indisvalid: true })));
    });

    test.for(['0005_mail.sql', '0019_digests.sql', '0030_platform_renew_digests.sql'])(
      'a database from before the first release (%s) gets instructions to start afresh, and stays unchanged',
      async former => {
        await using copy = await migratedDatabase(kind, {}, PLATFORM);
        const { database } = copy;
        await migrate(database, { folder: folderWith({ [former]: 'create table shelf (id int);' }) });
        await expect(migrate(database)).rejects.toThrow(/demo reset --yes.*delete the data folder/);
        expect(await tablesLike(database, 'shelf')).toHaveLength(1);
      },
    );

    test('an applied file that changed, a database newer than the program, and a late number are refused', async () => {
      await using copy = await migratedDatabase(kind, {}, PLATFORM);
      const { database } = copy;
      await migrate(database, { folder: folderWith({ '0003_shelves.sql': 'create table shelf (id int);' }) });
      const cases: [Record<string, string>, string][] = [
        [{ '0003_shelves.sql': 'create table shelf (id bigint);' }, '0003_shelves.sql changed after it was applied'],
        [{}, 'The database has 0003_shelves.sql, which this version does not know'],
        [
          { '0002_late.sql': 'select 1;', '0003_shelves.sql': 'create table shelf (id int);' },
          '0002_late.sql is not applied, but 0003_shelves.sql is',
        ],
        [{ '0003_other.sql': 'select 1;', '0003_shelves.sql': 'create table shelf (id int);' }, 'have the same number'],
        [{ '3_short.sql': 'select 1;' }, '3_short.sql is not named like a migration'],
      ];
      for (const [files, words] of cases) await expect(migrate(database, { folder: folderWith(files) })).rejects.toThrow(words);
      expect(await tablesLike(database, 'shelf')).toHaveLength(1);
    });
  });
}

describe.skipIf(kinds[1]!.skip)(`migrations beside others at work, ${kinds[1]!.title}`, () => {
  test('one that has to wait for a table lets those behind it pass, and is made once the table is free', async () => {
    await using copy = await migratedDatabase('postgres', {}, PLATFORM);
    const { database } = copy;
    const folder = folderWith({
      '0002_shelves.sql': 'create table shelf (id int);',
      '0003_column.sql': 'alter table shelf add column name text;',
    });
    await migrate(database, { folder, through: '0002_shelves.sql' });
    const reader = await database.pool.connect();
    await reader.query('begin');
    await reader.query('select from shelf');
    const migrating = migrate(database, { folder });
    const waiting = sql`select from pg_locks where relation = 'shelf'::regclass and not granted`;
    await vi.waitUntil(async () => (await database.read.rows(waiting)).length > 0, { timeout: 20_000, interval: 10 });
    // It waits behind the migration, which gives way.
    expect(await database.read.rows(sql`select count(*)::int as count from shelf`)).toEqual([{ count: 0 }]);
    expect((await migrationStatus(database, folder)).pending).toEqual(['0003_column.sql']);
    await reader.query('commit');
    reader.release();
    expect(await migrating).toEqual(['0003_column.sql']);
  });

  test('an index is made while another process waits for its turn and rows are written', async () => {
    await using copy = await migratedDatabase('postgres', {}, PLATFORM);
    await using other = {
      database: await openDatabase({ url: copy.url, onError: () => {} }),
      [Symbol.asyncDispose]() {
        return this.database.close();
      },
    };
    const folder = folderWith({
      '0002_shelves.sql': 'create table shelf (id int);',
      '0003_index.sql': 'create index concurrently shelf_id on shelf (id);',
    });
    await migrate(copy.database, { folder, through: '0002_shelves.sql' });
    const writer = await copy.database.pool.connect();
    await writer.query('begin');
    await writer.query('insert into shelf values (1)');
    const both = Promise.all([migrate(copy.database, { folder }), migrate(other.database, { folder })]);
    const waiting = sql`select from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'`;
    await vi.waitUntil(async () => (await copy.database.read.rows(waiting)).length > 0, { timeout: 20_000, interval: 10 });
    // Another one writes meanwhile.
    await copy.database.pool.query('insert into shelf values (2)');
    await writer.query('commit');
    writer.release();
    expect((await both).flat()).toEqual(['0003_index.sql']);
  });
});

test('both databases describe the same tables, word for word', async context => {
  if (kinds.some(({ skip }) => skip)) return context.skip(kinds.map(({ title }) => title).join('; '));
  const longWords = Array.from({ length: 9 }, (_, i) => `a-rather-long-word-${i}`);
  const shelves = `create type cover as enum ('hard', 'it''s soft');
    create domain shelf_name as text check (value <> '');
    create table shelf (shelf_id bigint generated by default as identity primary key, name shelf_name not null, spot point, covers cover[] not null,
      prefixes cidr[] not null default '{}', facts jsonb, tags jsonb not null, name_length int generated always as (length(name)) stored,
      kind text not null check (kind in ('wood', 'steel')), state text not null check (state in (${longWords.map(word => `'${word}'`).join(', ')})), since date, bytes bytea);
    create view tall_shelf as select shelf_id, name from shelf;`;
  const folder = folderWith({ '0002_shelves.sql': shelves });
  const described = await Promise.all(
    kinds.map(async ({ kind }) => {
      await using copy = await emptyDatabase(kind);
      await migrate(copy.database, { folder });
      return await describeTables(copy.database);
    }),
  );
  expect(described[0]).toBe(described[1]);
  const shelf = described[0]?.slice(described[0].indexOf('  shelf: {'), described[0].indexOf('  tallShelf: {'));
  expect(shelf).toBe(`  shelf: {
    shelfId: Generated<number>;
    name: string;
    spot: string | null;
    covers: ('hard' | "it's soft")[];
    prefixes: Generated<string[]>;
    facts: ColumnType<JsonValue | null, string | null | undefined, string | null>;
    tags: Json;
    nameLength: ColumnType<number | null, never, never>;
    kind: 'wood' | 'steel';
    state:
${longWords.map(word => `      | '${word}'`).join('\n')};
    since: string | null;
    bytes: Buffer | null;
  };
`);
  expect(described[0]).toContain(`  tallShelf: {
    shelfId: ColumnType<number | null, never, never>;
    name: ColumnType<string | null, never, never>;
  };
`);
});

test('tables.ts is what the migrations make', async () => {
  await using copy = await migratedDatabase('embedded');
  const written = fs.readFileSync(path.join(import.meta.dirname, '../../src/platform/database/tables.ts'), 'utf8');
  expect(written, 'run node apps/server/src/platform/database/write-tables.ts').toBe(await describeTables(copy.database));
});

test('a file is split into its statements, whatever is in quotes and comments', () => {
  const file = `-- first; not a statement
create table a (b text default 'x;''y', "c;d" int);
/* a /* nested; */ comment; */ select E'it\\'s; fine', $$;$$, $body$ ; $$ ; $body$;

insert into a values ('--');  -- trailing; words
update a set b = '/*' ;;
select $1 || b from a /* the end; */`;
  expect(statementsOf(file).map(({ line, text }) => [line, text.split(/\s/)[0]])).toEqual([
    [2, 'create'],
    [3, 'select'],
    [5, 'insert'],
    [6, 'update'],
    [7, 'select'],
  ]);
  expect(() => statementsOf('select 1;\ncreate function f() returns int begin atomic select 1; end;')).toThrow('line 2');
  expect(statementsOf('  -- only words\n')).toEqual([]);
});

test('a server older than 15 is refused by its name', () => {
  expect(() => requireServerVersion(140009)).toThrow('This database server is PostgreSQL 14.9; PostgreSQL 15 or newer is needed.');
  expect(() => requireServerVersion(150000)).not.toThrow();
});
