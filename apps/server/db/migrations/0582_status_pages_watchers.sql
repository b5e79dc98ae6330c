-- A watcher on another network, which sends what it sees of the public services with a token of its own. The token itself isn't stored.
create table watcher (
  watcher_id   bigint generated always as identity primary key,
  -- Where it is, as the status page names it.
  place        text not null check (length(place) between 2 and 40),
  token_hash   bytea not null unique check (length(token_hash) = 32),
  token_prefix text not null,
  -- Who created it.
  login_id     text not null references login,
  created_at   timestamptz not null,
  revoked_at   timestamptz
);
create unique index watcher_place on watcher (lower(place)) where revoked_at is null;
create index on watcher (login_id);
call keep_history('watcher', secret_columns => '{token_hash}');

-- The newest report of a watcher, and where it came from. It changes nothing of the registry: no history.
create table watcher_report (
  watcher_id  bigint primary key references watcher,
  report      jsonb not null,
  received_at timestamptz not null,
  sent_from   inet not null
);
