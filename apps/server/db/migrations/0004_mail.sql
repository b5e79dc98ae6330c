-- What is sent by e-mail, and the links it carries.

-- A link in a mail about a change of safety: it freezes the login that made the change, once. Its address carries a signature.
create table freeze_link (
  freeze_link_id text primary key default gen_random_uuid()::text,
  login_id       text not null references login,
  -- The account the mail was about; null when it was about the login.
  account_name   text references account,
  mailed_to      text not null,
  -- What the mail tells of.
  activity_id    bigint not null,
  made_at        timestamptz not null,
  expires_at     timestamptz not null,
  used_at        timestamptz
);
create index on freeze_link (login_id);
create index on freeze_link (account_name);
create index on freeze_link (activity_id);
create index on freeze_link (expires_at);
call keep_history('freeze_link', with_copy => false);

-- Mail that was or will be sent. A row exists if and only if the change that needed it committed; a task delivers it.
create table mail (
  mail_id      bigint generated always as identity primary key,
  recipient    text not null,
  subject      text not null,
  body         text not null,
  -- The account it is about, for the account's own overview later.
  account_name text,
  written_at   timestamptz not null,
  sent_at      timestamptz,
  failure      text,
  -- A link a mail carries is sealed apart from its words and forgotten once it was sent: whoever reads the mails opens nothing.
  sealed_link  bytea,
  -- One of the contract (notifications.ts).
  topic        text not null,
  -- As whom it is written to: for the greeting, and for preferences.
  recipient_name text not null default '',
  login_id     text references login,
  -- What the button says, and which page of the portal it opens where the link is no secret.
  act          text,
  path         text,
  answer_by    timestamptz,
  -- When the recipient's mail server refused it for good; `failure` says why.
  refused_at   timestamptz,
  freeze_link_id text references freeze_link on delete set null,
  -- What the link that unsubscribes ends, where that is less than all e-mails of the topic: ids of follows, with blanks between.
  unsubscribes_from text,
  -- Which conversation it belongs to, such as `ticket-20001`: an answer by e-mail finds the way back to it.
  thread       text check (thread ~ '^[a-z]{1,20}-\d{1,15}$'),
  -- One document that it carries, such as the invoice it is about. Its module hands it over when the mail is sent, so that no copy is kept with the mail.
  attaches     text check (attaches ~ '^[a-z-]+:[A-Za-z0-9-]+$')
);
create index mail_written on mail (written_at desc);
-- What waits is counted without a look at all there ever was.
create index mail_waiting on mail (written_at) where sent_at is null and refused_at is null;
create index on mail (login_id);
create index on mail (freeze_link_id);
call keep_history('mail', with_copy => false);

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
