-- Filters of the desk's queue that registry staff saved under a name, for all of them.

create table saved_queue (
  saved_queue_id bigint generated always as identity primary key,
  login_id text not null references login,
  name     text not null check (length(name) between 1 and 60),
  -- The query of the page, such as `kind=transfers&age=7`.
  filter   text not null check (length(filter) <= 300),
  saved_at timestamptz not null
);
create unique index saved_queue_name on saved_queue (lower(name));
create index on saved_queue (login_id);
call keep_history('saved_queue');
