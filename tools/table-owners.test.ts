import { expect, test } from 'vitest';
import { foreignTables, misplacedTables, ownersIn, statementsOf, tablesOfSql } from './table-owners.ts';

test.each([
  ['select a.x from account a join contact c using (account_name)', ['account', 'contact']],
  ['select 1 from account a, contact, lateral (select from login l) x where a.x = 1', ['account', 'contact', 'login']],
  ['insert into mail as m (login, contact) values (1, 2) on conflict do update set login = 2', ['mail']],
  ['update login set contact = 1 where exists (select from only session s where s.login = contact.login)', ['login', 'session']],
  ['delete from session using login l where l.x = 1 returning contact', ['session', 'login']],
  ['select extract(year from day), x is distinct from y from unnest(?) u left join pool on true for update', ['day', 'pool']],
  ["select 'from login' -- from session\n from account", ['account']],
  ['with due as (select * from document where x) select from due for no key update', ['document', 'due']],
])('%s names %j', (text, tables) => {
  expect(tablesOfSql(text)).toEqual(tables);
});

test('statements are found whatever their form, sub-queries as a part of theirs', () => {
  const text = `const one = await read.selectFrom('account as a').innerJoin('contact', 'x', 'y').select('login').execute();
const [two] = await read.rows<{ x: string }>(sql\`select 1 from login l where \${sql\`exists (select from session)\`}\`);
await sql\`delete from mail\`.execute(change);
await change.insertInto('invoiceLine').values(({ selectFrom }) => selectFrom(['invoice', 'payment as p']).select('x')).execute();
const name = list.from('what');
const three = (await change.updateTable('loginTotp').set({ x: 1 }).execute()).length;`;
  expect(statementsOf({ path: 'x.ts', text }).map(({ line, tables }) => [line, tables])).toEqual([
    [1, ['account', 'contact']],
    [2, ['login', 'session']],
    [3, ['mail']],
    [4, ['invoice', 'invoice_line', 'payment']],
    [5, ['what']],
    [6, ['login_totp']],
  ]);
});

const declared = (name: string, tables: string) => ({
  path: `apps/server/src/modules/${name}/module.ts`,
  text: `export const m: Module = {\n  name: '${name}',\n  tables: [${tables}],\n};`,
});

test('a statement may name its own tables, those of modules above it and of the platform, and none further down', () => {
  const { owners, twice } = ownersIn([declared('accounts', "'account'"), declared('billing', "'invoice', 'invoiceLine'")]);
  expect(twice).toEqual([]);
  const named = (place: string, ...tables: string[]) =>
    foreignTables({ file: `apps/server/src/${place}.ts`, line: 1, tables }, owners, ['platform', 'accounts', 'billing']);
  expect(named('modules/billing/x', 'invoice_line', 'account', 'activity')).toEqual({ across: ['account'], against: [] });
  expect(named('modules/accounts/x', 'account', 'invoice')).toEqual({ across: ['invoice'], against: ['invoice'] });
  expect(named('platform/x', 'account', 'task')).toEqual({ across: ['account'], against: ['account'] });
  expect(named('demo/x', 'account', 'invoice')).toEqual({ across: [], against: [] });
});

test('a migration makes the tables of the module it is named after', () => {
  const { owners } = ownersIn([declared('accounts', "'account'"), declared('api-keys', "'apiKey'")]);
  const findings = (name: string, text: string) => misplacedTables({ path: `migrations/${name}.sql`, text }, owners);
  expect(findings('0003_accounts', 'create table account (\n')).toEqual([]);
  expect(findings('0042_api_keys_uses', 'create unlogged table api_key (\n')).toEqual([]);
  expect(findings('0042_accounts_more', '\ncreate table api_key (\n')).toEqual([
    'migrations/0042_accounts_more.sql: makes api_key of api_keys; name the file after its owner',
  ]);
});

test('a table has one owner', () => {
  expect(ownersIn([declared('accounts', "'account'"), declared('billing', "'account', 'task'")]).twice).toEqual([
    'apps/server/src/modules/billing/module.ts: account belongs to accounts already',
    'apps/server/src/modules/billing/module.ts: task belongs to platform already',
  ]);
});
