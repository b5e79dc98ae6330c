import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { modules } from '../../src/modules.ts';
import { kindsForRules, testPortal } from '../portal.ts';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Columns whose names say that they hold how a person is called or reached, or from where they came. */
const personal = /(^|_)(e?mail|full_name|phone|user_agent|address|mailbox|payer|requestor|recipient)(_|$)/;
/** Tables whose columns of such names hold nothing about people, with the reason. */
const impersonal: Readonly<Record<string, string>> = {};

test('each table with data about people has a line on the privacy page, and no table has two', async () => {
  await using portal = await testPortal(kindsForRules[0]!);
  const columns = await portal.db.read.rows<{ table: string; column: string }>(sql`select c.table_name as "table", c.column_name as "column"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`);
  const lines = modules.flatMap(({ keeps }) => keeps ?? []);
  const covered = lines.flatMap(({ tables }) => tables.map(snakeCase));
  expect(covered.filter((table, place) => covered.indexOf(table) !== place)).toEqual([]);
  const known = new Set(columns.map(({ table }) => table));
  expect(covered.filter(table => !known.has(table))).toEqual([]);
  const uncovered = columns.filter(({ table, column }) => personal.test(column) && !covered.includes(table) && !(table in impersonal));
  expect(uncovered.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});
