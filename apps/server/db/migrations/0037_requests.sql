-- What members ask the registry for and what they hand over: one row a case, whatever its kind, so that queue, clock and conversation are the same for all.

create table resource_request (
  resource_request_id bigint generated always as identity primary key,
  account_name  text not null references account,
  kind          text not null check (kind in ('ipv4', 'ipv6', 'asn', 'pre-approval', 'return', 'transfer', 'acquisition')),
  state         text not null default 'draft' check (state in ('draft', 'offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold',
    'completed', 'rejected', 'withdrawn', 'declined', 'expired')),
  -- Grows with every change of the case: who writes names the one that was read.
  version       integer not null default 0,
  -- The answers of the form; its shape depends on the kind.
  form          jsonb not null,
  -- Of a transfer: the account that receives, or the other registry; what the recipient answered.
  recipient_name text references account,
  other_registry text,
  receive_form  jsonb,
  -- The member of a national registry that a delegation is for.
  subaccount_id bigint,
  requested_by  text not null references login,
  started_at    timestamptz not null,
  submitted_at  timestamptz,
  -- Since when it is in its state.
  since         timestamptz not null,
  -- When an unanswered offer or question ends, or an untouched draft is deleted; null where nothing runs.
  expires_at    timestamptz,
  -- Reminders sent in this state.
  reminders     integer not null default 0,
  -- Registry staff who work on it, what they asked last, and when.
  reviewer      text references login,
  question      text,
  decided_by    text references login,
  -- Decided by the rules alone, without a person.
  by_robot      boolean not null default false,
  resolved_at   timestamptz,
  note          text,
  -- What became of it: resources delegated, moved or returned, and what was written where.
  outcome       jsonb,
  -- A fee to be paid before it is completed, and when it was.
  fee           numeric(12, 2),
  fee_paid_on   date,
  fee_reference text,
  check ((state in ('completed', 'rejected', 'withdrawn', 'declined', 'expired')) = (resolved_at is not null)),
  check (state = 'draft' or submitted_at is not null or resolved_at is not null),
  check (recipient_name is distinct from account_name)
);
create index on resource_request (account_name, resource_request_id desc);
create index on resource_request (recipient_name, resource_request_id desc);
create index on resource_request (requested_by);
create index on resource_request (reviewer);
create index on resource_request (decided_by);
create index resource_request_waiting on resource_request (submitted_at) where resolved_at is null and state <> 'draft';
create index on resource_request (resolved_at desc) where resolved_at is not null;
create index on resource_request (expires_at) where expires_at is not null and resolved_at is null;
create index on resource_request (subaccount_id);
-- One request of a kind at a time: the second one finds the first. Those for sub-accounts of a national registry are one each.
create unique index resource_request_one_open on resource_request (account_name, kind, coalesce(subaccount_id, 0))
  where resolved_at is null and kind in ('ipv4', 'ipv6', 'asn', 'pre-approval');
call keep_history('resource_request');

-- What happened to a case and what was said about it, as both sides read it. Internal notes are the registry's.
create table resource_request_event (
  resource_request_event_id bigint generated always as identity primary key,
  resource_request_id bigint not null references resource_request,
  kind      text not null check (kind in ('submitted', 'offered', 'acknowledged', 'in-review', 'question', 'answer', 'message', 'note', 'reserved',
    'approved', 'awaiting-fee', 'fee-paid', 'completed', 'rejected', 'withdrawn', 'declined', 'expired', 'reminded', 'on-hold')),
  at        timestamptz not null,
  login_id  text references login,
  by_staff  boolean not null,
  internal  boolean not null default false,
  -- Said by this account, where there are two parties; null: by the registry, or seen by both.
  account_name text references account,
  words     text not null default ''
);
create index on resource_request_event (resource_request_id, resource_request_event_id);
create index on resource_request_event (login_id);
create index on resource_request_event (account_name);
call keep_history('resource_request_event');

-- Evaluated need: how much IPv4 space an account may receive by transfer, without being asked again.
create table pre_approval (
  pre_approval_id bigint generated always as identity primary key,
  account_name text not null references account,
  resource_request_id bigint not null references resource_request,
  -- Numbers of /24 blocks.
  granted      integer not null check (granted > 0),
  remaining    integer not null check (remaining between 0 and granted),
  granted_on   date not null,
  -- The last day on which it counts.
  expires_on   date not null,
  replaced_on  date,
  reminded_on  date
);
create index on pre_approval (account_name);
create index on pre_approval (resource_request_id);
create index on pre_approval (expires_on) where replaced_on is null;
-- A new one takes the place of the one before.
create unique index pre_approval_one on pre_approval (account_name) where replaced_on is null;
call keep_history('pre_approval');
