-- How an organisation becomes a member: applications, and referrals by members.

create table membership_application (
  membership_application_id bigint generated always as identity primary key,
  -- Who applies, and becomes the corporate contact.
  login_id          text not null references login,
  state             text not null default 'draft'
    check (state in ('draft', 'submitted', 'in-review', 'needs-info', 'approved', 'rejected', 'withdrawn', 'expired')),
  started_at        timestamptz not null,
  -- Since when it is in its state.
  since             timestamptz not null,
  -- As it was handed in last; the columns after it say the same, for lists and comparisons.
  form              jsonb,
  org_name          text check (length(org_name) <= 255),
  economy           text check (economy ~ '^[A-Z]{2}$'),
  account_name      text check (account_name ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  -- Letters and digits of the registration number, to find the same organisation again.
  registration_key  text,
  agreement_version text,
  agreed_at         timestamptz,
  submitted_at      timestamptz,
  -- Registry staff who look into it, and what they asked last.
  reviewer          text references login,
  question          text,
  resolved_by       text references login,
  resolved_at       timestamptz,
  note              text,
  check ((submitted_at is null) = (form is null)),
  check (form is null or (org_name is not null and economy is not null and account_name is not null and agreed_at is not null)),
  check (state not in ('submitted', 'in-review', 'needs-info', 'approved', 'rejected') or form is not null),
  check ((state in ('draft', 'submitted', 'in-review', 'needs-info')) = (resolved_at is null))
);
create index on membership_application (login_id, membership_application_id desc);
create index membership_application_waiting on membership_application (membership_application_id)
  where state in ('submitted', 'in-review', 'needs-info');
create index on membership_application (resolved_at desc) where submitted_at is not null;
create index on membership_application (registration_key, economy);
create index on membership_application (reviewer);
create index on membership_application (resolved_by);
call keep_history('membership_application');
call follow_life('membership_application', 'state', 'draft>expired draft>submitted draft>withdrawn in-review>approved in-review>needs-info in-review>rejected in-review>withdrawn needs-info>in-review
  needs-info>rejected needs-info>withdrawn submitted>approved submitted>in-review submitted>needs-info submitted>rejected submitted>withdrawn');

-- What is written and not handed in yet. Without copies: it changes with every pause in typing, and is thrown away unsent.
create table application_draft (
  membership_application_id bigint primary key references membership_application,
  -- Grows each time it is saved.
  version     integer not null default 1,
  step        text not null,
  draft       jsonb not null,
  saved_at    timestamptz not null,
  reminded_at timestamptz
);
create index on application_draft (saved_at);
call keep_history('application_draft', with_copy => false);

-- What happened to an application, as both sides read it.
create table application_event (
  application_event_id bigint generated always as identity primary key,
  membership_application_id bigint not null references membership_application,
  kind      text not null
    check (kind in ('submitted', 'in-review', 'question', 'answer', 'approved', 'rejected', 'withdrawn', 'expired')),
  at        timestamptz not null,
  login_id  text references login,
  -- By registry staff; the applicant is not told who.
  by_staff  boolean not null,
  words     text not null default ''
);
create index on application_event (membership_application_id, application_event_id);
create index on application_event (login_id);
call keep_history('application_event');

-- Account names that applications with the registry keep for themselves: of two, one gets it.
create table reserved_account_name (
  account_name              text primary key,
  membership_application_id bigint not null unique references membership_application
);
call keep_history('reserved_account_name');

-- A member proposes its customer as a member; the customer was asked by mail whether it agrees.
create table referral (
  referral_id       bigint generated always as identity primary key,
  account_name      text not null references account,
  referred_by       uuid not null references contact,
  link_id           text references login_link on delete set null,
  state             text not null default 'sent' check (state in ('sent', 'opened', 'declined', 'expired', 'withdrawn')),
  org_name          text not null check (length(org_name) <= 255),
  economy           text not null check (economy ~ '^[A-Z]{2}$'),
  contact_name      text not null check (length(contact_name) <= 200),
  contact_email     text not null check (length(contact_email) <= 254),
  phone             text not null default '' check (length(phone) <= 40),
  resources         text[] not null default '{}' check (resources <@ array['ipv4', 'ipv6', 'asn']),
  note              text not null default '',
  -- The referrer is to be the customer's technical contact.
  technical_contact boolean not null,
  sent_at           timestamptz not null,
  expires_at        timestamptz not null,
  reminded_at       timestamptz,
  -- Since when it is in its state.
  since             timestamptz not null,
  -- The customer's own, once it agreed.
  membership_application_id bigint unique references membership_application,
  check ((state = 'opened') = (membership_application_id is not null))
);
create index on referral (account_name, referral_id desc);
create index on referral (referred_by, sent_at);
create index on referral (link_id);
create index on referral (lower(contact_email), sent_at);
create index referral_waiting on referral (expires_at) where state = 'sent';
call keep_history('referral');
call follow_life('referral', 'state', 'sent>declined sent>expired sent>opened sent>withdrawn');
