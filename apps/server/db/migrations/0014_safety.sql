-- What keeps accounts and logins safe: links that freeze a login, and what an account demands of its contacts
-- (domain/identity.md S24-S30, domain/peers-and-asks.md 3).

alter table login
  -- Since when nobody gets in as this person, because somebody said that it was not them.
  add column frozen_at timestamptz,
  -- The one address that gets a frozen login back: whoever changed the address just before gains nothing by it.
  add column frozen_email text,
  add check ((frozen_at is null) = (frozen_email is null)),
  drop constraint login_cool_down_why_check,
  add constraint login_cool_down_why_check
    check (cool_down_why in ('password-reset', 'email-changed', 'factor-lost', 'recovery-code', 'frozen'));

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

alter table mail add column freeze_link_id text references freeze_link on delete set null;
create index on mail (freeze_link_id);

-- What an account asks for its own safety.
create table account_safety (
  account_name       text primary key references account,
  -- Grows with every change of the row.
  version            integer not null default 1,
  -- Told of every change beside the corporate contacts, since whoever reads it confirmed that.
  security_email     text check (length(security_email) <= 254),
  -- From this day (UTC) on its contacts get in with a second factor only.
  second_factor_from date,
  -- When those without one were last reminded, and when an access review was last asked for.
  reminded_at        timestamptz,
  review_asked_at    timestamptz
);
call keep_history('account_safety');

alter table login_link drop constraint login_link_purpose_check;
alter table login_link add constraint login_link_purpose_check
  check (purpose in ('register', 'reset-password', 'change-email', 'undo-change-email', 'invitation', 'referral',
    'contact-email', 'undo-contact-email', 'security-address', 'topic-address'));

-- Somebody who asked to be linked to an account takes it back: it still counts against asking too often.
alter table link_attempt add column cancelled_at timestamptz;

-- A helper, such as a consultant, acts for an account until a day, and never longer.
alter table contact
  add column helper_until timestamptz,
  -- When the helper and the corporate contacts were told that it ends soon.
  add column helper_warned_at timestamptz,
  add check (helper_until is null or not 'corporate' = any (contact_types));
create index on contact (helper_until) where helper_until is not null and status <> 'REMOVED';

-- Once a year somebody looks at everybody who acts for the account.
create table access_review (
  access_review_id bigint generated always as identity primary key,
  account_name     text not null references account,
  reviewed_by      uuid not null references contact,
  reviewed_at      timestamptz not null
);
create index on access_review (account_name, reviewed_at desc);
create index on access_review (reviewed_by);
call keep_history('access_review');

create table access_review_line (
  access_review_id bigint not null references access_review,
  contact_id       uuid not null references contact,
  decision         text not null check (decision in ('KEEP', 'NARROW', 'REMOVE')),
  -- Why; and what was taken away.
  reason           text not null default '',
  permissions      text[] not null default '{}',
  primary key (access_review_id, contact_id)
);
create index on access_review_line (contact_id);
call keep_history('access_review_line');

-- Where a person wants the mails of a topic to go, since they confirmed the address.
create table notification_address (
  login_id text not null references login,
  topic    text not null,
  email    text not null check (length(email) <= 254),
  primary key (login_id, topic)
);
call keep_history('notification_address');
