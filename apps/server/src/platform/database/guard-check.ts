import type { Client } from 'pg';
import { identifier } from './stored-tables.ts';

/** Checks the guards of the tables: finds disabled triggers, and rows that violate a constraint. Returns the number of constraints. */
export async function checkGuards(client: Client, problems: string[]): Promise<number> {
  const { rows: off } = await client.query<{ table: string; trigger: string }>(`
    select c.relname as table, t.tgname as trigger from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgenabled <> 'O' and not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1, 2`);
  for (const { table, trigger } of off) problems.push(`The trigger ${trigger} of ${table} is turned off: changes pass it by.`);
  const { rows: checks } = await client.query<{ table: string; name: string; expression: string }>(`
    select c.relname as table, k.conname as name, pg_get_expr(k.conbin, k.conrelid) as expression
    from pg_constraint k join pg_class c on c.oid = k.conrelid where k.contype = 'c' and k.connamespace = 'public'::regnamespace order by 1, 2`);
  const byTable = Map.groupBy(checks, ({ table }) => table);
  for (const [table, constraints] of byTable) {
    const counts = constraints.map(({ expression }, i) => `count(*) filter (where not (${expression}))::int as "${i}"`);
    const { rows } = await client.query<Record<string, number>>(`select ${counts.join(', ')} from ${identifier(table)}`);
    for (const [i, { name }] of constraints.entries()) {
      const count = rows[0]?.[i] ?? 0;
      if (count > 0) problems.push(`${count} rows of ${table} break its rule ${name}.`);
    }
  }
  return checks.length;
}
