-- Proxies of accounts, the roll of voters, and who has voted.

-- When the votes of accounts were frozen: as voting opened.
alter table election add column roll_frozen_at timestamptz;

-- Where a window has no address, the portal itself holds what happens in it.

-- The votes of an account in an election, frozen as voting opened.
create table election_roll (
  election_id  bigint not null references election,
  account_name text not null references account,
  votes        integer not null check (votes between 1 and 64),
  -- The tier of the holdings at that moment; empty where it does not count.
  tier         text not null default '' check (length(tier) <= 40),
  primary key (election_id, account_name)
);
create index on election_roll (account_name);
call keep_history('election_roll');

-- The person who votes in an account's place in one election. The account has no vote of its own while it stands.
create table election_proxy (
  election_proxy_id bigint generated always as identity primary key,
  election_id       bigint not null references election,
  account_name      text not null references account,
  full_name         text not null check (length(full_name) between 2 and 100),
  email             text not null check (length(email) <= 254),
  state             text not null default 'ACTIVE' check (state in ('ACTIVE', 'USED', 'REVOKED', 'VOIDED')),
  appointed_by      uuid not null references contact,
  appointed_at      timestamptz not null,
  -- Taken back by the account, or voided by the registry, and why.
  ended_at          timestamptz,
  end_reason        text not null default '' check (length(end_reason) <= 500),
  check ((state in ('REVOKED', 'VOIDED')) = (ended_at is not null))
);
-- One proxy per account and election.
create unique index election_proxy_standing on election_proxy (election_id, account_name) where state in ('ACTIVE', 'USED');
create index on election_proxy (account_name, election_proxy_id desc);
create index on election_proxy (appointed_by);
call keep_history('election_proxy');

-- That votes of an account were cast, by a contact or by its proxy: never which. One row for each account and round.
create table election_vote (
  election_id  bigint not null references election,
  generation   integer not null check (generation >= 1),
  account_name text not null references account,
  votes        integer not null check (votes between 1 and 64),
  cast_as      text not null check (cast_as in ('MEMBER', 'PROXY')),
  -- The contact who cast them; null for a proxy.
  cast_by      uuid references contact,
  voter_name   text not null check (length(voter_name) <= 255),
  cast_at      timestamptz not null,
  primary key (election_id, generation, account_name)
);
create index on election_vote (account_name, cast_at desc);
create index on election_vote (cast_by);
call keep_history('election_vote');
