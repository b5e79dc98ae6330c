-- Roots of the activity log: published day by day, so that a member can hold an export of its log against what the world has read (docs/decisions/0295).
create table log_root (
  root_id       integer primary key check (root_id > 0),
  -- The day whose lines it is about, in UTC; a day of many lines has several roots.
  day           date not null,
  -- Positions of its first and last line in the chain of seals.
  first_position bigint not null check (first_position > 0),
  last_position bigint not null unique references activity_seal (position),
  -- Root of the tree over its lines (RFC 9162, 2.1.1).
  hash          bytea not null check (length(hash) = 32),
  -- The seal of its last line.
  seal          bytea not null check (length(seal) = 32),
  -- SHA-256 over the link before it and all of the above: who notes the newest has noted all.
  link          bytea not null check (length(link) = 32),
  published_at  timestamptz not null default now(),
  check (last_position >= first_position and last_position - first_position < 65536)
);
create trigger append_only before update or delete or truncate on log_root for each statement execute function append_only();
