import { sql } from 'kysely';
import type { Retention } from '../../../profile.ts';
import type { Query, Read, Tables } from '../../../platform/database/index.ts';
import { keptUntil, type KeptData } from '../../../platform/kept-data.ts';
import type { Module } from '../../../platform/module.ts';
import type { PersonalTable, PersonLink } from '../../../platform/personal-data.ts';

/** The person whose data is copied. */
export type CopiedPerson = { loginId: string; issuer: string; contactIds: readonly string[] };

/** A file of a copy: its name, the table its rows are of, and the rows, in batches. */
type CopyFile = { name: string; table: string; batches: AsyncGenerator<object[], void, void> };
/** Rows that a copy doesn't hold, with the reason. */
type Absent = { table: string; why: string };
/** A kind of data of a copy: what it is about, its files, and what is not in them. */
type CopyKind = { data: string; purpose: string; kept: string; files: readonly CopyFile[]; notInCopy: readonly Absent[] };

type Facts = PersonalTable<keyof Tables>;
type DeclaredTable = { table: keyof Tables; facts: Facts };
type Modules = readonly Pick<Module, 'personal' | 'keeps'>[];

/** Rows that are read together. */
const BATCH = 1_000;
/** Lines of the log that a copy holds, the newest ones. */
const LOG_LINES = 100_000;

const declaredTables = (modules: Modules): DeclaredTable[] =>
  modules.flatMap(({ personal = {} }) =>
    Object.entries(personal).map(([table, facts]) => ({ table: table as keyof Tables, facts: facts as Facts })),
  );

const kebab = (table: string): string => table.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
const columnsOf = <Value>(columns: { readonly [column: string]: Value | undefined } = {}): [string, Value][] =>
  Object.entries(columns) as [string, Value][];

/** A declared table, which only the program itself names; its columns are asked for by name. */
const fromTable = (read: Read, table: string) => read.selectFrom(sql.table<Record<string, unknown>>(table).as('row'));
type From = ReturnType<typeof fromTable>;

type Conditions = { readonly [column: string]: readonly [column: string, value: string | boolean] | undefined };

/** The rows in which one of these columns names the person, with the value that it asks for. A person without a contact has none by contacts. */
function ofPerson(
  from: From,
  links: readonly [string, PersonLink][],
  { loginId, contactIds }: CopiedPerson,
  { when = {}, others = false }: { when?: Conditions | undefined; others?: boolean } = {},
): From {
  return from.where(eb =>
    eb.or(
      links.flatMap(([column, link]) => {
        const ref = sql.ref<string>(`row.${column}`);
        if (link === 'contact' && contactIds.length === 0) return [];
        const named = link === 'login' ? eb(ref, '=', loginId) : eb(ref, 'in', contactIds);
        const [asked, value] = when[column] ?? [];
        return asked === undefined ? named : eb.and([named, eb(sql.ref(`row.${asked}`), others ? 'is distinct from' : '=', value!)]);
      }),
    ),
  );
}

/** Says who a column names without naming anyone else: other people have not asked for this copy. */
const namedAs = (value: unknown, link: PersonLink, { loginId, contactIds }: CopiedPerson): string | null => {
  // Logins and contacts are texts; null names no one.
  if (typeof value !== 'string') return null;
  return (link === 'login' ? value === loginId : contactIds.includes(value)) ? 'you' : 'another person';
};

/** A row as it is given: columns that name people say whether it is the person of the copy. */
const withoutOthers = (
  row: Readonly<Record<string, unknown>>,
  links: readonly [string, PersonLink][],
  person: CopiedPerson,
): Record<string, unknown> => ({
  ...row,
  ...Object.fromEntries(
    links.flatMap(([column, link]): [string, string | null][] => (column in row ? [[column, namedAs(row[column], link, person)]] : [])),
  ),
});

/** Yields the rows of a table that are about the person: what `gives` lists, and how the person is named in them. */
async function* ownRows(
  read: Read,
  { table, facts: { own, when, gives = [] } }: DeclaredTable,
  person: CopiedPerson,
): AsyncGenerator<object[], void, void> {
  const links = columnsOf<PersonLink>(own);
  const query = ofPerson(fromTable(read, table), links, person, { when: when as Conditions | undefined });
  const columns = [...links.map(([column]) => column), ...gives];
  for await (const batch of read.stream(query.select(columns.map(column => sql.ref(`row.${column}`).as(column))) as Query<object>, BATCH))
    yield (batch as Record<string, unknown>[]).map(row => withoutOthers(row, links, person));
}

/** Keys of all tables, by their names in the database. */
const keysOf = (read: Read): Promise<{ table: string; columns: string[] }[]> =>
  read.rows(sql`select c.conrelid::regclass::text as "table",
      array_agg(a.attname::text order by array_position(c.conkey, a.attnum)) as columns
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'p' and c.connamespace = 'public'::regnamespace group by 1`);

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_found, letter: string) => letter.toUpperCase());

