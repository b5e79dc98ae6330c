-- When the work or the incident of an announcement happens, and which numbers it is about: the status page shows both to everyone who may read the announcement.
-- Few rows: announcement.
alter table announcement add column happens_from timestamptz, add column happens_until timestamptz,
  add column concerns text[] not null default '{}' check (cardinality(concerns) <= 50),
  add check (happens_until is null or (happens_from is not null and happens_until > happens_from));
