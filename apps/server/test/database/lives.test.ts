import { allEndpoints } from '@portal/contract/api';
import { factsOf, type Life, stepsOf } from '@portal/contract/life';
import { lives } from '@portal/contract/lives';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { vocabularyOf } from '../../src/modules/activity-log/vocabulary.ts';
import { modules } from '../../src/modules.ts';
import { testPortal } from '../portal.ts';

/** States that rows have; a state that no move leads to or from follows from other facts. */
const storedStates = (life: Life): string[] => [...new Set(Object.values(life).flatMap(({ from, to }) => [...from, ...to]))].toSorted();

const stored = lives.flatMap(life => {
  const { table, column } = factsOf(life);
  return table && column ? [{ life, table, column }] : [];
});

test('the database has the states and the moves of every life', async () => {
  await using portal = await testPortal();
  const rows = await portal.db.read.rows<{ table: string; column: string; check: string; steps: string }>(sql`
    select w.of_table as table, w.of_column as column,
      (select string_agg(pg_get_constraintdef(c.oid), ' ') from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attname = w.of_column
        where c.conrelid = w.of_table::regclass and c.contype = 'c' and c.conkey = array[a.attnum] and pg_get_constraintdef(c.oid) like '%ARRAY%') as check,
      (select encode(t.tgargs, 'escape') from pg_trigger t where t.tgrelid = w.of_table::regclass and t.tgname = 'b_follow_life') as steps
    from unnest(${stored.map(({ table }) => table)}::text[], ${stored.map(({ column }) => column)}::text[]) as w (of_table, of_column)`);
  const found = rows.map(({ table, column, check, steps }) => ({
    table,
    column,
    states: [...check.matchAll(/'([^']+)'/g)].map(([, state]) => state!).toSorted(),
    steps: steps.split('\\000').at(-2) ?? '',
  }));
  const declared = stored.map(({ life, table, column }) => ({ table, column, states: storedStates(life), steps: stepsOf(life).join(' ') }));
  expect(found).toEqual(declared);
});

const { wordsOf } = vocabularyOf(modules);
const calls = new Set(allEndpoints.flatMap(({ moves }) => (moves ? [`${moves.life.table}.${moves.life.column} ${moves.name}`] : [])));

test('each move is made by a call that names it, or by what its row declares', () => {
  const unmade = stored.flatMap(({ life, table, column }) =>
    Object.entries(life)
      .filter(([name, { by = [] }]) => by.length === 0 && !calls.has(`${table}.${column} ${name}`))
      .map(([name]) => `${table} ${name}`),
  );
  expect(unmade).toEqual([]);
});

test('what a row declares to make its move is known to the activity log', () => {
  const unknown = lives.flatMap(life => Object.values(life).flatMap(({ by = [] }) => by.filter(action => wordsOf(action) === null)));
  expect(unknown).toEqual([]);
});

test('a call that names a move is not declared beside it', () => {
  const twice = allEndpoints.filter(({ id, moves }) => moves?.by?.includes(id)).map(({ id }) => id);
  expect(twice).toEqual([]);
});

test('a case stays only in states from which its move does not lead on', () => {
  const both = lives.flatMap(life =>
    Object.entries(life).flatMap(([name, { from, stays = [] }]) => (stays.some(state => from.includes(state)) ? [name] : [])),
  );
  expect(both).toEqual([]);
});

test('a state that no move leads to is refused by the database, whatever writes it', async () => {
  await using portal = await testPortal();
  const line = { action: 'test', summary: 'Planted', traceId: '0'.repeat(32) };
  const planted = portal.db.change(line, async change => {
    await change.rows(sql`insert into listing (account_name, kind, length, names_holder, inter_registry, notes, listed_by, listed_at, expires_on)
      select 'EXAMPLE-AU', 'wanted', 24, false, false, '', login_id, now(), current_date + 1 from login where username = 'corin'`);
    await change.rows(sql`update listing set state = 'withdrawn', ended_at = now(), ended_why = ''`);
    await change.rows(sql`update listing set state = 'open', ended_at = null`);
  });
  await expect(planted).rejects.toThrow('listing: no move leads from withdrawn to open');
});
