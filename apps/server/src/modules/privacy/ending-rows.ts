import { sql } from 'kysely';
import type { Change, Read, Tables } from '../../platform/database/index.ts';
import { type EndingData, type EndingRows, isEnding } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import type { PersonalTable, PersonLink } from '../../platform/personal-data.ts';

type Modules = readonly Pick<Module, 'keeps' | 'personal'>[];

/** Kinds of personal data that end after a period of the profile, in the order of the modules. */
export const endingKinds = (modules: Modules): EndingData[] => modules.flatMap(({ keeps = [] }) => keeps).filter(isEnding);

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Columns of a table that name an account, or people by login or contact: a legal hold on one of these keeps the row. */
function linksOf(modules: Modules, table: keyof Tables, accounts: ReadonlySet<string>): Record<string, PersonLink | 'account'> {
  const links = modules.flatMap(({ personal = {} }) => {
    const { own = {}, acts = {} } = (personal[table] ?? {}) as PersonalTable<keyof Tables>;
    return Object.entries({ ...own, ...acts } as Record<string, PersonLink>);
  });
  return {
    ...Object.fromEntries(links.map(([column, link]) => [snake(column), link])),
    ...(accounts.has(snake(table)) && { account_name: 'account' }),
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

/** Rows that end together, as `end_rows` of the database takes them: those of a table, with the rows that hang on them. */
export function ruleOf(
  modules: Modules,
  { table, after, only, filled = [], with: parts = [] }: EndingRows,
  accounts: ReadonlySet<string>,
): string {
  return JSON.stringify({
    table: snake(table),
    key: `${snake(table)}_id`,
    after: snake(after),
    only: Object.fromEntries(Object.entries(only ?? {}).map(([column, values]) => [snake(column), values])),
    filled: filled.map(snake),
    links: linksOf(modules, table, accounts),
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

/** Ends rows whose time is over and that no hold keeps, the oldest first. @returns how many */
export async function endRows(change: Change, { rule, before }: Ending, most: number): Promise<number> {
  const [ended] = await change.rows<{ rows: number | null }>(
    sql`select end_rows(${rule}::jsonb, ${before}::timestamptz, ${most}::int) as rows`,
  );
  return ended?.rows ?? 0;
}
