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
