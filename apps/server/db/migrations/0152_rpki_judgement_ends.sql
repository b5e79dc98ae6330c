-- What validators derive from a self-hosted authority ends with its manifest, its CRL or the first certificate of an object: it is judged again then.
alter table rpki_child_judgement
  -- Forms that validators take and this registry does not write.
  add column hints text[] not null default '{}',
  add column ends_at timestamptz,
  -- When it is judged again: at that end, or earlier, when something that is not valid yet is. What was judged before is by the next publication.
  add column again_at timestamptz default now(),
  -- The end that the member was warned of.
  add column warned_of timestamptz;
alter table rpki_child_judgement alter column again_at drop default;
create index rpki_child_judgement_again on rpki_child_judgement (again_at);
