import type { Client } from 'pg';
import { MIGRATIONS, migrationFiles } from './migrations.ts';
import { identifier } from './stored-tables.ts';

type Kept = { table: string; keys: string[]; secrets: string[] };

/** Tables whose rows are copied to the history, with their primary keys and the columns that never reach it. */
async function keptTables(client: Client): Promise<Kept[]> {
  const { rows } = await client.query<{ table: string; keys: string[]; arguments: Buffer }>(`
    select c.relname as table, t.tgargs as arguments,
      (select array_agg(a.attname::text order by n.i) from pg_index x, unnest(x.indkey::int2[]) with ordinality n(attnum, i)
        join pg_attribute a on a.attnum = n.attnum where x.indrelid = c.oid and x.indisprimary and a.attrelid = c.oid) as keys
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = 'z_keep_inserted' and c.relnamespace = 'public'::regnamespace order by 1`);
  return rows.map(({ table, keys, arguments: given }) => ({ table, keys, secrets: given.toString().split('\0').filter(Boolean) }));
}

/** Returns the columns in the history of a table that the table no longer has, because a migration dropped them. */
async function droppedColumns(client: Client, table: string): Promise<string[]> {
  // If none was dropped, an unknown column in the history was put there by hand.
  const { rows } = await client.query<{ names: string[] }>(
    `select array(select distinct name from row_change, jsonb_object_keys(coalesce(after, before)) name where table_name = $1
       and not exists (select from pg_attribute a where a.attrelid = $2::regclass and a.attname = name and a.attnum > 0)) as names
     where exists (select from pg_attribute a where a.attrelid = $2::regclass and a.attisdropped)`,
    [table, identifier(table)],
  );
  return rows[0]?.names ?? [];
}

/** Tables with rows from migrations, which have no history. */
export async function seededTables(folder: string): Promise<Set<string>> {
  const files = await migrationFiles(folder);
  return new Set(files.flatMap(({ text }) => [...text.matchAll(/^insert into (\w+)/gim)].map(([, table]) => table!)));
}

/**
 * Compares every row with its history, which has each of its states. A state that doesn't follow from the one before reveals a change made past the
 * guard or in the history itself. Runs inside the caller's transaction.
 */
export async function checkHistory(client: Client, problems: string[], folder: string = MIGRATIONS): Promise<void> {
  const seeded = await seededTables(folder);
  for (const { table, keys, secrets } of await keptTables(client)) {
    const keyOf = (row: string): string => `jsonb_build_array(${keys.map(key => `${row}->'${key}'`).join(', ')})`;
    // Additions and removals alternate. A column added later is in later states only, so an earlier state is merged over the later one; a dropped one
    // is in earlier states only.
    const dropped = await droppedColumns(client, table);
    const { rows } = await client.query<{ key: string; broken: boolean; differs: boolean; extra: boolean; lost: boolean }>(
      `with state as materialized (
         select row_change_id as id, 0 as step, ${keyOf('before')} as key, before - $4::text[] as row from row_change where table_name = $1 and before is not null
         union all
         select row_change_id, 1, ${keyOf('after')}, after - $4::text[] from row_change where table_name = $1 and after is not null),
       ordered as (select *, lag(step) over w as last_step, lag(row) over w as last_row, lead(step) over w as next_step
         from state window w as (partition by key order by id, step)),
       broken as (select distinct key from ordered where case
         when step = 0 and last_step = 1 then (row || last_row) is distinct from row
         when step = 0 then last_step is not null or not $2
         else last_step = 1 end),
       last as (select key, step, row from ordered where next_step is null),
       present as (select ${keyOf('row')} as key, row from (select to_jsonb(t) - $3::text[] as row from ${identifier(table)} t) rows)
       select key::text as key, broken.key is not null as broken,
         last.step = 1 and present.row is not null and (present.row || last.row) is distinct from present.row as differs,
         present.row is not null and (last.step = 0 or (last.step is null and not $2)) as extra,
         last.step = 1 and present.row is null as lost
       from last full join present using (key) full join broken using (key)
       where broken.key is not null or (last.step = 1 and present.row is not null and (present.row || last.row) is distinct from present.row)
         or (present.row is not null and (last.step = 0 or (last.step is null and not $2))) or (last.step = 1 and present.row is null)
       order by 1 limit 20`,
      [table, seeded.has(table), secrets, dropped],
    );
    for (const { key, broken, differs, extra, lost } of rows) {
      const row = `The row ${key} of ${table}`;
      if (differs) problems.push(`${row} is not what its history says it became.`);
      else if (lost) problems.push(`${row} is gone, and its history does not say so.`);
      else if (extra) problems.push(`${row} is there, and its history does not say so.`);
      else if (broken) problems.push(`The history of ${table}, row ${key}, has a state that does not follow from the one before.`);
    }
  }
}

