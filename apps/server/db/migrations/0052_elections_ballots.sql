-- The hand-over of a voter to the voting system, which never learns for which account it is.

create table ballot_session (
  -- All that the voting system learns besides the number of votes.
  voter_id     uuid primary key default gen_random_uuid(),
  election_id  bigint not null references election,
  generation   integer not null check (generation >= 1),
  account_name text not null references account,
  cast_as      text not null check (cast_as in ('MEMBER', 'PROXY')),
  -- The contact who opened the ballot last; null for a proxy.
  contact_id   uuid references contact,
  voter_name   text not null check (length(voter_name) <= 255),
  votes        integer not null check (votes between 1 and 64),
  opened_at    timestamptz not null,
  expires_at   timestamptz not null
);
create unique index ballot_session_voter on ballot_session (election_id, generation, account_name, cast_as);
create index on ballot_session (account_name);
create index on ballot_session (contact_id);
call keep_history('ballot_session');

-- When a proxy was sent the way to the ballot.
alter table election_proxy add column invited_at timestamptz;
