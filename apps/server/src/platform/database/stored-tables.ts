import type { Client } from 'pg';

/** A table of schema `public` as backup, restore, copy and verify see it. */
export interface StoredTable {
  name: string;
  /** The stored columns, in order; the database computes the others. */
  columns: { name: string; type: string }[];
}

/** Row count of a table, and a hash of the rows that does not depend on their order. */
export interface TableSummary {
  name: string;
  rows: number;
  /** SHA-256, hexadecimal, of the sorted SHA-256 of each row's text. */
  hash: string;
}

/** A background job waiting in graphile-worker, with what is needed to enqueue it again. */
export interface WaitingJob {
  identifier: string;
  payload: unknown;
  queue: string | null;
  runAt: string;
  attempts: number;
  priority: number;
  key: string | null;
}

export interface ForeignKey {
  name: string;
  table: string;
  columns: string[];
  referenced: string;
  referencedColumns: string[];
  definition: string;
}

/** Number of rows per batch. */
const BATCH = 500;

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The foreign keys among the tables of schema `public`. */
export async function foreignKeysOf(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select k.conname as name, child.relname as table, parent.relname as referenced, pg_get_constraintdef(k.oid) as definition,
      (select array_agg(a.attname::text order by n.i) from unnest(k.conkey) with ordinality n(attnum, i)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.attnum) as columns,
      (select array_agg(a.attname::text order by n.i) from unnest(k.confkey) with ordinality n(attnum, i)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.attnum) as "referencedColumns"
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0
    order by child.relname collate "C", k.conname collate "C"`);
  return rows;
}

/** The tables whose rows are the registry's data, referenced ones first. The table of migrations describes the others and is not among them. */
export async function storedTables(client: Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select c.relname as name,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by c.relname order by c.relname collate "C"`);
  const tables = new Map(rows.map(table => [table.name, table]));
  const references = Map.groupBy(await foreignKeysOf(client), ({ table }) => table);
  const sorted = new Set<StoredTable>();
  const visited = new Set<string>();
  const visit = (table: StoredTable): void => {
    if (visited.has(table.name)) return;
    visited.add(table.name);
    for (const { referenced } of references.get(table.name) ?? []) {
      const parent = tables.get(referenced);
      if (parent) visit(parent);
    }
    sorted.add(table);
  };
  for (const table of rows) visit(table);
  return [...sorted];
}

/** The rows of a table, each a JSON array of texts and nulls; inside a transaction, in batches. */
export async function* rowsOf(client: Client, { name, columns }: StoredTable): AsyncGenerator<string[], void, void> {
  const values = columns.map(column => `${identifier(column.name)}::text`).join(', ');
  await client.query(`declare stored_rows cursor for select json_build_array(${values})::text as line from ${identifier(name)}`);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${BATCH} from stored_rows`);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < BATCH) break;
  }
  await client.query('close stored_rows');
}

/** Writes rows as `rowsOf` gave them. */
export async function insertRows(client: Client, { name, columns }: StoredTable, lines: string[]): Promise<void> {
  if (lines.length === 0) return;
  const names = columns.map(column => identifier(column.name)).join(', ');
  const values = columns.map(({ type }, i) => `(line->>${i})::${type}`).join(', ');
  await client.query(
    `insert into ${identifier(name)} (${names}) overriding system value select ${values} from jsonb_array_elements($1::jsonb) line`,
    [`[${lines.join(',')}]`],
  );
}

/** Counts and hashes a table; equal rows give an equal hash on either database. */
export async function summarise(client: Client, { name, columns }: StoredTable): Promise<TableSummary> {
  const row = columns.map(column => identifier(column.name)).join(', ');
  const { rows } = await client.query<{ rows: string; hash: string }>(`
    select count(*) as rows, encode(sha256(coalesce(string_agg(hash, ''::bytea order by hash), ''::bytea)), 'hex') as hash
    from (select sha256(convert_to(row(${row})::text, 'UTF8')) as hash from ${identifier(name)}) hashed`);
  return { name, rows: Number(rows[0]?.rows), hash: rows[0]?.hash ?? '' };
}

/** Returns the values of the sequences of schema `public`, without unused ones. */
export async function sequencesOf(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
}

export async function setSequences(client: Client, sequences: Record<string, number>): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) await client.query('select setval($1::regclass, $2)', [identifier(name), value]);
}

/** Jobs that still have an attempt left. */
export async function waitingJobs(client: Client): Promise<WaitingJob[]> {
  const { rows: found } = await client.query(`select from pg_class where oid = to_regclass('graphile_worker._private_jobs')`);
  if (found.length === 0) return [];
  const { rows } = await client.query<WaitingJob>(`
    select t.identifier, j.payload, q.queue_name as queue, to_json(j.run_at)#>>'{}' as "runAt",
      greatest(j.max_attempts - j.attempts, 1)::int as attempts, j.priority::int as priority, j.key
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    where j.attempts < j.max_attempts or j.locked_at is not null order by j.id`);
  return rows;
}

export async function addJob(client: Client, job: WaitingJob): Promise<void> {
  await client.query(
    `select graphile_worker.add_job($1, payload => $2::json, queue_name => $3, run_at => $4::timestamptz, max_attempts => $5::int,
      priority => $6::int, job_key => $7)`,
    [job.identifier, JSON.stringify(job.payload), job.queue, job.runAt, job.attempts, job.priority, job.key],
  );
}

export type Contents = 'nothing' | 'no rows' | 'rows';

/** Returns the contents of schema `public`. Throws if it has tables that are not ours, and names them. */
export async function contentsOf(client: Client): Promise<Contents> {
  const tables = await storedTables(client);
  const { rows: ours } = await client.query(`select from pg_class where oid = to_regclass('public.migration')`);
  if (ours.length === 0) {
    if (tables.length > 0)
      throw new Error(
        `The target holds tables of something else (${tables
          .slice(0, 3)
          .map(({ name }) => name)
          .join(', ')}); name a database of its own.`,
      );
    return 'nothing';
  }
  for (const { name } of tables) {
    const { rows } = await client.query(`select from ${identifier(name)} limit 1`);
    if (rows.length > 0) return 'rows';
  }
  return 'no rows';
}

/**
 * Replaces the rows of all tables, inside the caller's transaction: foreign keys are dropped and added again, which checks every row; the guard and
 * the history triggers are off until then, because the rows bring their own history. A rollback undoes all of it.
 */
export async function replaceRows(client: Client, load: (tables: StoredTable[]) => Promise<void>): Promise<void> {
  const tables = await storedTables(client);
  const keys = await foreignKeysOf(client);
  for (const { table, name } of keys) await client.query(`alter table ${identifier(table)} drop constraint ${identifier(name)}`);
  for (const { name } of tables) await client.query(`alter table ${identifier(name)} disable trigger user`);
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => identifier(name)).join(', ')} restart identity`);
  await client.query(`delete from graphile_worker._private_jobs`);
  await load(tables);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${identifier(table)} add constraint ${identifier(name)} ${definition}`);
  for (const { name } of tables) await client.query(`alter table ${identifier(name)} enable trigger user`);
  const { rows: views } = await client.query<{ name: string }>(`select matviewname as name from pg_matviews where schemaname = 'public'`);
  for (const { name } of views) await client.query(`refresh materialized view ${identifier(name)}`);
}
