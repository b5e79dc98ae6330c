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
  -- What the parties of a transfer read before they agreed: a line for each object that it touches, with what happens to it. Completion follows what is
  -- there then, and says where that differs.
  agreed        jsonb check (jsonb_typeof(agreed) = 'array'),
  -- The member of a national registry that a delegation is for.
  subaccount_id bigint references subaccount,
  -- A delegation that the registry opened itself, without a request of the account: it is approved by two people, and the account can decline it.
  direct        boolean not null default false,
  -- A return that the registry opened to take numbers back from their holder: on which ground, and the first day on which it can be carried out.
  recovery_ground text check (recovery_ground in ('unpaid', 'breach', 'fraud', 'unreachable', 'mistake')),
  notice_until  date,
  requested_by  text not null references login,
  started_at    timestamptz not null,
  submitted_at  timestamptz,
  -- Since when it is in its state.
  since         timestamptz not null,
  -- When an unanswered offer or question ends, or an untouched draft is deleted; null where nothing runs.
  expires_at    timestamptz,
  -- Reminders sent in this state.
  reminders     integer not null default 0,
  -- Registry staff who work on it.
  reviewer      text references login,
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
  check (recipient_name is distinct from account_name),
  constraint resource_request_direct check (not direct or kind in ('ipv4', 'ipv6', 'asn')),
  constraint resource_request_recovery check ((recovery_ground is null) = (notice_until is null) and (recovery_ground is null or kind = 'return'))
);
create index on resource_request (account_name, resource_request_id desc);
create index on resource_request (recipient_name, resource_request_id desc);
create index on resource_request (requested_by);
create index on resource_request (reviewer);
create index on resource_request (decided_by);
create index resource_request_waiting on resource_request (submitted_at) where resolved_at is null and state <> 'draft';
create index on resource_request (resolved_at desc) where resolved_at is not null;
-- What the first page of the desk asks each time it is opened.
create index resource_request_open on resource_request (submitted_at) where resolved_at is null and submitted_at is not null;
create index resource_request_submitted on resource_request (submitted_at) include (kind) where submitted_at is not null;
create index on resource_request (expires_at) where expires_at is not null and resolved_at is null;
create index on resource_request (subaccount_id);
-- One request of a kind at a time: the second one finds the first. Those for sub-accounts of a national registry are one each. A delegation that the account
-- didn't ask for doesn't keep it from its own.
create unique index resource_request_one_open on resource_request (account_name, kind, coalesce(subaccount_id, 0))
  where resolved_at is null and not direct and kind in ('ipv4', 'ipv6', 'asn', 'pre-approval');
