import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { describeStatements } from './describe.ts';
import { rowType } from './row-types.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ url: 'memory://' });
  await database.pool.query(`
    create table holder (name text primary key, state text not null check (state in ('open', 'closed')), email text, born date not null, closed_at timestamptz,
      check ((state = 'closed') = (closed_at is not null)));
    create table space (id bigint generated always as identity primary key, holder text not null references holder, kind text not null check (kind in ('ipv4', 'asn')),
      first inet, first_as bigint, size numeric not null, tags text[] not null default '{}', facts jsonb,
      check (case kind when 'asn' then first_as is not null else first is not null end));
    create view open_holder as select name, email, state from holder where state = 'open'`);
}, 60_000);
afterAll(() => database.close());

async function rowOf(text: string): Promise<string> {
  const found = (await describeStatements(database, [text])).get(text)!;
  return 'refusal' in found ? found.refusal : rowType(found.columns);
}

describe('the database and its trees say what a statement answers', () => {
  test.each([
    [
      'types are those of the driver',
      'select id, size, born, closed_at, tags, facts, first from space, holder',
      '{ id: number; size: AnyText; born: AnyText; closedAt: AnyText | null; tags: (AnyText)[]; facts: any | null; first: AnyText | null }',
    ],
    ['words of checks', 'select state, upper(state) as loud from holder', "{ state: 'open' | 'closed'; loud: AnyText }"],
    ['words by conditions', "select state from holder where state <> 'closed'", "{ state: 'open' }"],
    [
      'words of expressions',
      "select case when email is null then 'none' else 'some' end as mail, coalesce(state, 'x') as s from holder",
      "{ mail: 'none' | 'some'; s: 'open' | 'closed' | 'x' }",
    ],
    ['an outer join', 'select h.name, s.id from holder h left join space s on s.holder = h.name', '{ name: AnyText; id: number | null }'],
    [
      'an outer join that a condition makes an inner one',
      'select h.name, s.id from holder h left join space s on s.holder = h.name where s.kind = $1',
      '{ name: AnyText; id: number }',
    ],
    ['a full join', 'select coalesce(h.name, s.holder) as name from holder h full join space s on s.holder = h.name', '{ name: AnyText }'],
    [
      'proofs of conditions',
      'select email, first from holder, space where email like $1 and first is not null',
      '{ email: AnyText; first: AnyText }',
    ],
    ['proofs of an expression', "select facts ->> 'a' as a from space where facts ->> 'a' is not null", '{ a: AnyText }'],
    ['checks, given a condition', "select closed_at from holder where state = 'closed'", '{ closedAt: AnyText }'],
    ['checks, by cases', "select first_as, first from space where kind = 'asn'", '{ firstAs: number; first: AnyText | null }'],
    ['checks, of the other state', "select closed_at from holder where state = 'open'", '{ closedAt: AnyText | null }'],
    [
      'aggregates without groups',
      'select count(*), max(size) as most, array_agg(id) as ids from space',
      '{ count: number; most: AnyText | null; ids: (number)[] | null }',
    ],
    [
      'aggregates of groups',
      'select holder, max(size) as most, max(first_as) as last from space group by holder',
      '{ holder: AnyText; most: AnyText; last: number | null }',
    ],
    [
      'sub-queries',
      'select (select count(*)::int from space) as n, (select email from holder limit 1) as mail, exists (select from space) as some',
      '{ n: number; mail: AnyText | null; some: boolean }',
    ],
    [
      'lists',
      'select array(select id from space) as ids, array[state] as states from holder',
      "{ ids: (number)[]; states: ('open' | 'closed')[] }",
    ],
    [
      'unions',
      'select name, null::bigint as id from holder union all select holder, id from space',
      '{ name: AnyText; id: number | null }',
    ],
    [
      'common tables',
      'with h as (select name, email from holder where email is not null) select name, email from h',
      '{ name: AnyText; email: AnyText }',
    ],
    [
      'common tables that name themselves',
      'with recursive n (a, b) as (select 1, null::int union all select a + 1, a from n where a < 9) select a, b from n',
      '{ a: number; b: number | null }',
    ],
    ['views', 'select name, email, state from open_holder', "{ name: AnyText; email: AnyText | null; state: 'open' }"],
    ['changes', 'update holder set email = null where email is not null returning name, email', '{ name: AnyText; email: AnyText | null }'],
    ['values of the program', 'select $1::text as given, $2::int as n', '{ given: any; n: number }'],
    [
      'conditions that are never null',
      'select (closed_at is null or closed_at > now()) as current, email = $1 as same from holder',
      '{ current: boolean; same: boolean | null }',
    ],
    ['nothing', 'delete from space where id = $1', '{  }'],
  ])('%s', async (_, text, expected) => {
    expect(await rowOf(text)).toBe(expected);
  });

  test('a statement that is wrong is refused in the words of the database', async () => {
    expect(await rowOf('select telephone from holder')).toBe('column "telephone" does not exist');
    expect(await rowOf('select 1 from holder where name = 1')).toContain('operator does not exist');
  });

  test.each([
    ["select 1 from holder where state = 'shut'", ["state is never 'shut', only 'open', 'closed'"]],
    ["select case state when 'Open' then 1 end from holder h", ["state is never 'Open', only 'open', 'closed'"]],
    [
      "select 1 from space s where exists (select from holder h where h.name = s.holder and h.state not in ('open', 'lost'))",
      ["state is never 'lost', only 'open', 'closed'"],
    ],
    ["update holder set state = 'lost'", ["state can't be 'lost', only 'open', 'closed'"]],
    [
      "insert into holder (name, state, born) values ($1, case when $2::boolean then 'open' else 'new' end, now())",
      ["state can't be 'new', only 'open', 'closed'"],
    ],
    ["select 1 from holder where state in ('open', 'closed') and name = 'shut'", undefined],
  ])('%s: words that a column never has', async (text, expected) => {
    const found = (await describeStatements(database, [text])).get(text)!;
    expect('mistakes' in found ? found.mistakes : undefined).toEqual(expected);
  });
});
