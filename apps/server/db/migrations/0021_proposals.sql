-- Changes that wait for a second person (S25, S30).

-- Accounts whose changes of weight a second corporate contact approves; a row is the rule.
create table two_person_rule (
  account_name text primary key references account,
  since        timestamptz not null
);
call keep_history('two_person_rule');

-- A change that waits for a second person: what would be done, and what was shown of it. It is done when somebody else approves exactly that.
create table proposal (
  proposal_id  bigint generated always as identity primary key,
  -- The member whose people approve it; null where registry staff do.
  account_name text references account,
  -- The account it is about.
  about        text references account,
  -- Which call, and what it was given.
  action       text not null,
  input        jsonb not null,
  -- What was shown, and SHA-256 over call, input and that.
  shown        jsonb not null,
  fingerprint  text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  proposed_by  text not null references login,
  proposed_at  timestamptz not null,
  expires_at   timestamptz not null,
  state        text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'expired')),
  decided_by   text references login,
  decided_at   timestamptz,
  note         text not null default '',
  -- What it is, in words that also read rightly once it is decided, and the page where it is decided.
  title        text check (title <> ''),
  link         text check (link like '/%'),
  check ((state = 'pending') = (decided_at is null))
);
create index on proposal (account_name, proposal_id desc);
create index on proposal (about);
create index on proposal (proposed_by);
create index on proposal (decided_by);
create index proposal_waiting on proposal (expires_at) where state = 'pending';
-- The same thing is asked for once at a time.
create unique index proposal_once on proposal (fingerprint) where state = 'pending';
call keep_history('proposal');
call follow_life('proposal', 'state', 'pending>approved pending>expired pending>rejected pending>withdrawn');