call keep_history('resource_request');
call follow_life('resource_request', 'state', 'awaiting-fee>completed awaiting-fee>expired awaiting-fee>on-hold awaiting-fee>rejected draft>expired draft>offered draft>submitted draft>withdrawn
  in-review>awaiting-fee in-review>completed in-review>expired in-review>needs-info in-review>on-hold in-review>rejected in-review>withdrawn
  needs-info>expired needs-info>in-review needs-info>rejected needs-info>withdrawn offered>declined offered>expired offered>rejected offered>submitted
  offered>withdrawn on-hold>completed on-hold>expired on-hold>rejected on-hold>withdrawn submitted>awaiting-fee submitted>completed submitted>expired
  submitted>in-review submitted>needs-info submitted>on-hold submitted>rejected submitted>withdrawn');

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

-- Questions of the registry, each to one party of a case: a transfer has two, and the one doesn't read what the other is asked.
create table resource_request_question (
  resource_request_question_id bigint generated always as identity primary key,
  resource_request_id bigint not null references resource_request,
  -- The party that is asked: it alone reads the question and answers it.
  account_name text not null references account,
  words        text not null check (words <> ''),
  asked_by     text references login,
  asked_at     timestamptz not null,
  -- The case expires when this has passed without an answer.
  answer_by    timestamptz not null,
  -- Reminders sent.
  reminders    integer not null default 0,
  -- When it was answered, or was of no interest any more.
  closed_at    timestamptz
);
create index on resource_request_question (resource_request_id);
create index on resource_request_question (account_name);
create index on resource_request_question (asked_by);
create index resource_request_question_due on resource_request_question (asked_at) where closed_at is null;
-- One question at a time to each party.
create unique index resource_request_question_open on resource_request_question (resource_request_id, account_name) where closed_at is null;
call keep_history('resource_request_question');

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

-- What a completed transfer handed over for a time: it ends on its day unless the recipient keeps it.
create table held_object (
  held_object_id bigint generated always as identity primary key,
  resource_request_id bigint not null references resource_request,
  -- Who has it for the time.
  account_name text not null references account,
  what      text not null check (what in ('registration', 'roa', 'route', 'whois', 'reverse', 'contact', 'geofeed')),
  name      text not null,
  -- Where it is: the class of a whois object, the range and the lines of a network.
  place     jsonb not null,
  ends_on   date not null,
  kept_at   timestamptz,
  ended_at  timestamptz,
  check (kept_at is null or ended_at is null)
);
create index on held_object (resource_request_id);
create index on held_object (account_name);
create index held_object_due on held_object (ends_on) where kept_at is null and ended_at is null;
call keep_history('held_object');

-- The board on which holders offer IPv4 for transfer, and others say what they look for. It names no address of a person.
create table listing (
  listing_id bigint generated always as identity primary key,
  account_name text not null references account,
  kind text not null check (kind in ('offer', 'wanted')),
  -- The block of an offer; null where only a size is wanted.
  first inet,
  last inet,
  resource text,
  length integer not null check (length between 8 and 24),
  -- The block and its holder are shown to others.
  names_holder boolean not null,
  -- It can go to, or come from, another regional registry.
  inter_registry boolean not null,
  notes text not null default '' check (length(notes) <= 500),
  state text not null default 'open' check (state in ('open', 'withdrawn', 'expired', 'removed', 'transferred')),
  listed_by text not null references login,
  listed_at timestamptz not null,
  expires_on date not null,
  reminded_on date,
  ended_at timestamptz,
  -- Why registry staff removed it.
  ended_why text not null default '',
  check ((kind = 'offer') = (resource is not null) and (resource is null) = (first is null) and (first is null) = (last is null)),
  check ((state = 'open') = (ended_at is null)),
  -- An address is offered once at a time.
  constraint listing_once exclude using gist (inetrange(first, last, '[]') with &&) where (state = 'open' and kind = 'offer')
);
create index listing_open on listing (listing_id desc) where state = 'open';
create index listing_account on listing (account_name, listing_id desc);
create index listing_listed_by on listing (listed_by);
create index listing_expires on listing (expires_on) where state = 'open';
call keep_history('listing');
call follow_life('listing', 'state', 'open>expired open>removed open>transferred open>withdrawn');
create trigger refuse_over_locked_part after insert on listing for each row when (new.kind = 'offer') execute function refuse_over_locked_part('range');

-- What was written about a listing: to its holder, who is told by mail, or to the registry. Words go after a year, and no history keeps them.
create table listing_message (
  listing_message_id bigint generated always as identity primary key,
  listing_id bigint not null references listing,
  account_name text not null references account,
  login_id text not null references login,
  kind text not null check (kind in ('question', 'report')),
  words text not null,
  sent_at timestamptz not null
);
create index listing_message_listing on listing_message (listing_id);
create index listing_message_sender on listing_message (account_name, sent_at);
create index listing_message_login on listing_message (login_id);
create index listing_message_sent on listing_message (sent_at);
call keep_history('listing_message', secret_columns => '{words}');

-- What the registry published of its ledger on each day, byte for byte as it was, with the signature made then. Compressed: a day of a region is a megabyte.
create table published_file (
  -- `delegated-example-20261123`, `transfers/2026/transfers_20261123T000500Z.json`.
  name       text primary key,
  -- In the time zone of the registry.
  day        date not null,
  media_type text not null,
  -- gzip (RFC 1952).
  content    bytea not null,
  -- Of the file itself.
  bytes      bigint not null check (bytes > 0),
  -- OpenPGP, in ASCII armour.
  signature  text not null,
  made_at    timestamptz not null
);
create index published_file_day on published_file (day desc, name);
create function keep_published_file() returns trigger language plpgsql as $$
begin
  raise exception 'A published file stays as it was published';
end $$;
create trigger published_file_stays before update on published_file for each row execute function keep_published_file();
