-- What registry staff work with: looking at an account as its contacts see it, saved filters of the queue, and texts for answers.

-- Registry staff look at an account they are no contact of. One at a time, until half an hour is over or they stop.
create table staff_visit (
  staff_visit_id bigint generated always as identity primary key,
  login_id       text not null references login,
  account_name   text not null references account,
  started_at     timestamptz not null,
  until          timestamptz not null,
  ended_at       timestamptz,
  check (until > started_at)
);
create unique index staff_visit_open on staff_visit (login_id) where ended_at is null;
create index on staff_visit (account_name);
call keep_history('staff_visit');

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

-- Texts that registry staff keep for their answers, each with the kinds of requests that it is offered for.
create table reply_template (
  reply_template_id bigint generated always as identity primary key,
  title    text not null check (length(title) between 1 and 80),
  text     text not null check (length(text) between 1 and 4000),
  kinds    text[] not null check (cardinality(kinds) > 0 and kinds <@ array['applications', 'contacts', 'organisations', 'closures', 'resources', 'transfers', 'tickets']),
  version  integer not null default 1,
  login_id text not null references login,
  saved_at timestamptz not null
);
create unique index reply_template_title on reply_template (lower(title));
create index on reply_template (login_id);
call keep_history('reply_template');
