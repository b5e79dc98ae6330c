import type { Client } from 'pg';
import { identifier } from './stored-tables.ts';
import { seededTables } from './history-check.ts';
import { MIGRATIONS } from './migrations.ts';

type Digested = { table: string; keys: string[]; covered: string[] };

/** Tables whose rows, or secret columns, are digested. */
async function digestedTables(client: Client): Promise<Digested[]> {
  const { rows } = await client.query<{ table: string; arguments: Buffer }>(`
    select c.relname as table, t.tgargs as arguments from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = 'y_digest_inserted' and c.relnamespace = 'public'::regnamespace order by 1`);
  const listOf = (text = '{}'): string[] => text.slice(1, -1).split(',').filter(Boolean);
  return rows.map(({ table, arguments: given }) => {
    const [keys, covered] = given.toString().split('\0');
    return { table, keys: listOf(keys), covered: listOf(covered) };
  });
}

/**
 * Compares every row with its last digest, which reveals changes made outside the portal, even where the history keeps no copy. Runs inside the
 * caller's transaction.
 */
export async function checkDigests(client: Client, problems: string[], folder: string = MIGRATIONS): Promise<void> {
  const seeded = await seededTables(folder);
  for (const { table, keys, covered } of await digestedTables(client)) {
    // A column added later is not in the digest.
    const { rows } = await client.query<{ key: string; differs: boolean; extra: boolean; lost: boolean }>(
      `with last as (select distinct on (key) key, columns, digest from row_digest where table_name = $1 order by key, row_digest_id desc),
       present as (select row_key_of(to_jsonb(t), $2::text[]) as key, to_jsonb(t) as row from ${identifier(table)} t),
       later as (select n.columns, array(select a.attname::text from pg_attribute a where a.attrelid = $3::regclass and a.attnum > n.columns) as names
         from (select distinct columns from last) n)
       select coalesce(present.key, last.key)::text as key, last.digest is not null and present.key is not null
           and last.digest <> row_digest_of(present.row - later.names, $4::text[]) as differs,
         present.key is not null and last.digest is null as extra, present.key is null as lost
       from last join later using (columns) full join present using (key)
       where case when present.key is null then last.digest is not null when last.digest is null then not $5 or last.key is not null
         else last.digest <> row_digest_of(present.row - later.names, $4::text[]) end
       order by 1 limit 20`,
      [table, keys, identifier(table), covered, seeded.has(table)],
    );
    const what = covered.length === 0 ? '' : `${covered.join(' and ')} of `;
    for (const { key, differs, extra, lost } of rows) {
      if (differs) problems.push(`The ${what}row ${key} of ${table} is not what was written: it was changed past the portal.`);
      // If the history has copies, it shows which rows were added and removed.
      else if (covered.length === 0 && lost) problems.push(`The row ${key} of ${table} is gone: it was deleted past the portal.`);
      else if (extra)
        problems.push(`The ${what}row ${key} of ${table} is there, and nobody has written it: it was put in past the portal.`);
    }
  }
}
