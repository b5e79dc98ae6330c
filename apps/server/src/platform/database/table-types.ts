import { CamelCasePlugin, sql } from 'kysely';
import type { Database } from './database.ts';

interface Column {
  tableName: string;
  name: string;
  /** The base type, below any domain; of the element for an array. */
  type: string;
  isArray: boolean;
  nullable: boolean;
  hasDefault: boolean;
  /** Identity: `a` always, `d` by default, `` none. */
  identity: string;
  isComputed: boolean;
  /** The words an enum, or a check constraint of the column, allows. */
  labels: string[] | null;
  check: string | null;
  isTable: boolean;
}

const TYPES = new Map<string, string>([
  ...['int2', 'int4', 'int8', 'float4', 'float8', 'oid'].map(name => [name, 'number'] as const),
  ['bool', 'boolean'],
  ['bytea', 'Buffer'],
]);

class CamelCase extends CamelCasePlugin {
  of(name: string): string {
    return this.camelCase(name);
  }
}
const camelCase = new CamelCase();

/** The words of `CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text])))`, as PostgreSQL prints `state in (…)`. */
export function wordsOf(check: string, column: string): string[] | null {
  const list = new RegExp(`^CHECK \\(\\(\\(?"?${column}"?\\)?(?:::text)? = ANY \\(+ARRAY\\[(.*)\\](?:\\)?::text\\[\\])?\\)+$`).exec(
    check,
  )?.[1];
  if (list === undefined) return null;
  const words = [...list.matchAll(/'((?:''|[^'])*)'::[a-z ]+/g)].map(([, word]) => (word ?? '').replaceAll("''", "'"));
  return words.length > 0 ? words : null;
}

/** In the quotes the formatter would choose. */
function quoted(word: string): string {
  const text = word.replaceAll('\\', '\\\\');
  return word.includes("'") && !word.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`;
}

/** Breaks a long list of words as the formatter would, so that the generated file is the formatted one. */
function folded(line: string): string {
  const [, name, wrapper = '', words, end = ''] = /^ {4}(\w+): (Generated<|ColumnType<)?(.*?)(>|, never, never>)?;$/.exec(line) ?? [];
  if (line.length <= 140 || words === undefined || words.endsWith('[]')) return line;
  const list = words.split(' | ').map(word => `\n      | ${word}`);
  if (wrapper === '') return `    ${name}:${list.join('')};`;
  const rest = end === '>' ? '' : ',\n      never,\n      never';
  return `    ${name}: ${wrapper}${list.join('')}${rest}\n    >;`;
}

function typeOf(column: Column): string {
  if (column.type === 'json' || column.type === 'jsonb') {
    const element = column.nullable ? 'Json | null' : 'Json';
    const selected = column.nullable ? 'JsonValue | null' : 'JsonValue';
    if (column.isArray) return 'JsonValue[]';
    if (column.isComputed) return `ColumnType<${selected}, never, never>`;
    if (!column.nullable && !column.hasDefault) return 'Json';
    return element === 'Json | null'
      ? 'ColumnType<JsonValue | null, string | null | undefined, string | null>'
      : 'ColumnType<JsonValue, string | undefined, string>';
  }
  const words = column.labels ?? (column.check === null ? null : wordsOf(column.check, column.name));
  let type = words ? words.map(quoted).join(' | ') : (TYPES.get(column.type) ?? 'string');
  if (column.isArray) type = type.includes(' ') ? `(${type})[]` : `${type}[]`;
  if (column.nullable) type = `${type} | null`;
  if (column.isComputed) return `ColumnType<${type}, never, never>`;
  if (column.identity === 'a') return `GeneratedAlways<${type}>`;
  if (column.identity === 'd' || column.hasDefault) return `Generated<${type}>`;
  return type;
}

/**
 * The TypeScript source of `interface Tables` for every table and view of schema `public`: deterministic, the same from either database.
 * Values are typed as they arrive through Kysely; a jsonb column takes `JSON.stringify`ed text, because the driver would send an array as
 * a PostgreSQL array.
 */
export async function describeTables(database: Database): Promise<string> {
  const columns = await database.read.rows<Column>(sql`
    select c.relname as table_name, a.attname as name, c.relkind in ('r', 'p') as is_table,
      coalesce(element.typname, base.typname) as type, element.oid is not null as is_array,
      not (a.attnotnull or base_domain.typnotnull) as nullable,
      a.atthasdef and a.attgenerated = '' as has_default, a.attidentity as identity, a.attgenerated <> '' as is_computed,
      (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = coalesce(element.oid, base.oid)) as labels,
      (select min(pg_get_constraintdef(k.oid) collate "C") from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '%= ANY (%') as check
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type base_domain on base_domain.oid = a.atttypid
    join pg_type base on base.oid = case when base_domain.typtype = 'd' then base_domain.typbasetype else base_domain.oid end
    left join pg_type element on element.oid = base.typelem and base.typcategory = 'A'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C", a.attnum`);

  const tables = Map.groupBy(columns, ({ tableName }) => tableName);
  const body = [...tables].map(([name, members]) => {
    const lines = members.map(column => {
      const type = typeOf(column);
      return folded(
        `    ${camelCase.of(column.name)}: ${column.isTable || type.startsWith('ColumnType') ? type : `ColumnType<${type}, never, never>`};`,
      );
    });
    return `  ${camelCase.of(name)}: {\n${lines.join('\n')}\n  };`;
  });
  const source = `export interface Tables {\n${body.join('\n')}\n}\n`;
  const imports = ['ColumnType', 'Generated', 'GeneratedAlways'].filter(
    name => new RegExp(`\\b${name}<`).test(source) || (name === 'ColumnType' && /\bJson;/.test(source)),
  );
  const json = /\bJson(Value)?\b/.test(source)
    ? `export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };\n${
        /\bJson;/.test(source)
          ? '\n/** Read as a value, written as JSON text. */\nexport type Json = ColumnType<JsonValue, string, string>;\n'
          : ''
      }\n`
    : '';
  return `// Generated from the migrated database by write-tables.ts; do not edit.
${imports.length > 0 ? `import type { ${imports.join(', ')} } from 'kysely';\n\n` : ''}${json}/** The tables of the database, as queries see them. */
${source}`;
}
