-- Events: what people register for, who waits for a place, and certificates of attendance. Who came is on the list of `attendance`, with its one owner.

create table event (
  event          text primary key references conference,
  -- Grows with every change, so that of two people who edit one event the second is told.
  version        integer not null default 1,
  state          text not null default 'draft' check (state in ('draft', 'published', 'cancelled')),
  kind           text not null check (kind in ('conference', 'workshop', 'tutorial', 'webinar', 'meeting')),
  title          text not null check (length(title) between 3 and 200),
  description    text not null default '' check (length(description) <= 4000),
  starts_at      timestamptz not null,
  ends_at        timestamptz not null,
  -- IANA name of the zone of the venue.
  time_zone      text not null,
  mode           text not null check (mode in ('onsite', 'online', 'hybrid')),
  place          text not null default '' check (length(place) <= 200),
  url            text not null default '' check (length(url) <= 500),
  registration_opens_at  timestamptz not null,
  registration_closes_at timestamptz not null,
  -- Places on site; null for no limit. Who takes part online takes none.
  capacity       integer check (capacity between 1 and 100000),
  -- For a place on site. One place of an account is free.
  fee            numeric(10, 2) not null default 0 check (fee >= 0),
  currency       text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  -- Hours that a certificate of attendance names; null where it names none.
  hours          numeric(5, 1) check (hours > 0 and hours < 1000),
  created_at     timestamptz not null,
  cancelled_at   timestamptz,
  cancel_reason  text not null default '' check (length(cancel_reason) <= 500),
  check (ends_at > starts_at),
  check (registration_closes_at > registration_opens_at),
  check ((state = 'cancelled') = (cancelled_at is not null))
);
create index event_ends on event (ends_at) where state <> 'draft';
create index event_order on event (starts_at desc, event);
call keep_history('event');
call follow_life('event', 'state', 'draft>cancelled draft>published published>cancelled');

create table event_registration (
  event_registration_id bigint generated always as identity primary key,
  event         text not null references event,
  login_id      text not null references login,
  -- The account a person comes for; null for none.
  account_name  text references account,
  full_name     text not null check (length(full_name) <= 255),
  email         text not null check (length(email) <= 254),
  part          text not null check (part in ('onsite', 'online')),
  state         text not null check (state in ('registered', 'waitlisted', 'cancelled')),
  -- Zero for the free place of an account, and for online participation.
  fee           numeric(10, 2) not null default 0,
  -- The free place of the account.
  is_free_place boolean not null default false,
  registered_at timestamptz not null,
  cancelled_at  timestamptz,
  -- How often the person was reminded: a week before, a day before.
  reminded      smallint not null default 0,
  check ((state = 'cancelled') = (cancelled_at is not null))
);
-- A person registers once, and an account has one free place, whatever arrives at the same time.
create unique index event_registration_person on event_registration (event, login_id) where state <> 'cancelled';
create unique index event_registration_free on event_registration (event, account_name) where is_free_place and state = 'registered';
create index event_registration_queue on event_registration (event, state, event_registration_id);
create index on event_registration (login_id);
create index on event_registration (account_name);
call keep_history('event_registration');
call follow_life('event_registration', 'state', 'registered>cancelled waitlisted>cancelled waitlisted>registered');

-- Certificates of attendance. One that names an account needs the approval of a contact of it.
create table event_certificate (
  -- By which anyone can check it.
  code         text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
  event        text not null references conference,
  login_id     text not null references login,
  -- As they are printed.
  full_name    text not null check (length(full_name) <= 255),
  account_name text references account,
  org_name     text check (length(org_name) <= 255),
  state        text not null check (state in ('requested', 'issued', 'rejected')),
  requested_at timestamptz not null,
  issued_at    timestamptz,
  decided_by   uuid references contact,
  reason       text not null default '' check (length(reason) <= 500),
  check ((state = 'issued') = (issued_at is not null)),
  check ((account_name is null) = (org_name is null))
);
create unique index event_certificate_once on event_certificate (event, login_id, coalesce(account_name, '')) where state <> 'rejected';
create index on event_certificate (login_id);
create index on event_certificate (account_name, state);
create index on event_certificate (decided_by);
call keep_history('event_certificate');
call follow_life('event_certificate', 'state', 'requested>issued requested>rejected');

-- Events of the calendar at EVENTS_CALENDAR_URL, as it was read last.
create table outside_event (
  uid         text primary key check (length(uid) between 1 and 300),
  title       text not null check (length(title) between 1 and 200),
  description text not null default '' check (length(description) <= 4000),
  starts_at   timestamptz not null,
  ends_at     timestamptz not null check (ends_at >= starts_at),
  all_day     boolean not null,
  place       text not null default '' check (length(place) <= 200),
  url         text not null default '' check (length(url) <= 500)
);
create index outside_event_order on outside_event (ends_at);
call keep_history('outside_event');
