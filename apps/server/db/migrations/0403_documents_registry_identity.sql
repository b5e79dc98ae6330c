-- Identity of the registry of this database, which the bucket of its files repeats: another registry with the same bucket would delete its files. It has a row once files are in a bucket.
create table registry_identity (
  is_only  boolean primary key default true check (is_only),
  identity uuid not null default gen_random_uuid()
);
call keep_history('registry_identity');
