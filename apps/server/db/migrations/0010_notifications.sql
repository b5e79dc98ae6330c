-- What people are told, by e-mail and in the portal (domain/accounts.md 18 and 21). Topics are those of the contract (notifications.ts).

alter table mail
  add column topic          text not null default 'contacts.access',
  -- As whom it is written to: for the greeting, and for preferences.
  add column recipient_name text not null default '',
  add column login_id       text references login,
  -- What the button says, and which page of the portal it opens where the link is no secret.
  add column act            text,
  add column path           text,
  add column answer_by      timestamptz,
  -- When the recipient's mail server refused it for good; `failure` says why.
  add column refused_at     timestamptz;
alter table mail alter column topic drop default;
create index on mail (login_id);

-- Addresses whose mail server refused messages for good, one after the other; one that arrives ends it.
create table mail_refusal (
  -- In lower case.
  address           text primary key,
  refusals          integer not null check (refusals > 0),
  refusal           text not null,
  refused_at        timestamptz not null,
  -- Since the third refusal.
  unreachable_since timestamptz
);
call keep_history('mail_refusal');

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
