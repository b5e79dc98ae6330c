import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statementFacts, withoutValues } from './statement-words.ts';

describe('what is told of a statement', () => {
  test.each([
    ['select "a"."name" from "account" as "a" where "a"."account_name" = $1 limit $2', 'select account'],
    ['insert into task (name) values ($1)', 'insert task'],
    ['  update "periodic_work" set x = $1', 'update periodic_work'],
    ['with due as (select 1 from holiday) select * from due', 'with holiday'],
    ['begin', 'begin'],
    ['', 'statement'],
  ])('%j is %s', (text, name) => expect(statementFacts(text).name).toBe(name));

  test.each([
    [`select * from person where email = 'jane@example.net' and n = 42`, 'select * from person where email = ? and n = ?'],
    [`select 'it''s ' || $1, "odd 'name'"`, `select ? || $1, "odd 'name'"`],
    ['select $body$Jane 7$body$, $$x$$, $2::int', 'select ?, ?, $2::int'],
    ['select 1 -- Jane\n, 2 /* Joe\n */ from t1', 'select ? , ? from t1'],
    ['select a.b1, c_2, 3.50, -7 from x', 'select a.b1, c_2, ?, -? from x'],
  ])('%j says %j', (text, told) => expect(withoutValues(text)).toBe(told));

  test.each([`select E'it\\'s Jane'`, `select 'never closed`, 'select $a$ never closed', `select 'a' 'b`])('%j is not told', text =>
    expect(withoutValues(text)).toBeNull(),
  );

  test('is never a text that was written into it', () => {
    const quoted = fc.string({ minLength: 1 }).map(text => ({ text, sql: `'${text.replaceAll("'", "''")}'` }));
    fc.assert(
      fc.property(fc.array(quoted, { minLength: 1, maxLength: 5 }), values => {
        const told = withoutValues(`select ${values.map(({ sql }) => sql).join(', ')} from t where a = $1`);
        expect([null, `select ${values.map(() => '?').join(', ')} from t where a = $1`]).toContain(told);
      }),
    );
  });
});
