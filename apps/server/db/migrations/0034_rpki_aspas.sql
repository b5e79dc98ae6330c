-- Provider authorisations (ASPA): the upstream providers of an AS, as its holder states them (draft-ietf-sidrops-aspa-profile, version 1).

create table aspa (
  aspa_id      bigint generated always as identity primary key,
  account_name text not null references account,
  -- The AS whose providers these are.
  customer     bigint not null check (customer between 1 and 4294967295),
  -- Ascending, each once; 0 alone says that it has none.
  providers    bigint[] not null check (cardinality(providers) > 0 and (cardinality(providers) = 1 or not 0 = any(providers)) and not customer = any(providers)),
  comment      text not null default '',
  -- Counts its changes: who changes it says which one they saw.
  version      integer not null default 1,
  created_at   timestamptz not null,
  changed_at   timestamptz not null,
  unique (account_name, customer)
);
create index on aspa (customer);
call keep_history('aspa');
create trigger rpki_due_aspa_inserted after insert on aspa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_aspa_updated after update on aspa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_aspa_deleted after delete on aspa referencing old table as touched for each statement execute function note_rpki_due();
