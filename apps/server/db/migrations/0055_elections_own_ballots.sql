-- The registry's own ballots: what is voted on, and the ballots that were cast.

-- Candidates, or answers to the question of an election, in the order they were entered.
create table election_option (
  election_id bigint not null references election,
  -- As ballots name it, from 1.
  place       integer not null check (place between 1 and 100),
  name        text not null check (length(name) between 1 and 200),
  statement   text not null default '' check (length(statement) <= 3000),
  primary key (election_id, place)
);
call keep_history('election_option');

-- When the ballots of a finished round were stored anew in the order of their receipts, which says nothing of the order in which they were cast.
alter table election add column ballots_sorted_at timestamptz;

-- A ballot. It names neither a voter nor a time, and no history of it is kept, because a history has both.
create table ballot (
  -- Random; the voter alone knows whose it is.
  receipt     text primary key check (receipt ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
  election_id bigint not null references election,
  generation  integer not null check (generation >= 1),
  votes       integer not null check (votes between 1 and 64),
  -- Places of options; empty for an abstention.
  choices     integer[] not null
);
create index on ballot (election_id, generation);
call keep_history('ballot', with_copy => false);
