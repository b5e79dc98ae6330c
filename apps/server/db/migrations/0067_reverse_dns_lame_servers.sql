-- Name servers that do not answer for a delegated zone, and what was done about each: its contacts are notified, then it is left out of the parent zone until it answers again.

create table rdns_lame_server (
  zone        text not null,
  server      text not null,
  -- The first of the checks in a row that it failed, and the last one.
  since       timestamptz not null,
  failed_at   timestamptz not null,
  notified_at timestamptz,
  -- Left out of the parent zone since then.
  disabled_at timestamptz,
  reminded_at timestamptz,
  -- A check of a server that is left out passed.
  answered_at timestamptz,
  primary key (zone, server),
  check (disabled_at is null or notified_at is not null)
);
create index on rdns_lame_server (since);
create index rdns_lame_server_disabled on rdns_lame_server (zone) where disabled_at is not null;
call keep_history('rdns_lame_server', with_copy => false);
