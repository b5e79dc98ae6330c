-- Webhooks: addresses of members that are notified of every activity in their account.

create table webhook (
  webhook_id   bigint generated always as identity (start with 1001) primary key,
  account_name text not null references account,
  label        text not null check (length(label) between 3 and 40),
  url          text not null check (length(url) between 8 and 500),
  -- Subjects of activities that are sent; empty: all.
  categories   text[] not null default '{}',
  -- Refused attempts are sent too.
  refusals     boolean not null default false,
  -- The contact who saved it last: nothing is sent once this person is no corporate contact.
  login_id     text not null references login,
  created_at   timestamptz not null,
  paused_at    timestamptz,
  disabled_at  timestamptz,
  disabled_why text,
  removed_at   timestamptz,
  check ((disabled_at is null) = (disabled_why is null))
);
create index on webhook (account_name, webhook_id);
create index on webhook (login_id);
create unique index webhook_label on webhook (account_name, lower(label)) where removed_at is null;
call keep_history('webhook');

-- The secrets that sign: one, or two for a day after a rotation. Sealed, because signing needs them.
create table webhook_secret (
  webhook_id    bigint not null references webhook,
  made_at       timestamptz not null,
  sealed_secret bytea not null,
  ends_at       timestamptz,
  primary key (webhook_id, made_at)
);
call keep_history('webhook_secret', secret_columns => '{sealed_secret}');

-- How the last attempts went. Counters: no history.
create table webhook_use (
  webhook_id    bigint primary key references webhook,
  failing_since timestamptz,
  last_at       timestamptz not null,
  last_status   integer,
  last_problem  text
);

-- Activities of accounts with webhooks, from their commit until a worker has made deliveries of them. State of work: no history.
create table webhook_event (
  activity_id  bigint primary key references activity,
  account_name text not null
);
-- Accounts take turns: of each a few at a time, found by an index however many wait.
create index on webhook_event (account_name, activity_id);

-- What is sent to one webhook. State of work: no history.
create table webhook_delivery (
  delivery_id  bigint generated always as identity (start with 100001) primary key,
  webhook_id   bigint not null references webhook,
  event_id     text not null,
  type         text not null,
  content      text not null,
  created_at   timestamptz not null,
  attempts     integer not null default 0,
  -- When it is sent next; null: it was delivered, or has failed.
  due_at       timestamptz,
  -- Until when a worker is busy with it: one that died gives it back so.
  leased_until timestamptz,
  delivered_at timestamptz
);
create index on webhook_delivery (webhook_id, delivery_id desc);
-- What is due of one webhook, and what is being sent: each looked up by itself, however much waits.
create index webhook_delivery_turn on webhook_delivery (webhook_id, due_at, delivery_id) where due_at is not null;
create index webhook_delivery_leased on webhook_delivery (webhook_id) where leased_until is not null;
create index on webhook_delivery (created_at);
create index webhook_delivery_waiting on webhook_delivery (created_at) where due_at is not null;

-- Each attempt to deliver. No history.
create table webhook_attempt (
  delivery_id  bigint not null references webhook_delivery on delete cascade,
  attempt      integer not null,
  at           timestamptz not null,
  milliseconds integer not null,
  -- Of HTTP; null without an answer.
  status       integer,
  problem      text,
  -- The beginning of the answer.
  answer       text not null default '',
  primary key (delivery_id, attempt)
);

-- An event exists if and only if the activity commits. Accounts without webhooks pay one look at an index.
create function note_webhook_event() returns trigger language plpgsql as $$
begin
  if exists (select from webhook where account_name = new.account_name and removed_at is null and paused_at is null and disabled_at is null) then
    insert into webhook_event (activity_id, account_name) values (new.activity_id, new.account_name) on conflict do nothing;
    perform pg_notify('webhooks', '');
  end if;
  return null;
end $$;
create trigger note_webhook_event after insert or update of account_name on activity for each row
  when (new.account_name is not null) execute function note_webhook_event();
