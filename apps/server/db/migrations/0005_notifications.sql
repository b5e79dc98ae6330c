-- What people are told, by e-mail and in the portal. Topics are those of the contract (notifications.ts).

create table notification (
  notification_id bigint generated always as identity primary key,
  login_id        text not null references login,
  account_name    text references account,
  topic           text not null,
  title           text not null,
  body            text not null,
  -- A page of the portal.
  link            text,
  written_at      timestamptz not null,
  read_at         timestamptz,
  -- The digest it waits for.
  digest          text check (digest in ('daily', 'weekly'))
);
create index on notification (login_id, notification_id desc);
create index notification_unread on notification (login_id) where read_at is null;
create index notification_for_digest on notification (digest, login_id) where digest is not null;
create index on notification (account_name);
call keep_history('notification', with_copy => false);

-- Where a person's choice differs from what a topic does by itself: an e-mail at once.
create table notification_preference (
  login_id text not null references login,
  topic    text not null,
  delivery text not null check (delivery in ('at-once', 'daily', 'weekly', 'portal')),
  primary key (login_id, topic)
);
call keep_history('notification_preference');

-- Which digests were made, so that each person gets one for a period, however many processes look.
create table notification_digest (
  login_id text not null references login,
  digest   text not null check (digest in ('daily', 'weekly')),
  -- The instant the period ended.
  until    timestamptz not null,
  made_at  timestamptz not null,
  primary key (login_id, digest, until)
);
call keep_history('notification_digest');

-- Where a person wants the mails of a topic to go, since they confirmed the address.
create table notification_address (
  login_id text not null references login,
  topic    text not null,
  email    text not null check (length(email) <= 254),
  primary key (login_id, topic)
);
call keep_history('notification_address');
