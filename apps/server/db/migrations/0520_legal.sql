-- Legal texts with their versions, and who accepted which (decision 325).

-- A version of a text: a draft until two people confirmed it, and never another text afterwards.
create table legal_version (
  legal_version_id bigint generated always as identity primary key,
  -- Its name in addresses: terms-of-service.
  text         text not null check (text ~ '^[a-z][a-z0-9-]{1,29}$'),
  -- Null: a draft.
  version      integer check (version > 0),
  -- Grows with each save of a draft, so that of two people who write one the second is told.
  edition      integer not null default 1,
  title        text not null check (length(title) between 3 and 100),
  body         text not null check (length(body) between 1 and 60000),
  -- What is new, for the people who are asked.
  changes      text not null default '' check (length(changes) <= 1000),
  asks         text[] not null check (asks <@ array['logins', 'corporate', 'applicants']),
  -- Whether people who accepted an earlier version accept this one too.
  renews       boolean not null,
  -- Days after its first day until it is due, and whether changes wait then until it is accepted.
  grace_days   integer not null check (grace_days between 0 and 365),
  blocks       boolean not null,
  valid_from   date not null,
  begins_at    timestamptz not null,
  reason       text not null check (length(reason) between 1 and 500),
  prepared_by  text not null references login,
  prepared_at  timestamptz not null,
  proposed_by  text references login,
  confirmed_by text references login,
  confirmed_at timestamptz,
  -- A draft that was discarded, or a version that two people withdrew before its day.
  ended_by     text references login,
  ended_with   text references login,
  ended_at     timestamptz,
  unique (text, version),
  check ((version is null) = (confirmed_at is null) and (proposed_by is null) = (confirmed_at is null) and (confirmed_by is null) = (confirmed_at is null)),
  check ((ended_by is null) = (ended_at is null)),
  constraint legal_version_two_people check (confirmed_by <> proposed_by and ended_with <> ended_by
    and (confirmed_at is null or ended_at is null or ended_with is not null)),
  constraint legal_version_in_time check (confirmed_at <= begins_at and (confirmed_at is null or ended_at is null or ended_at <= begins_at))
);
create unique index legal_version_draft on legal_version (text) where version is null and ended_at is null;
create unique index legal_version_of_day on legal_version (text, valid_from) where version is not null and ended_at is null;
create index on legal_version (prepared_by);
create index on legal_version (proposed_by);
create index on legal_version (confirmed_by);
create index on legal_version (ended_by);
create index on legal_version (ended_with);
call keep_history('legal_version');

create function refuse_other_legal_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A version of a legal text stays' using errcode = 'restrict_violation';
  end if;
  if old.ended_at is not null then
    raise exception 'A version of a legal text that ended stays as it was' using errcode = 'restrict_violation';
  end if;
  if old.version is not null and (new.text, new.version, new.edition, new.title, new.body, new.changes, new.asks, new.renews, new.grace_days, new.blocks, new.valid_from,
      new.begins_at, new.reason, new.prepared_by, new.prepared_at, new.proposed_by, new.confirmed_by, new.confirmed_at)
      is distinct from (old.text, old.version, old.edition, old.title, old.body, old.changes, old.asks, old.renews, old.grace_days, old.blocks, old.valid_from,
      old.begins_at, old.reason, old.prepared_by, old.prepared_at, old.proposed_by, old.confirmed_by, old.confirmed_at) then
    raise exception 'A version of a legal text is never another one: write a new version' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refuse_other_legal_version before update or delete on legal_version for each row execute function refuse_other_legal_version();

-- Who accepted a version: a person for themselves, or a corporate contact for an account.
create table legal_acceptance (
  legal_acceptance_id bigint generated always as identity primary key,
  text         text not null,
  version      integer not null,
  login_id     text not null references login,
  -- Null: for themselves.
  account_name text references account,
  accepted_at  timestamptz not null,
  foreign key (text, version) references legal_version (text, version)
);
create unique index legal_acceptance_of_login on legal_acceptance (login_id, text, version) where account_name is null;
create unique index legal_acceptance_of_account on legal_acceptance (account_name, text, version) where account_name is not null;
create index on legal_acceptance (text, version);
create index on legal_acceptance (login_id);
create index on legal_acceptance (account_name);
call keep_history('legal_acceptance');

create function legal_acceptance_stays() returns trigger language plpgsql as $$
begin
  raise exception 'Who accepted a legal text stays' using errcode = 'restrict_violation';
end $$;
create trigger legal_acceptance_stays before update or delete on legal_acceptance for each row execute function legal_acceptance_stays();

-- When a person was last asked by e-mail to accept a version.
create table legal_reminder (
  login_id    text not null references login,
  text        text not null,
  version     integer not null,
  reminded_at timestamptz not null,
  primary key (login_id, text),
  foreign key (text, version) references legal_version (text, version)
);
create index on legal_reminder (text, version);
call keep_history('legal_reminder');
