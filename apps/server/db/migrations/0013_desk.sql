-- What registry staff work with: looking at an account as its contacts see it, finding people, and a second person's approval
-- (domain/identity.md S25, S30; domain/accounts.md 10.1).

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

-- People are found by the beginning of their address, and by a part of their name.
create index contact_email_part on contact using gin (lower(email) gin_trgm_ops);
create index contact_name_part on contact using gin (lower(full_name) gin_trgm_ops);
create index login_email_part on login using gin (lower(email) gin_trgm_ops);
create index login_name_part on login using gin (lower(full_name) gin_trgm_ops);

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
  state        text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  decided_by   text references login,
  decided_at   timestamptz,
  note         text not null default '',
  check ((state = 'PENDING') = (decided_at is null))
);
create index on proposal (account_name, proposal_id desc);
create index on proposal (about);
create index on proposal (proposed_by);
create index on proposal (decided_by);
create index proposal_waiting on proposal (expires_at) where state = 'PENDING';
-- The same thing is asked for once at a time.
create unique index proposal_once on proposal (fingerprint) where state = 'PENDING';
call keep_history('proposal');
