-- Elections with their timetables, and who came to which conference.

create table conference (
  conference text primary key check (conference ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  title      text not null check (length(title) between 3 and 200),
  starts_on  date not null
);
create index conference_order on conference (starts_on desc, conference);
call keep_history('conference');

create table election (
  election_id         bigint generated always as identity primary key,
  kind                text not null check (kind in ('EC', 'NRO_NC', 'SIG', 'RESOLUTION', 'OTHER')),
  title               text not null check (length(title) between 3 and 200),
  description         text not null default '' check (length(description) <= 4000),
  seats               integer check (seats between 1 and 50),
  -- How many a ballot of the voting system may name.
  max_selections      integer check (max_selections between 1 and 50),
  -- Rises when a vote has to be taken again.
  generation          integer not null default 1 check (generation >= 1),
  -- IANA name of the zone the timetable is published in.
  time_zone           text not null,
  -- An election that is published is over once its last window is: that is computed, not written.
  state               text not null default 'DRAFT' check (state in ('DRAFT', 'PUBLISHED', 'CANCELLED')),
  -- Attendees of this conference vote, if they were registered by then.
  conference          text references conference,
  registration_cut_off timestamptz,
  -- Addresses; empty for none.
  candidates_url      text not null default '' check (length(candidates_url) <= 500),
  results_url         text not null default '' check (length(results_url) <= 500),
  -- Grows with every change, so that of two people who edit one election the second is told.
  version             integer not null default 1,
  created_at          timestamptz not null,
  published_at        timestamptz,
  cancelled_at        timestamptz,
  cancel_reason       text not null default '' check (length(cancel_reason) <= 500),
  check (state <> 'PUBLISHED' or (published_at is not null and (max_selections is not distinct from seats))),
  check ((state = 'CANCELLED') = (cancelled_at is not null)),
  check (kind in ('NRO_NC', 'SIG', 'OTHER') or (conference is null and registration_cut_off is null))
);
create index on election (conference);
call keep_history('election');

-- From when (included) until when (not included) something of an election is possible, and where it happens.
create table election_window (
  election_id bigint not null references election,
  kind        text not null check (kind in ('NOMINATION', 'PROXY_APPOINT', 'MEMBER_VOTE', 'PROXY_VOTE', 'ATTENDEE_VOTE')),
  opens_at    timestamptz not null,
  closes_at   timestamptz not null,
  url         text not null default '' check (length(url) <= 500),
  primary key (election_id, kind),
  check (closes_at > opens_at)
);
call keep_history('election_window');

-- One person on the list of a conference, by the address given there.
create table attendance (
  conference    text not null references conference,
  email         text not null check (email = lower(email) and length(email) <= 254),
  -- Whose verified address it was when the list was brought in; the address alone counts where there was no login yet.
  login_id      text references login,
  registered_at timestamptz not null,
  -- Came, which registering alone does not show.
  attended      boolean not null,
  primary key (conference, email)
);
create index attendance_login on attendance (login_id);
create index attendance_email on attendance (email);
call keep_history('attendance');
