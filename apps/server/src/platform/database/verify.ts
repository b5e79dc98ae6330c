import type { Client } from 'pg';
import { type ChainReport, checkChain, type SealKeys } from './activity-chain.ts';
import { connectionsOf, type Database } from './database.ts';
import { checkDigests } from './digest-check.ts';
import { checkGuards } from './guard-check.ts';
import { checkCuts, checkHistory, type Forgotten } from './history-check.ts';
import { checkLogRoots } from './log-roots.ts';
import { MIGRATIONS, migrationStatus } from './migrations.ts';
import { foreignKeysOf, identifier, storedTables, summarise, type TableSummary } from './stored-tables.ts';

export interface VerifyReport {
  tables: TableSummary[];
  /** Foreign keys looked through. */
  references: number;
  sequences: number;
  /** Constraints on the values of a row. */
  rules: number;
  /** Rows of the history from which personal data was cut, by table. */
  forgotten: Forgotten[];
  chain: Omit<ChainReport, 'problems'>;
  /** Problems, one sentence each; empty if all is well. */
  problems: string[];
}

/**
 * Verifies a consistent snapshot of a database: migrations, every reference, every sequence against the highest number in use, the constraints of
 * each table, every row against its history and digest, and the activity chain; and hashes every table. Changes nothing.
 * @param keys those of `sealKeys`: whether the newest seal is this installation's
 */
export async function verify(
  database: Database,
  { onProgress = () => {}, folder = MIGRATIONS, keys }: { onProgress?: (step: string) => void; folder?: string; keys?: SealKeys } = {},
): Promise<VerifyReport> {
  const { pending, changed, unknown } = await migrationStatus(database, folder);
  const problems = [
    ...pending.map(name => `${name} is not applied.`),
    ...changed.map(name => `${name} changed after it was applied.`),
    ...unknown.map(name => `${name} is applied, and this version does not know it.`),
  ];
  const client = await connectionsOf(database).dedicated();
  try {
    await client.query('begin isolation level repeatable read read only');
    onProgress('references');
    const references = await checkReferences(client, problems);
    onProgress('sequences');
    const sequences = await checkSequences(client, problems);
    onProgress('rules');
    const rules = await checkGuards(client, problems);
    onProgress('history');
    await checkHistory(client, problems, folder);
    const forgotten = await checkCuts(client, problems);
    onProgress('digests');
    await checkDigests(client, problems, folder);
    onProgress('activity chain');
    const { problems: broken, ...chain } = await checkChain(client, keys);
    problems.push(...broken);
    onProgress('roots of the log');
    problems.push(...(await checkLogRoots(client)));
    const tables: TableSummary[] = [];
    for (const table of await storedTables(client)) {
      onProgress(table.name);
      tables.push(await summarise(client, table));
    }
    return { tables, references, sequences, rules, forgotten, chain, problems };
  } finally {
    await client.end();
  }
}

async function checkReferences(client: Client, problems: string[]): Promise<number> {
  const keys = await foreignKeysOf(client);
  for (const { table, columns, referenced, referencedColumns } of keys) {
    const pairs = columns
      .map((column, i) => `parent.${identifier(referencedColumns[i] ?? '')} = child.${identifier(column)}`)
      .join(' and ');
    const present = columns.map(column => `child.${identifier(column)} is not null`).join(' and ');
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${identifier(table)} child
       where ${present} and not exists (select from ${identifier(referenced)} parent where ${pairs})`,
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) problems.push(`${count} rows of ${table} name a ${referenced} that does not exist (${columns.join(', ')}).`);
  }
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from (select distinct activity_id from row_change) r where not exists (select from activity a where a.activity_id = r.activity_id)',
  );
  const lost = rows[0]?.count ?? 0;
  if (lost > 0) problems.push(`The history names ${lost} activities that do not exist.`);
  return keys.length + 1;
}

async function checkSequences(client: Client, problems: string[]): Promise<number> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string; next: string }>(`
    select s.relname as sequence, c.relname as table, a.attname as column, coalesce(q.last_value + q.increment_by, q.start_value) as next
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    join pg_sequences q on q.schemaname = 'public' and q.sequencename = s.relname
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
      and c.relnamespace = 'public'::regnamespace order by 1`);
  for (const { sequence, table, column, next } of rows) {
    const { rows: highest } = await client.query<{ max: string | null }>(
      `select max(${identifier(column)}) as max from ${identifier(table)}`,
    );
    const max = highest[0]?.max ?? null;
    if (max !== null && Number(next) <= Number(max))
      problems.push(`The sequence ${sequence} would give ${next} next, but ${table}.${column} is at ${max} already.`);
  }
  return rows.length;
}
