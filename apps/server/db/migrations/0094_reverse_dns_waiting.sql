-- Delegations of reverse zones that wait until their name servers are ready.

-- A request as it was sent. Its zones are delegated when a check finds no errors, with the rights that its contact has then.
create table rdns_waiting (
  waiting_id   bigint generated always as identity (start with 1001) primary key,
  account_name text not null references account,
  contact_id   uuid not null references contact,
  zones        text[] not null check (cardinality(zones) > 0),
  servers      text[] not null,
  request      jsonb not null,
  -- The zones with the DS records to check, and the versions of their objects then: a list of {zone, ds, version}.
  wanted       jsonb not null,
  state        text not null default 'waiting' check (state in ('waiting', 'delegated', 'refused', 'ended', 'cancelled')),
  asked_at     timestamptz not null,
  until        timestamptz not null,
  -- When the last checks were started, and when their result was read.
  tried_at     timestamptz,
  checked_at   timestamptz,
  problem      text,
  check_id     uuid,
  decided_at   timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);
create index on rdns_waiting (account_name, waiting_id desc);
create index on rdns_waiting (contact_id);
create index rdns_waiting_open on rdns_waiting (waiting_id) where state = 'waiting';
call keep_history('rdns_waiting');
