import { sql } from 'kysely';
import type { Change, Read, Tables } from '../../platform/database/index.ts';
import { type EndingRows, isEnding } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import type { PersonalTable, PersonLink } from '../../platform/personal-data.ts';
import type { Retention } from '../../profile.ts';

type Modules = readonly Pick<Module, 'keeps' | 'personal'>[];

/** Personal data that ends after one period of the profile. */
export type EndingKindRows = { period: keyof Retention; data: string; purpose: string; from: string; over: readonly EndingRows[] };

/** Kinds of personal data that end after a period of the profile, in the order of the modules; one whose rows have different periods is several. */
export const endingKinds = (modules: Modules): EndingKindRows[] =>
  modules
    .flatMap(({ keeps = [] }) => keeps)
    .filter(isEnding)
    .flatMap(({ data, purpose, from, ends, over }) =>
      [...new Set(over.map(({ period }) => period?.ends ?? ends))].map(period => {
        const rows = over.filter(each => (each.period?.ends ?? ends) === period);
        return { period, data: rows[0]?.period?.data ?? data, purpose, from, over: rows };
      }),
    );

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Columns of a table that name an account, or the person whom a row is about, by login or contact: a legal hold on one of these keeps the row. Who worked on a row doesn’t. */
function linksOf(
  modules: Modules,
  table: keyof Tables,
  accounts: ReadonlySet<string>,
): Record<string, PersonLink | 'account' | 'document'> {
  const links = modules.flatMap(({ personal = {} }) => {
    const { own = {} } = (personal[table] ?? {}) as PersonalTable<keyof Tables>;
    return Object.entries(own as Record<string, PersonLink>);
  });
  return {
    ...Object.fromEntries(links.map(([column, link]) => [snake(column), link])),
    ...(accounts.has(snake(table)) && { account_name: 'account' as const }),
  };
}

/** The tables with rows of accounts. */
export const readAccountTables = async (read: Pick<Read, 'rows'>): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await read.rows<{ table: string }>(sql`select c.relname::text as "table" from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attname = 'account_name' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`)
    ).map(({ table }) => table),
  );

const inSnakeCase = (values: object = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([column, value]) => [snake(column), value]));

/** Rows that end together, as `end_rows` of the database takes them: those of a table, with the rows that hang on them. */
export function ruleOf(
  modules: Modules,
  { table, after, only, except, ofDocument, filled = [], with: parts = [] }: EndingRows,
  accounts: ReadonlySet<string>,
): string {
  return JSON.stringify({
    table: snake(table),
    key: `${snake(table)}_id`,
    after: snake(after),
    only: inSnakeCase(only),
    except: inSnakeCase(except),
    filled: filled.map(snake),
    links: { ...linksOf(modules, table, accounts), ...(ofDocument && { [snake(ofDocument)]: 'document' }) },
    with: parts.map(({ table: part, by, found = by }) => ({
      table: snake(part),
      by: snake(by),
      found: snake(found),
      links: linksOf(modules, part, accounts),
    })),
  });
}

/** The rule by which rows of a table end, and the instant before which its time is over. */
export type Ending = { table: keyof Tables; rule: string; before: string };

/** More than this many are not counted: the page says “1,000 or more”. */
const MAX_COUNTED = 1_000;

/** Counts what is over: what the next run deletes, and what a legal hold keeps; and says when the oldest of the others began. */
export async function countEnding(
  read: Pick<Read, 'rows'>,
  { rule, before }: Ending,
): Promise<{ over: number; held: number; oldest: string | null }> {
  const [counted] = await read.rows<{
    over: number | null;
    held: number | null;
    oldest: string | null;
  }>(sql`select over, held, oldest from count_ending(${rule}::jsonb, ${before}::timestamptz, ${MAX_COUNTED})`);
  return { over: counted?.over ?? 0, held: counted?.held ?? 0, oldest: counted?.oldest ?? null };
}

/** Rows that ended, and those that couldn't, with the reason. */
export type Ended = { done: number; failed: { id: string; why: string }[] };

/** Ends rows whose time is over and that no hold keeps, the oldest first. One that can't be deleted stops none of the others. */
export async function endRows(change: Change, { rule, before }: Ending, most: number): Promise<Ended> {
  const [row] = await change.rows<{ ended: Ended | null }>(
    sql`select end_rows(${rule}::jsonb, ${before}::timestamptz, ${most}::int) as ended`,
  );
  return row?.ended ?? { done: 0, failed: [] };
}

/** Whether what is over is a large part of a table, as when a clock or a period is wrong. */
export async function isLargePart(read: Pick<Read, 'rows'>, { rule, before }: Ending): Promise<boolean> {
  const [part] = await read.rows<{ isLarge: boolean | null }>(
    sql`select is_large_part(${rule}::jsonb, ${before}::timestamptz) as is_large`,
  );
  return part?.isLarge ?? false;
}
