-- Reverse zones: their checks, what is delegated of them, and the parent zones that the registry makes.

-- One check of a zone. Its id is the secret of the link to its report, which opens for seven days; checks are deleted after a month.
create table rdns_check (
  check_id    uuid primary key,
  zone        text not null,
  -- Asked with these servers and DS records, as if they were delegated.
  undelegated boolean not null,
  servers     text[] not null default '{}',
  ds          text[] not null default '{}',
  -- Who asked; null: the registry's own watch.
  login_id    text references login,
  asked_at    timestamptz not null,
  done_at     timestamptz,
  grade       text check (grade in ('ok', 'notice', 'warning', 'error', 'failed')),
  report      jsonb,
  check ((report is null) = (done_at is null))
);
create index on rdns_check (login_id, asked_at);
create index on rdns_check (zone, asked_at);
create index on rdns_check (asked_at);
call keep_history('rdns_check', with_copy => false, with_digests => false);

-- What the last check found of a delegated zone.
create table rdns_zone (
  zone           text primary key,
  state          text not null check (state in ('ok', 'warning', 'lame')),
  dnssec         text not null check (dnssec in ('none', 'signed', 'ends-soon', 'broken')),
  problem        text,
  check_id       uuid,
  checked_at     timestamptz not null,
  signatures_end timestamptz,
  -- Of DS records that the zone asks for itself (CDS, CDNSKEY): when the wish that was followed last was signed, so that an older one is not played again.
  cds_since      timestamptz
);
create index on rdns_zone (checked_at);
call keep_history('rdns_zone', with_copy => false, with_digests => false);

-- Name servers that do not answer for a delegated zone, and what was done about each: its contacts are notified, then it is left out of the parent zone
-- until it answers again.
create table rdns_lame_server (
  zone        text not null,
  server      text not null,
  -- The first of the checks in a row that it failed, and the last one.
  since       timestamptz not null,
  failed_at   timestamptz not null,
  notified_at timestamptz,
  -- Left out of the parent zone since then.
  disabled_at timestamptz,
  reminded_at timestamptz,
  -- A check of a server that is left out passed.
  answered_at timestamptz,
  primary key (zone, server),
  check (disabled_at is null or notified_at is not null)
);
create index on rdns_lame_server (since);
create index rdns_lame_server_disabled on rdns_lame_server (zone) where disabled_at is not null;
call keep_history('rdns_lame_server', with_copy => false, with_digests => false);

-- Delegations of reverse zones that wait until their name servers are ready: a request as it was sent. Its zones are delegated when a check finds no
-- errors, with the rights that its contact has then.
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

-- A parent zone as it was last written. The serial only grows.
create table rdns_parent (
  parent       text primary key,
  serial       bigint not null,
  sha256       text not null,
  delegations  integer not null,
  published_at timestamptz not null
);
call keep_history('rdns_parent', with_copy => false, with_digests => false);

-- The delegation of a zone as its parent zone has it: version of the domain object, and the serial since which it is like this.
create table rdns_published (
  zone         text primary key,
  parent       text not null,
  version      integer not null,
  serial       bigint not null,
  published_at timestamptz not null
);
create index on rdns_published (parent);
call keep_history('rdns_published', with_copy => false, with_digests => false);

-- Delegations of a parent zone that another registry keeps, such as a national one: records as in a zone file.
create table rdns_fragment (
  source      text not null,
  parent      text not null,
  text        text not null,
  imported_at timestamptz not null,
  primary key (source, parent)
);
call keep_history('rdns_fragment', with_copy => false);

-- What the publisher leaves out of a parent zone, because name servers would not load it or validators not take it: the rest of the zone is published.
create table rdns_left_out (
  -- The delegated zone, or the owner of a record of another registry.
  zone        text primary key,
  parent      text not null,
  -- The other registry whose record it is; null where it is a domain object.
  source      text,
  -- Version of the domain object; 0 of another registry's record.
  version     integer not null,
  -- A sentence for each record.
  reasons     text[] not null,
  -- No record of the delegation is left.
  whole       boolean not null,
  since       timestamptz not null,
  -- Null until the contacts were notified of these reasons.
  notified_at timestamptz
);
create index on rdns_left_out (parent);
create index rdns_left_out_due on rdns_left_out (since) where notified_at is null;
call keep_history('rdns_left_out', with_copy => false);