/** A table, and how many rows of its history were forgotten. */
export type Forgotten = { table: string; rows: number };

/**
 * Checks the rows of the history from which personal data was cut. Such a row is of a table whose rows end, has nothing left but its key, and is gone from its table; the line that cut it
 * deleted the row that it ended with; and what is left is what that line says. Or its person was erased by the line that cut it, and it has none of the columns that an erasure replaces. Anything
 * else was changed under the cover of a cut. And of people who were erased nothing is there that an erasure deletes or replaces. Runs inside the caller's transaction.
 * @returns how many rows were cut, by table
 */
export async function checkCuts(client: Client, problems: string[]): Promise<Forgotten[]> {
  // A database of an older version has no such tables.
  const { rows: known } = await client.query(`select where to_regprocedure('erased_tables()') is not null`);
  if (known.length === 0) return [];
  const { rows } = await client.query<{ id: string }>(
    `with cut as (select r.*, row_change_digest(r) as digest, person_of_change(r.table_name, coalesce(r.after, r.before)) as person from row_change r where r.digest_as_sealed is not null)
     select coalesce(r.row_change_id, c.row_change_id) as id
     from cut r full join history_cut c using (row_change_id)
     where c.digest is distinct from r.digest
       or not exists (select from forgotten_tables() f where f.table_name = r.table_name
         and not exists (select from jsonb_object_keys(coalesce(r.before, '{}') || coalesce(r.after, '{}')) k where k <> all (kept_columns(r.table_name)))
         and exists (select from row_change h join row_change d using (activity_id)
           where h.table_name = 'history_cut' and h.after ->> 'row_change_id' = r.row_change_id::text
             and d.operation = 'DELETE' and d.table_name = f.parent and d.before ->> f.place = coalesce(r.after, r.before) ->> f.place))
       and not exists (select from erased_tables() e where e.table_name = r.table_name
         and is_left_when_erased(r.table_name, r.before, r.before) and is_left_when_erased(r.table_name, r.after, r.after)
         and exists (select from row_change h where h.table_name = 'history_cut' and h.after ->> 'row_change_id' = r.row_change_id::text and erases_person(h.activity_id, r.person)))
     order by 1 limit 20`,
  );
  for (const { id } of rows) problems.push(`The row ${id} of the history is not what was left of it when personal data was cut out.`);
  const { rows: tables } = await client.query<{ table: string; place: string | null; rows: number }>(
    `select r.table_name as table, f.place, count(*)::int as rows from row_change r left join forgotten_tables() f using (table_name)
     where r.digest_as_sealed is not null group by 1, 2 order by 1`,
  );
  for (const { table, place } of tables) {
    if (place === null) continue;
    const { rows: there } = await client.query<{ id: string }>(
      `select distinct t.${identifier(place)}::text as id from ${identifier(table)} t join row_change r on coalesce(r.after, r.before) ->> $2 = t.${identifier(place)}::text
       where r.table_name = $1 and r.digest_as_sealed is not null
         and not exists (select from jsonb_object_keys(coalesce(r.after, r.before)) k where k <> all (kept_columns(r.table_name))) order by 1 limit 20`,
      [table, place],
    );
    for (const { id } of there) problems.push(`The history of ${table}, ${place} ${id}, was forgotten, and the row is there.`);
  }
  const { rows: left } = await client.query<{ table: string; person: string; what: string }>(
    'select table_name as table, person, what from left_of_erased(20) limit 20',
  );
  for (const { table, person, what } of left)
    problems.push(`The person of the login ${person} was erased, and ${what} of them is in ${table}.`);
  const { rows: alive } = await client.query<{ table: string; person: string }>(
    'select table_name as table, person from alive_of_erased(20) limit 20',
  );
  for (const { table, person } of alive) problems.push(`The person of the login ${person} was erased, and their ${table} still works.`);
  const { rows: alone } = await client.query<{ id: string }>(
    `select erasure_id::text as id from erasure where state = 'erased'
       and not coalesce(ended_by <> ended_with and ended_by <> login_id and ended_with <> login_id and ended_at >= due_at, false) order by erasure_id limit 20`,
  );
  for (const { id } of alone) problems.push(`The person of the request ${id} was not erased by two people after the wait.`);
  return tables.map(({ table, rows: count }) => ({ table, rows: count }));
}
