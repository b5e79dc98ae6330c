-- Checks of reverse zones: what was asked, what was found, and the state of each delegated zone.

-- One check of a zone. Its id is the secret of the link to its report, which opens for seven days; checks are deleted after a month.
create table rdns_check (
  check_id    uuid primary key,
  zone        text not null,
  -- Asked with these servers and DS records, as if they were delegated.
  undelegated boolean not null,
  servers     text[] not null default '{}',
  ds          text[] not null default '{}',
  -- Who asked; null: the registry's own watch.
  login_id    text references login,
  asked_at    timestamptz not null,
  done_at     timestamptz,
  grade       text check (grade in ('ok', 'notice', 'warning', 'error', 'failed')),
  report      jsonb,
  check ((report is null) = (done_at is null))
);
create index on rdns_check (login_id, asked_at);
create index on rdns_check (zone, asked_at);
create index on rdns_check (asked_at);
call keep_history('rdns_check', with_copy => false);

-- What the last check found of a delegated zone.
create table rdns_zone (
  zone           text primary key,
  state          text not null check (state in ('ok', 'warning', 'lame')),
  dnssec         text not null check (dnssec in ('none', 'signed', 'ends-soon', 'broken')),
  problem        text,
  check_id       uuid,
  checked_at     timestamptz not null,
  signatures_end timestamptz
);
create index on rdns_zone (checked_at);
call keep_history('rdns_zone', with_copy => false);
