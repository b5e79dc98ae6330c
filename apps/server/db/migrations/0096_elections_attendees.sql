-- Attendees of a conference who vote on the registry's own ballots: their roll, their way to the ballot, and who of them has voted.

-- When the list of those who can vote was frozen: as voting of attendees opened, or at the end of registration where that is later.
alter table election add column attendees_frozen_at timestamptz;

-- A person who can vote as an attendee.
create table attendee_roll (
  election_id bigint not null references election,
  -- The address on the list of the conference.
  email       text not null check (email = lower(email) and length(email) <= 254),
  -- Filled in as the ballot is opened where there was no login before: one person can't vote twice with an address that changes hands.
  login_id    text references login,
  primary key (election_id, email)
);
create unique index attendee_roll_person on attendee_roll (election_id, login_id);
create index on attendee_roll (login_id);
call keep_history('attendee_roll');

-- That a person voted as an attendee: never for what.
create table attendee_vote (
  election_id bigint not null references election,
  generation  integer not null check (generation >= 1),
  login_id    text not null references login,
  voter_name  text not null check (length(voter_name) <= 255),
  cast_at     timestamptz not null,
  -- The person is notified shortly after.
  notified_at timestamptz,
  primary key (election_id, generation, login_id)
);
create index on attendee_vote (login_id, cast_at desc);
create index attendee_vote_unannounced on attendee_vote (cast_at) where notified_at is null;
call keep_history('attendee_vote');

-- An attendee is a person and no account.
alter table ballot_session alter column account_name drop not null;
alter table ballot_session add column login_id text references login;
alter table ballot_session drop constraint ballot_session_cast_as_check;
alter table ballot_session add constraint ballot_session_cast_as_check check (cast_as in ('MEMBER', 'PROXY', 'ATTENDEE'));
alter table ballot_session add constraint ballot_session_person_check check ((cast_as = 'ATTENDEE') = (login_id is not null));
alter table ballot_session add constraint ballot_session_account_check check ((cast_as = 'ATTENDEE') = (account_name is null));
create unique index ballot_session_attendee on ballot_session (election_id, generation, login_id);
create index on ballot_session (login_id);
