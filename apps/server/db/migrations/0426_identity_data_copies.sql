-- A copy of the personal data of a login, which its person asked for: a ZIP archive among the kept files, which a task makes. It goes with its row, when it expires.
create table data_copy (
  data_copy_id bigint generated always as identity primary key,
  login_id     text not null references login,
  requested_at timestamptz not null,
  -- The task that makes it, with its progress.
  task_id      bigint,
  made_at      timestamptz,
  expires_at   timestamptz not null,
  sha256       text references stored_file,
  size         integer,
  -- Why none could be made.
  failure      text check (failure in ('too-large', 'not-allowed')),
  check ((made_at is null) = (sha256 is null) and (made_at is null) = (size is null)),
  check (made_at is null or failure is null),
  check (expires_at > requested_at)
);
create index on data_copy (login_id, requested_at);
create index on data_copy (expires_at);
create index on data_copy (sha256);
call keep_history('data_copy');