/** Yields what the person did with rows that are about something else: the table, its key, and as what. */
async function* actRows(read: Read, tables: readonly DeclaredTable[], person: CopiedPerson): AsyncGenerator<object[], void, void> {
  const keys = new Map((await keysOf(read)).map(({ table, columns }) => [table, columns.map(camel)]));
  for (const { table, facts } of tables) {
    const links = [...columnsOf<PersonLink>(facts.own), ...columnsOf<PersonLink>(facts.acts)];
    // A part of the key can be a secret, or name someone else.
    const unsaid = new Set([...Object.keys(facts.withholds ?? {}), ...Object.keys(facts.others ?? {})]);
    const names = (keys.get(snake(table)) ?? []).filter(name => !unsaid.has(name));
    if (names.length === 0) continue;
    const when = (facts.when ?? {}) as Conditions;
    const conditional = columnsOf<PersonLink>(facts.own).filter(([column]) => when[column] !== undefined);
    for (const [column, link] of [...columnsOf<PersonLink>(facts.acts), ...conditional]) {
      const query = ofPerson(fromTable(read, table), [[column, link]], person, { when, others: true });
      const selected = query.select(names.map(name => sql.ref(`row.${name}`).as(name)));
      for await (const batch of read.stream(selected as Query<object>, BATCH))
        yield (batch as Record<string, unknown>[]).map(row => ({ table, as: column, ...withoutOthers(row, links, person) }));
    }
  }
}

type LogLine = {
  activityId: number;
  at: string;
  action: string;
  what: string;
  account: string | null;
  address: string | null;
  signedInWith: string[] | null;
  refusal: string | null;
};

/** The names under which the log has a person. */
const namesInLog = (read: Read, { issuer, loginId }: CopiedPerson): Promise<{ issuer: string; subject: string }[]> =>
  read.rows(sql`select ${issuer}::text as issuer, ${loginId}::text as subject
    union select issuer, subject from login_subject where login_id = ${loginId}`);

/**
 * Yields the newest lines of the activity log of what the person did, a page by its numbers at a time. Details of a line can be about others, and stay out.
 * @param most how many lines at most
 */
async function* logLines(read: Read, person: CopiedPerson, most: number): AsyncGenerator<object[], void, void> {
  let left = most;
  for (const { issuer, subject } of await namesInLog(read, person)) {
    let before: number | null = null;
    while (left > 0) {
      const page: LogLine[] = await read.rows<LogLine>(sql`select a.activity_id, a.happened_at as at, a.action, a.summary as what,
          a.account_name as account, host(a.address) as address, a.amr as signed_in_with, a.refusal
        from activity a where a.login_issuer = ${issuer} and a.login_subject = ${subject}
          ${before === null ? sql`` : sql`and a.activity_id < ${before}`}
        order by a.activity_id desc limit ${Math.min(BATCH, left)}`);
      if (page.length === 0) break;
      yield page.map(({ activityId: _number, ...line }) => line);
      before = page.at(-1)!.activityId;
      left -= page.length;
    }
  }
}

/**
 * Returns what a copy of a person's data is made of: each kind of data that a module keeps, then what the person did. Nothing is read before its batches are.
 * @param retention how long the registry keeps each kind
 * @param most how many lines of the log
 */
export function copyKinds(read: Read, modules: Modules, person: CopiedPerson, retention: Retention, most = LOG_LINES): CopyKind[] {
  const tables = declaredTables(modules);
  const tableOf = new Map(tables.map(table => [table.table, table]));
  const kinds = modules.flatMap(({ keeps = [] }) => keeps).map(kept => kindOf(read, kept, { tableOf, person, retention }));
  return [
    ...kinds,
    {
      data: 'Rows about something else that name you as the person who did something',
      purpose: 'To know who decided, recorded or asked for something',
      kept: 'As long as what it was done to',
      files: [{ name: 'acts.ndjson', table: 'several', batches: actRows(read, tables, person) }],
      notInCopy: [],
    },
    {
      data: `What you did, when, and from which internet address: the newest ${most.toLocaleString('en')} lines of the log`,
      purpose: 'To know who did what in the registry',
      kept: 'Permanently: the log is sealed, and can’t be changed by anyone',
      files: [{ name: 'activity-log.ndjson', table: 'activity', batches: logLines(read, person, most) }],
      notInCopy: [],
    },
  ];
}

function kindOf(
  read: Read,
  kept: KeptData,
  { tableOf, person, retention }: { tableOf: ReadonlyMap<string, DeclaredTable>; person: CopiedPerson; retention: Retention },
): CopyKind {
  const { data, purpose, tables } = kept;
  const files: CopyFile[] = [];
  const notInCopy: Absent[] = [];
  for (const table of tables) {
    const declared = tableOf.get(table);
    if (declared && Object.keys(declared.facts.own ?? {}).length > 0)
      files.push({ name: `${kebab(table)}.ndjson`, table, batches: ownRows(read, declared, person) });
    // A test refuses a table without a reason.
    else notInCopy.push({ table, why: declared?.facts.absent ?? '' });
  }
  return { data, purpose, kept: keptUntil(kept, retention), files, notInCopy };
}
