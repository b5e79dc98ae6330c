import { describe, expect, test } from 'vitest';
import { Scopes } from './scopes.ts';
import { findStatements, unusedTemplates } from './statements.ts';
import { lineOf, sourceOf } from './syntax.ts';

function read(...texts: readonly string[]) {
  const sources = texts.map((text, place) => sourceOf({ path: `src/file-${place}.ts`, text }));
  const scopes = new Scopes(sources);
  const { statements, unread } = findStatements(sources, scopes);
  const used = new Set(statements.flatMap(({ readings }) => readings.flatMap(({ templates }) => [...templates])));
  return {
    texts: statements.flatMap(({ readings }) => readings.map(({ text }) => text)),
    unread: unread.map(({ message }) => message),
    unused: unusedTemplates(sources, scopes, used).map(({ source, node }) => lineOf(source.text, node.start)),
  };
}

describe('statements are read from the sources', () => {
  test.each([
    [
      'values become parameters',
      'read.rows(sql`select 1 from a where x = ${x} and y = ${f(y)}`)',
      ['select 1 from a where x = $1 and y = $2'],
    ],
    ['pieces are put in', 'const where = sql`x = ${x}`; read.rows(sql`select 1 from a where ${where}`)', ['select 1 from a where x = $1']],
    [
      'each alternative is read',
      'read.rows(sql`select 1 ${lock ? sql`for update` : sql``} ${sort === 1 ? sql`limit ${n}` : sql`limit 2`}`)',
      ['select 1 for update limit $1', 'select 1  limit $1', 'select 1 for update limit 2'],
    ],
    [
      'alternatives of one condition go together',
      'read.rows(sql`select ${all ? sql`b.x` : sql`1`} from a ${!all ? sql`` : sql`join b using (y)`}`)',
      ['select b.x from a join b using (y)', 'select 1 from a'],
    ],
    [
      'functions are followed',
      'const at = (day: string) => sql`day = ${day}`; read.rows(sql`select 1 from a where ${at(x)}`)',
      ['select 1 from a where day = $1'],
    ],
    [
      'what callers pass is read, from each of them',
      `const rows = (where: RawBuilder<unknown>) => read.rows(sql\`select 1 from a where \${where}\`);
       rows(sql\`x = 1\`); rows(sql\`y = 2\`);`,
      ['select 1 from a where x = 1', 'select 1 from a where y = 2'],
    ],
    [
      'conditions that are gathered stand together, or not at all',
      'const all = [sql`x = 1`]; if (y) all.push(sql`y = ${y}`); read.rows(sql`select 1 from a where ${sql.join(all, sql` and `)}`)',
      ['select 1 from a where x = 1 and y = $1', 'select 1 from a where x = 1'],
    ],
    [
      'members of constants are read',
      'const by = { x: sql`x desc`, y: sql`y` }; read.rows(sql`select 1 from a order by ${by[sort]}`)',
      ['select 1 from a order by x desc', 'select 1 from a order by y'],
    ],
    [
      'prepared statements are read',
      "const word = 'open'; const FIND = preparedQuery<Row>(`select 1 from a where state = '${word}' and x = $1`)",
      ["select 1 from a where state = 'open' and x = $1"],
    ],
    [
      'a name that is assigned twice is read twice',
      'let rest = sql``; if (x) rest = sql`limit 1`; read.rows(sql`select 1 ${rest}`)',
      ['select 1', 'select 1 limit 1'],
    ],
    [
      'a variable that is made of itself in many ways ends',
      `let known = []; const find = a => known.find(b => b === a) ?? known[0];
       const next = a => (x ? find(a) : known.map(b => find(b) ?? find(a))); const last = a => (x ? next(a) : next(find(a)));
       known = [...known, next(1), next(2)]; known = known.map(a => last(a) ?? next(a)); known = known.map(a => (y ? last(next(a)) : find(a)));
       read.rows(sql\`select 1 from a where x = \${last(known)}\`)`,
      ['select 1 from a where x = $1'],
    ],
  ])('%s', (_, text, expected) => {
    const found = read(text);
    expect(found.texts).toEqual(expected);
    expect(found.unused).toEqual([]);
  });

  test('across files, through their doors', () => {
    const found = read(
      "import { isOpen } from './file-1.ts'; read.rows(sql`select 1 from a where ${isOpen(sql`a.state`)}`);",
      "export { isOpen } from './file-2.ts';",
      'export const isOpen = (column: RawBuilder<unknown>): RawBuilder<boolean> => sql`${column} = 1`;',
    );
    expect(found.texts).toEqual(['select 1 from a where a.state = 1']);
  });
});

test('what is made at run time can’t be read, and a piece that belongs to no statement is named', () => {
  expect(read('read.rows(sql`select 1 from ${sql.raw(table)}`)').unread).toEqual([
    'this statement can’t be read from the sources: the text of sql.raw is made at run time',
  ]);
  expect(read('\nexport const lost = sql`x = 1`;').unused).toEqual([2]);
  expect(read("db.selectFrom('a').where(sql<boolean>`x = 1`); sql`lock table a`.execute(db)").unused).toEqual([]);
});
