-- What validators derive from a self-hosted authority ends with its manifest, its CRL or the first certificate of an object: it is judged again then.
alter table rpki_child_judgement
  -- Forms that validators take and this registry does not write.
  add column hints text[] not null default '{}',
  -- What was judged before is judged again by the next publication.
  add column ends_at timestamptz default now(),
  -- The end that the member was warned of.
  add column warned_of timestamptz;
alter table rpki_child_judgement alter column ends_at drop default;
create index rpki_child_judgement_ends on rpki_child_judgement (ends_at);
