import { expect, test } from 'vitest';
import { upgradeFindings } from './migration-upgrades.ts';

const findings = (...texts: string[]): string[] =>
  upgradeFindings(
    texts.map((text, n) => ({ name: `050${n}_a.sql`, text })),
    '1.2.0',
  );

test.for([
  ['create index on contact (email);', 'makes an index of contact while all writes wait'],
  ['create unique index a on contact (email);', 'makes a unique index of contact, which may refuse'],
  ['create index concurrently a on contact (email); select 1;', 'needs a file without other statements'],
  ['create index concurrently on contact (email);', 'needs a name'],
  ['alter table contact alter column email type bytea;', 'changes the type of contact.email, which writes the whole table anew'],
  ['alter table contact alter email type bytea;', 'changes the type of contact.email.'],
  ['alter table contact alter column email set not null;', 'reads all rows of contact'],
  ['alter table contact alter column email set not null;', 'refuses contact.email that is empty'],
  ['alter table contact alter column email drop default;', 'takes the default of contact.email'],
  [
    'alter table contact add column a int, add column b uuid default gen_random_uuid();',
    'adds contact.b with a value that is made for each row',
  ],
  ['alter table contact add column b bigint generated always as identity;', 'writes the whole table anew'],
  ['alter table contact add column b int check (b > 0);', 'adds contact.b with a check'],
  ['alter table contact add column b int not null;', 'adds contact.b, which must be filled and has no default'],
  ['alter table contact add b int unique;', 'adds contact.b with an index'],
  ['alter table contact add constraint c check (length(email) < 9);', 'adds c with all rows read'],
  ['alter table contact add constraint c check (length(email) < 9) not valid;', 'adds c, which may refuse what is written today'],
  ['alter table contact add foreign key (email) references mailbox;', 'adds a rule of contact with all rows read'],
  ['alter table contact add primary key (email);', 'with an index made while all writes wait'],
  ['alter table contact drop column email;', 'drops contact.email'],
  ['alter table contact drop email;', 'drops contact.email'],
  ['alter table contact rename column email to mail;', 'renames contact.email'],
  ['alter table contact rename to person;', 'renames contact'],
  ["alter type cover rename value 'a' to 'b';", 'renames cover'],
  ['drop table contact;', 'drops contact'],
  ['drop function if exists votes_of(text);', 'drops votes_of'],
  ['truncate contact;', 'holds contact (truncate)'],
  ["update contact set email = 'where';", 'writes all rows of contact'],
  ['do $$ begin update contact c set email = null; end $$;', 'writes all rows of contact'],
  ['delete from contact;', 'writes all rows of contact'],
  [
    "alter table contact add constraint c check (email > '') not valid; alter table contact validate constraint c;",
    'validates c while it is added',
  ],
  [
    '-- Contracts contact.email: unused since 1.3.0.\nalter table contact drop column email;',
    '1.3.0 is not released yet, and 1.2.0 uses it',
  ],
] as const)('%s is refused', ([text, words]) => {
  expect(findings(text).join('\n')).toContain(words);
});

test.for([
  'create table shelf (id int not null check (id > 0)); create index on shelf (id); alter table shelf alter id type bigint;',
  "alter table contact add column shelf int, add column since timestamptz not null default now(), add column x text[] not null default '{}';",
  'alter table contact add column shelf text references shelf;',
  'create index concurrently contact_email on contact (email); create index concurrently contact_name on contact (name);',
  'alter table contact add column a int; alter table contact add constraint c check (a > 0) not valid;',
  'alter table contact validate constraint c;',
  'alter table contact drop constraint c; drop index contact_email; drop trigger t on contact;',
  'create or replace function f() returns int language sql as $$ select 1; delete from contact $$;',
  "update contact set email = null where email = '';",
  '-- Few rows: cover, economy.\ncreate index on cover (name); create index on economy (name);',
  "-- Widens cover_kind_check.\n-- Few rows: cover.\nalter table cover drop constraint cover_kind_check, add constraint cover_kind_check check (kind in ('a', 'b'));",
  '-- Contracts contact.email, mailbox: unused since 1.2.0.\nalter table contact drop column email; drop table mailbox;',
])('%s is taken', text => {
  expect(findings(text)).toEqual([]);
});

test('a table and a column of an earlier file count as new until they are released', () => {
  const made = 'create table shelf (id int); alter table contact add column shelf int;';
  const later = 'drop table shelf; create unique index concurrently contact_shelf on contact (shelf);';
  expect(findings(made, 'drop table shelf;', 'create unique index concurrently contact_shelf on contact (shelf);')).toEqual([]);
  expect(findings(later)).not.toEqual([]);
});

test('a refusal says what to write', () => {
  expect(findings('alter table a drop constraint b, add constraint b check (c > 0) not valid;')).toEqual([
    '0500_a.sql, line 1: adds b, which may refuse what is written today. If it may: "-- Widens b." (docs/adding/migration.md)',
  ]);
  expect(findings('alter table a drop column b;')).toEqual([
    '0500_a.sql, line 1: drops a.b. If it may: "-- Contracts a.b: unused since 1.2.0." (docs/adding/migration.md)',
  ]);
});
