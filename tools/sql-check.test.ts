import { expect, test } from 'vitest';
import { checkedSources, describedIn } from './sql-check.ts';
import type { Described } from './sql/describe.ts';
import { sourceOf } from './sql/syntax.ts';

const columns = [{ name: 'full_name', type: 'AnyText | null', nullness: 'possible' as const }];
const check = async (text: string, found: (statement: string) => Described = () => ({ columns })) => {
  const sources = [sourceOf({ path: 'a.ts', text })];
  const { statements, described, scopes, findings } = await describedIn(
    sources,
    async texts => new Map(texts.map(each => [each, found(each)])),
  );
  return { findings: findings.map(({ message }) => message), checked: checkedSources(sources, statements, described, scopes).get('a.ts')! };
};

test('the rows of a statement stand beside the row type, wherever it is written', async () => {
  const text = `
read.rows<Row>(sql\`select full_name\`);
const where = sql<Row>\`select full_name from x\`;
const FIND = preparedQuery<Row>('select full_name where x = $1');
const plain: Row[] = await read.rows(sql\`select full_name from y\`);
async function all<Each>() { return read.rows<Each>(sql\`select full_name from z\`); }`;
  expect((await check(text)).checked.split('\n')).toEqual([
    '',
    'read.rows<CheckedRow<Row, { fullName: AnyText | null }>>(sql`select full_name`);',
    'const where = sql<CheckedRow<Row, { fullName: AnyText | null }>>`select full_name from x`;',
    "const FIND = preparedQuery<CheckedRow<Row, { fullName: AnyText | null }>>('select full_name where x = $1');",
    'const plain: Row[] = await read.rows(sql<{ fullName: string | null }>`select full_name from y`);',
    'async function all<Each>() { return read.rows<Each>(sql`select full_name from z`); }',
  ]);
});

test('a statement that the database refuses is a finding, but not a part that is taken where it belongs', async () => {
  const refused = (statement: string): Described =>
    statement.includes('o.x') && !statement.includes('from o') ? { refusal: 'no o' } : { columns };
  expect((await check('read.rows(sql`select o.x`)', refused)).findings).toEqual([
    "PostgreSQL doesn't prepare this statement: no o\n    select o.x",
  ]);
  expect((await check('const x = sql`select o.x`; read.rows(sql`select (${x}) from o`)', refused)).findings).toEqual([]);
});
