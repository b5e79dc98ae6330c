import type { PoolClient } from 'pg';
import type { Database } from '../../apps/server/src/platform/database/index.ts';
import type { Catalog } from './catalog.ts';
import { wordsOf } from '../../apps/server/src/platform/database/table-types.ts';
import { Analysis, type Nullness } from './columns.ts';
import { columnType } from './row-types.ts';

/** A statement as the database takes it: its columns with their types in TypeScript, or why it refuses it. There are none where it answers no rows. */
export type Described =
  | { columns: readonly { name: string; type: string; nullness: Nullness }[]; mistakes?: readonly string[] }
  | { refusal: string };

const BATCH = 100;

/** Has a migrated database prepare each text, and returns what is known of the columns it answers. */
export async function describeStatements(database: Database, texts: readonly string[]): Promise<Map<string, Described>> {
  const client = await database.pool.connect();
  try {
    const catalog = await readCatalog(client);
    const analysis = new Analysis(catalog);
    const described = new Map<string, Described>();
    for (let start = 0; start < texts.length; start += BATCH)
      for (const [text, found] of await describeBatch(client, texts.slice(start, start + BATCH), analysis, catalog))
        described.set(text, found);
    return described;
  } finally {
    client.release();
  }
}

/** Has PostgreSQL prepare statements, which types their parameters, and keep each as the body of a function, whose tree says the rest. */
async function describeBatch(
  client: PoolClient,
  texts: readonly string[],
  analysis: Analysis,
  catalog: Catalog,
): Promise<Map<string, Described>> {
  const described = new Map<string, Described>();
  const names = new Map<string, string>();
  for (const [place, text] of texts.entries()) {
    try {
      await client.query(`prepare checked_${place} as ${text}`);
      names.set(`checked_${place}`, text);
    } catch (error) {
      described.set(text, { refusal: (error as Error).message });
    }
  }
  const { rows: prepared } = await client.query<{ name: string; parameters: string[] }>(
    `select name, parameter_types::text[] as parameters from pg_prepared_statements where name like 'checked\\_%'`,
  );
  await client.query('begin');
  for (const { name, parameters } of prepared) {
    const text = names.get(name)!;
    await client.query(`create function pg_temp.${name}(${parameters.join(', ')}) returns void language sql begin atomic ${text}; end`);
  }
  const { rows: bodies } = await client.query<{ name: string; body: string }>(
    `select proname as name, prosqlbody::text as body from pg_proc where pronamespace = pg_my_temp_schema() and proname like 'checked\\_%'`,
  );
  await client.query('rollback');
  await client.query('deallocate all');
  for (const { name, body } of bodies) {
    const columns = analysis
      .columnsOfBody(body)
      .map(column => ({ name: column.name, type: columnType(column, catalog), nullness: column.nullness }));
    const mistakes = analysis.mistakesInBody(body);
    described.set(names.get(name)!, { columns, ...(mistakes.length > 0 && { mistakes }) });
  }
  return described;
}

async function readCatalog(client: PoolClient): Promise<Catalog> {
  const columns = await client.query<{ key: string; type: number; notNull: boolean; check: string | null; name: string }>(`
    select a.attrelid || '.' || a.attnum as key, a.attname as name, a.atttypid::int4 as type, a.attnotnull or t.typnotnull as "notNull",
      (select min(pg_get_constraintdef(k.oid) collate "C") from pg_constraint k
        where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '%= ANY (%') as check
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'f')`);
  const views = await client.query<{ oid: string; tree: string }>(
    `select ev_class::text as oid, ev_action::text as tree from pg_rewrite where rulename = '_RETURN' and ev_class >= 16384`,
  );
  const functions = await client.query<{ oid: string; name: string; strict: boolean; compares: boolean }>(
    `select oid::text as oid, proname as name, proisstrict as strict,
      exists (select from pg_operator o where o.oprcode = p.oid and o.oprresult = 'bool'::regtype and o.oprrest <> 0) as compares from pg_proc p`,
  );
  const types = await client.query<{
    oid: number;
    name: string;
    category: string;
    element: number;
    base: number;
    labels: string[] | null;
    notNull: boolean;
  }>(`
    select oid::int4 as oid, typname as name, typcategory as category, typelem::int4 as element, typbasetype::int4 as base, typnotnull as "notNull",
      (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels
    from pg_type t`);
  const checks = await client.query<{ table: string; trees: string[] }>(
    `select conrelid::text as table, array_agg(conbin::text) as trees from pg_constraint where contype = 'c' and conrelid <> 0 group by conrelid`,
  );
  return {
    checks: new Map(checks.rows.map(({ table, trees }) => [table, trees])),
    columns: new Map(
      columns.rows.map(({ key, type, notNull, check, name }) => [
        key,
        { type, notNull, words: check === null ? null : wordsOf(check, name) },
      ]),
    ),
    views: new Map(views.rows.map(({ oid, tree }) => [oid, tree])),
    functions: new Map(functions.rows.map(({ oid, ...each }) => [oid, each])),
    types: new Map(types.rows.map(({ oid, ...each }) => [oid, each])),
  };
}
