-- Elections with their timetables, options and nominations, who came to which conference, who can vote and has voted, and the registry's own ballots.

create table conference (
  conference text primary key check (conference ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  title      text not null check (length(title) between 3 and 200),
  starts_on  date not null,
  -- A conference counts for the votes of attendees; a workshop or webinar keeps a list of the same kind, and does not.
  counts     boolean not null default true
);
create index conference_order on conference (starts_on desc, conference);
call keep_history('conference');

create table election (
  election_id         bigint generated always as identity primary key,
  kind                text not null check (kind in ('ec', 'nro-nc', 'sig', 'resolution', 'other')),
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
  state               text not null default 'draft' check (state in ('draft', 'published', 'cancelled')),
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
  -- When the votes of accounts were frozen: as voting opened.
  roll_frozen_at      timestamptz,
  -- When the list of those who can vote as attendees was frozen: as voting of attendees opened, or at the end of registration where that is later.
  attendees_frozen_at timestamptz,
  -- When the ballots of a finished round were stored anew in the order of their receipts, which says nothing of the order in which they were cast.
  ballots_sorted_at   timestamptz,
  -- Chosen when an election is added: ballots as the registry or another voting system holds them, or encrypted (decisions 226 and 227).
  ballots             text not null default 'plain' check (ballots in ('plain', 'encrypted')),
  -- When the encrypted ballot was set up: from then on its questions, keys and credentials stay as they are.
  set_up_at           timestamptz,
  check (state <> 'published' or (published_at is not null and (max_selections is not distinct from seats))),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check (kind in ('nro-nc', 'sig', 'other') or (conference is null and registration_cut_off is null)),
  check (ballots = 'encrypted' or set_up_at is null)
);
create index on election (conference);
call keep_history('election');
call follow_life('election', 'state', 'draft>cancelled draft>published published>cancelled');

-- From when (included) until when (not included) something of an election is possible, and where it happens. Where a window has no address, the portal
-- itself holds what happens in it.
create table election_window (
  election_id bigint not null references election,
  kind        text not null check (kind in ('nomination', 'proxy-appoint', 'member-vote', 'proxy-vote', 'attendee-vote')),
  opens_at    timestamptz not null,
  closes_at   timestamptz not null,
  url         text not null default '' check (length(url) <= 500),
  primary key (election_id, kind),
  check (closes_at > opens_at)
);
call keep_history('election_window');

-- Candidates, or answers to the question of an election, in the order they were entered.
create table election_option (
  election_id bigint not null references election,
  -- As ballots name it, from 1.
  place       integer not null check (place between 1 and 100),
  name        text not null check (length(name) between 1 and 200),
  statement   text not null default '' check (length(statement) <= 3000),
  primary key (election_id, place)
);
call keep_history('election_option');

-- Nominations that the portal holds itself: windows of nominations without an address.
create table nomination (
  nomination_id  bigint generated always as identity primary key,
  election_id    bigint not null references election,
  -- The member that nominates; null where a person does.
  account_name   text references account,
  nominated_by   text not null references login,
  nominator_name text not null check (length(nominator_name) <= 255),
  full_name      text not null check (length(full_name) between 2 and 100),
  email          text not null check (email = lower(email) and length(email) <= 254),
  organisation   text not null default '' check (length(organisation) <= 200),
  -- Of the nominator.
  reason         text not null check (length(reason) <= 3000),
  state          text not null check (state in ('awaiting-authorisation', 'awaiting-nominee', 'confirmed', 'eligible', 'ineligible', 'declined', 'withdrawn')),
  nominated_at   timestamptz not null,
  -- Of the nominee, who alone writes it.
  statement      text not null default '' check (length(statement) <= 3000),
  answered_at    timestamptz,
  answered_by    text references login,
  -- Of registry staff, who check whether the nominee can stand.
  judged_at      timestamptz,
  judge_reason   text not null default '' check (length(judge_reason) <= 500),
  -- No one is a candidate without having agreed.
  check (state not in ('confirmed', 'eligible', 'ineligible') or answered_at is not null)
);
-- One nomination for each person; another can follow one that was declined or withdrawn.
create unique index nomination_standing on nomination (election_id, email) where state not in ('declined', 'withdrawn');
create index on nomination (account_name);
create index on nomination (nominated_by);
create index on nomination (answered_by);
call keep_history('nomination');
call follow_life('nomination', 'state', 'awaiting-authorisation>awaiting-nominee awaiting-authorisation>withdrawn awaiting-nominee>confirmed awaiting-nominee>declined
  awaiting-nominee>withdrawn confirmed>declined confirmed>eligible confirmed>ineligible confirmed>withdrawn eligible>confirmed eligible>declined
  eligible>ineligible eligible>withdrawn ineligible>eligible');

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

-- The roll of an election whose ballot is set up stays as the credentials were made for it.
create function roll_stays() returns trigger language plpgsql as $$
begin
  if exists (select from election e where e.election_id = coalesce(new.election_id, old.election_id) and e.set_up_at is not null) then
    raise exception 'the ballot of election % is set up: its roll stays', coalesce(new.election_id, old.election_id);
  end if;
  return coalesce(new, old);
end $$;
create trigger b_roll_stays before insert or update or delete on election_roll for each row execute function roll_stays();

-- The person who votes in an account's place in one election. The account has no vote of its own while it stands.
create table election_proxy (
  election_proxy_id bigint generated always as identity primary key,
  election_id       bigint not null references election,
  account_name      text not null references account,
  full_name         text not null check (length(full_name) between 2 and 100),
  email             text not null check (length(email) <= 254),
  state             text not null default 'active' check (state in ('active', 'used', 'revoked', 'voided')),
  appointed_by      uuid not null references contact,
  appointed_at      timestamptz not null,
  -- When the proxy was sent the way to the ballot.
  invited_at        timestamptz,
  -- Taken back by the account, or voided by the registry, and why.
  ended_at          timestamptz,
  end_reason        text not null default '' check (length(end_reason) <= 500),
  check ((state in ('revoked', 'voided')) = (ended_at is not null))
);
-- One proxy per account and election.
create unique index election_proxy_standing on election_proxy (election_id, account_name) where state in ('active', 'used');
create index on election_proxy (account_name, election_proxy_id desc);
create index on election_proxy (appointed_by);
call keep_history('election_proxy');
call follow_life('election_proxy', 'state', 'active>revoked active>used active>voided used>active');

-- That votes of an account were cast, by a contact or by its proxy: never which. One row for each account and round.
create table election_vote (
  election_id  bigint not null references election,
  generation   integer not null check (generation >= 1),
  account_name text not null references account,
  votes        integer not null check (votes between 1 and 64),
  cast_as      text not null check (cast_as in ('member', 'proxy')),
  -- The contact who cast them; null for a proxy.
  cast_by      uuid references contact,
  voter_name   text not null check (length(voter_name) <= 255),
  cast_at      timestamptz not null,
  -- Contacts are notified shortly after, so that casting waits for no mail.
  notified_at  timestamptz,
  primary key (election_id, generation, account_name)
);
create index on election_vote (account_name, cast_at desc);
create index on election_vote (cast_by);
create index election_vote_unannounced on election_vote (cast_at) where notified_at is null;
call keep_history('election_vote');

-- Votes on encrypted ballots are those of the roll, whoever writes them.
create function votes_are_of_roll() returns trigger language plpgsql as $$
begin
  if exists (select from election e where e.election_id = new.election_id and e.ballots = 'encrypted')
    and not exists (select from election_roll r where r.election_id = new.election_id and r.account_name = new.account_name and r.votes = new.votes) then
    raise exception 'the roll of election % does not give % % votes', new.election_id, new.account_name, new.votes;
  end if;
  return new;
end $$;
create trigger b_votes_are_of_roll before insert or update on election_vote for each row execute function votes_are_of_roll();

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

-- The hand-over of a voter to the voting system, which never learns for which account it is.
create table ballot_session (
  -- All that the voting system learns besides the number of votes.
  voter_id     uuid primary key default gen_random_uuid(),
  election_id  bigint not null references election,
  generation   integer not null check (generation >= 1),
  -- An attendee is a person and no account.
  account_name text references account,
  login_id     text references login,
  cast_as      text not null check (cast_as in ('member', 'proxy', 'attendee')),
  -- The contact who opened the ballot last; null for a proxy or an attendee.
  contact_id   uuid references contact,
  voter_name   text not null check (length(voter_name) <= 255),
  votes        integer not null check (votes between 1 and 64),
  opened_at    timestamptz not null,
  expires_at   timestamptz not null,
  constraint ballot_session_person_check check ((cast_as = 'attendee') = (login_id is not null)),
  constraint ballot_session_account_check check ((cast_as = 'attendee') = (account_name is null))
);
create unique index ballot_session_voter on ballot_session (election_id, generation, account_name, cast_as);
create unique index ballot_session_attendee on ballot_session (election_id, generation, login_id);
create index on ballot_session (account_name);
create index on ballot_session (login_id);
create index on ballot_session (contact_id);
call keep_history('ballot_session');

-- A ballot of a vote that is over, as it is published. It names neither a voter nor a time, and no history of it is kept, because a history has both.
create table ballot (
  -- Random; the voter alone knows whose it is.
  receipt     text primary key check (receipt ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
  election_id bigint not null references election,
  generation  integer not null check (generation >= 1),
  votes       integer not null check (votes between 1 and 64),
  -- Places of options; empty for an abstention.
  choices     integer[] not null
);
create index on ballot (election_id, generation);
call keep_history('ballot', with_copy => false);

-- What the ballots of each round should add up to: the exclusive or of an HMAC of each, with a key that follows from SECRET_KEY. Who has the database
-- alone can neither change, put in nor take out a ballot unseen. One value for all of them, without history: none that says which ballot came when.
create table ballot_sum (
  election_id bigint not null references election,
  generation  integer not null,
  ballots     integer not null check (ballots >= 0),
  sum         bytea not null check (length(sum) = 32),
  primary key (election_id, generation)
);
call keep_history('ballot_sum', with_copy => false, with_digests => false);

-- The ballot box: ballots of votes that are not over lie in a schema of their own. On a server it belongs to a role of its own, which sees no voter; the
-- portal's role sees no ballot, and has the functions below only.

create schema ballots;

-- A ballot. It names neither a voter nor a time.
create table ballots.ballot (
  receipt     text primary key check (receipt ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
  election_id bigint not null,
  generation  integer not null check (generation >= 1),
  votes       integer not null check (votes between 1 and 64),
  choices     integer[] not null
);
create index on ballots.ballot (election_id, generation);

-- Whether every window of a published election is over, by the clock of the database.
create function ballots.is_over(election bigint) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from public.election e where e.election_id = election and e.state = 'published')
    and not exists (select from public.election_window w where w.election_id = election and w.closes_at > now())
$$;

-- Puts a ballot in; false where its receipt is in use.
create function ballots.store(receipt text, election bigint, generation integer, votes integer, choices integer[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(current_setting('portal.activity_id', true), '') = '' then
    raise exception 'ballots are cast within an activity only';
  end if;
  insert into ballots.ballot as b values ($1, $2, $3, $4, $5) on conflict do nothing;
  return found;
end $$;

-- Whether there is a ballot with this receipt, which only its voter knows.
create function ballots.holds(receipt text, election bigint, generation integer, votes integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from ballots.ballot b where b.receipt = $1 and b.election_id = $2 and b.generation = $3 and b.votes = $4)
$$;

-- How many ballots of a round are in the box.
create function ballots.count_of(election bigint, generation integer) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::integer from ballots.ballot b where b.election_id = $1 and b.generation = $2
$$;

-- The ballots of a round in the order of their receipts, once the vote is over; none before.
create function ballots.published(election bigint, generation integer) returns table (receipt text, votes integer, choices integer[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select b.receipt, b.votes, b.choices from ballots.ballot b where b.election_id = $1 and b.generation = $2 and ballots.is_over($1) order by b.receipt
$$;

-- Takes all ballots of an election out of the box, once the vote is over.
create function ballots.empty_box(election bigint) returns table (receipt text, election_id bigint, generation integer, votes integer, choices integer[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  if coalesce(current_setting('portal.activity_id', true), '') = '' then
    raise exception 'the box is emptied within an activity only';
  end if;
  if not ballots.is_over(election) then
    raise exception 'election % is not over', election;
  end if;
  return query delete from ballots.ballot b where b.election_id = election returning b.receipt, b.election_id, b.generation, b.votes, b.choices;
end $$;

revoke all on all functions in schema ballots from public;

-- The role that the box belongs to. Where the role of the portal can neither make it nor act as it, the box stays with the portal's (the desk says so).
do $$
declare
  portal text := current_user;
  is_super boolean := (select rolsuper from pg_roles where rolname = current_user);
begin
  if not exists (select from pg_roles where rolname = 'registry_ballots') then
    begin
      create role registry_ballots nologin;
    exception when duplicate_object or unique_violation then
      -- Another database of the same server made it at the same moment.
      null;
    end;
  end if;
  if not is_super then
    begin
      execute format('grant registry_ballots to %I', portal);
    exception when insufficient_privilege then
      -- An administrator may have granted it.
      null;
    end;
  end if;
  grant usage on schema public to registry_ballots;
  grant select on public.election, public.election_window to registry_ballots;
  alter schema ballots owner to registry_ballots;
  alter table ballots.ballot owner to registry_ballots;
  alter function ballots.is_over(bigint) owner to registry_ballots;
  alter function ballots.store(text, bigint, integer, integer, integer[]) owner to registry_ballots;
  alter function ballots.holds(text, bigint, integer, integer) owner to registry_ballots;
  alter function ballots.count_of(bigint, integer) owner to registry_ballots;
  alter function ballots.published(bigint, integer) owner to registry_ballots;
  alter function ballots.empty_box(bigint) owner to registry_ballots;
  execute format('grant usage on schema ballots to %I', portal);
  execute format('grant execute on all functions in schema ballots to %I', portal);
  if not is_super then
    begin
      execute format('revoke registry_ballots from %I', portal);
    exception when insufficient_privilege then
      raise notice 'Revoke registry_ballots from % as an administrator', portal;
    end;
  end if;
exception when insufficient_privilege then
  raise notice 'The ballot box stays with the role of the portal: %', sqlerrm;
end $$;
