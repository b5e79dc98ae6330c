-- Hand-overs of cases of every kind: from which handler to which, by which colleague, and with what words. `resources` stands for transfers too: they share their numbers.
create table case_hand_over (
  case_hand_over_id bigint generated always as identity primary key,
  kind       text not null check (kind in ('applications', 'organisations', 'resources', 'tickets')),
  case_id    text not null check (case_id ~ '^[0-9]{1,15}$'),
  -- Null where no one had it.
  from_login text references login,
  to_login   text not null references login,
  by_login   text not null references login,
  words      text not null check (length(words) <= 600),
  at         timestamptz not null
);
create index on case_hand_over (kind, case_id);
create index on case_hand_over (from_login);
create index on case_hand_over (to_login);
create index on case_hand_over (by_login);
call keep_history('case_hand_over');
