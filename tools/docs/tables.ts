import type { Database } from '../../apps/server/src/platform/database/index.ts';
import { projectFiles } from '../project-files.ts';
import { code, page, table } from './markdown.ts';

type Column = { table_name: string; name: string; type: string; required: boolean; fallback: string | null };
type Reference = { table_name: string; name: string; target: string };
type Trigger = { table_name: string; name: string; secrets: string };

const columnsQuery = `
  select c.relname as table_name, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
    case when a.attidentity <> '' then 'identity' when a.attgenerated <> '' then 'computed: ' || pg_get_expr(d.adbin, d.adrelid) else pg_get_expr(d.adbin, d.adrelid) end as fallback
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname collate "C", a.attnum`;

const referencesQuery = `
  select conrelid::regclass::text as table_name, a.attname as name, confrelid::regclass::text as target
  from pg_constraint join pg_attribute a on a.attrelid = conrelid and a.attnum = any (conkey)
  where contype = 'f' and connamespace = 'public'::regnamespace`;

const triggersQuery = `
  select c.relname as table_name, t.tgname as name, encode(t.tgargs, 'escape') as secrets
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`;

/** Returns how a table's changes are recorded, from its triggers. */
export function historyInWords(triggers: readonly Pick<Trigger, 'name' | 'secrets'>[]): string {
  const copied = triggers.find(({ name }) => name === 'z_keep_inserted');
  if (copied) {
    const secrets = copied.secrets.split('\\000').filter(Boolean);
    return `every change is kept${secrets.length > 0 ? `, without ${secrets.map(code).join(', ')}` : ''}`;
  }
  const named = new Set(triggers.map(({ name }) => name));
  if (named.has('append_only')) return 'only grows';
  return named.has('a_require_activity') ? 'changed only inside a recorded activity; no copy is kept' : 'none: the platform’s own books';
}

/** Returns the description of each table: the comment right above its `create table` in the migrations. */
async function purposes(): Promise<Map<string, string>> {
  const files = await projectFiles(/^apps\/server\/db\/migrations\/.*\.sql$/);
  return new Map(
    files.flatMap(({ text }) =>
      [...text.matchAll(/((?:^--.*\n)+)create table (\w+)/gm)].map(
        ([, comment, name]) => [name!, comment!.replace(/^-- ?/gm, '').trim().replaceAll('\n', ' ')] as const,
      ),
    ),
  );
}

/** docs/generated/tables.md: the tables of the migrated database. */
export async function tablesPage({ pool }: Pick<Database, 'pool'>): Promise<string> {
  const { rows: columns } = await pool.query<Column>(columnsQuery);
  const { rows: triggers } = await pool.query<Trigger>(triggersQuery);
  const { rows: references } = await pool.query<Reference>(referencesQuery);
  const says = await purposes();
  const byTable = Map.groupBy(columns, column => column.table_name);
  const sections = [...byTable].map(([name, members]) =>
    [
      `## ${name}`,
      ...(says.has(name) ? [says.get(name)!] : []),
      `History: ${historyInWords(triggers.filter(trigger => trigger.table_name === name))}.`,
      table(
        ['column', 'type', 'required', 'default', 'references'],
        members.map(({ name: column, type, required, fallback }) => [
          code(column),
          type,
          required ? 'yes' : '',
          code(fallback ?? ''),
          references
            .filter(each => each.table_name === name && each.name === column)
            .map(({ target }) => `[${target}](#${target})`)
            .join(', '),
        ]),
      ),
    ].join('\n\n'),
  );
  return page('Tables', '`apps/server/db/migrations`', ...sections);
}
