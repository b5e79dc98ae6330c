-- Members run their own account: contacts with their history of permissions, invitations, requests to the account and to the registry.

-- Where a contact's permissions differ from those the contact types start with: granted or taken away, by whom and when.
create table permission_decision (
  contact_id uuid not null references contact,
  permission text not null,
  granted    boolean not null,
  -- Null: registry staff.
  decided_by uuid references contact,
  decided_at timestamptz not null,
  primary key (contact_id, permission)
);
create index on permission_decision (decided_by);
call keep_history('permission_decision');

-- Somebody was asked by mail to become a contact. The token of the mail is login_link's.
create table invitation (
  invitation_id bigint generated always as identity primary key,
  contact_id    uuid not null references contact,
  link_id       text references login_link on delete set null,
  state         text not null default 'sent' check (state in ('sent', 'accepted', 'declined', 'expired', 'revoked')),
  -- Null: registry staff.
  invited_by    uuid references contact,
  sent_at       timestamptz not null,
  expires_at    timestamptz not null,
  reminded_at   timestamptz,
  ended_at      timestamptz,
  check ((state = 'sent') = (ended_at is null))
);
create unique index invitation_open on invitation (contact_id) where state = 'sent';
create index on invitation (contact_id, invitation_id desc);
create index on invitation (link_id);
create index on invitation (invited_by);
create index on invitation (expires_at) where state = 'sent';
call keep_history('invitation');
call follow_life('invitation', 'state', 'sent>accepted sent>declined sent>expired sent>revoked');

-- Somebody asked those who can approve it: to join the account, to add, remove or change a contact, for permissions.
create table access_request (
  access_request_id bigint generated always as identity primary key,
  account_name      text not null references account,
  kind              text not null check (kind in ('link', 'add-contact', 'remove-contact', 'change-role', 'permission')),
  status            text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'other')),
  -- Why it ended when nobody resolved it.
  outcome           text check (outcome in ('expired', 'cancelled', 'superseded')),
  login_id          text not null references login,
  -- The contact who asked; null for somebody who is none yet.
  requested_by      uuid references contact,
  -- The contact it is about.
  subject_id        uuid references contact,
  -- The person to be added.
  full_name         text,
  email             text,
  contact_types     text[] not null default '{}',
  permissions       text[] not null default '{}',
  -- Where the person was refused.
  page              text not null default '',
  reason            text not null default '',
  requested_at      timestamptz not null,
  -- When those who can approve it were last told.
  notified_at           timestamptz not null,
  reminders         integer not null default 0,
  expires_at        timestamptz not null,
  resolved_by       uuid references contact,
  resolved_at       timestamptz,
  note              text,
  granted_types       text[],
  granted_permissions text[],
  check ((status = 'pending') = (resolved_at is null)),
  check ((status = 'other') = (outcome is not null))
);
create unique index access_request_link on access_request (account_name, login_id) where kind = 'link' and status = 'pending';
create index access_request_waiting on access_request (account_name, access_request_id) where status = 'pending';
create index access_request_resolved on access_request (account_name, resolved_at desc) where status <> 'pending';
create index on access_request (requested_by, requested_at desc);
create index on access_request (subject_id);
create index on access_request (login_id);
create index on access_request (resolved_by);
create index on access_request (expires_at) where status = 'pending';
call keep_history('access_request');
call follow_life('access_request', 'status', 'pending>approved pending>other pending>rejected');

-- Adding, promoting to and removing a corporate contact is for the registry to approve.
create table registry_request (
  registry_request_id bigint generated always as identity primary key,
  account_name  text not null references account,
  kind          text not null check (kind in ('add', 'change-role', 'remove')),
  status        text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  contact_id    uuid not null references contact,
  contact_types text[] not null,
  -- Which permissions the contact has afterwards; corporate contacts have all.
  permissions   text[] not null default '{}',
  reason        text not null default '',
  requested_by  uuid not null references contact,
  requested_at  timestamptz not null,
  -- The login of registry staff.
  resolved_by   text references login,
  resolved_at   timestamptz,
  note          text,
  check ((status = 'pending') = (resolved_at is null))
);
create unique index registry_request_of_contact on registry_request (contact_id) where status = 'pending';
create index registry_request_waiting on registry_request (registry_request_id) where status = 'pending';
create index registry_request_resolved on registry_request (resolved_at desc) where status <> 'pending';
create index on registry_request (account_name);
create index on registry_request (contact_id);
create index on registry_request (requested_by);
create index on registry_request (resolved_by);
call keep_history('registry_request');
call follow_life('registry_request', 'status', 'pending>approved pending>rejected pending>withdrawn');

-- Who wanted to be linked to which account, whether or not there is one: what comes of it is decided by a task.
create table link_attempt (
  link_attempt_id bigint generated always as identity primary key,
  login_id     text not null references login,
  account_name text not null,
  address      inet,
  asked_at     timestamptz not null,
  -- Somebody who asked to be linked to an account takes it back: it still counts against asking too often.
  cancelled_at timestamptz
);
create index on link_attempt (login_id, asked_at desc);
create index on link_attempt (address, asked_at desc);
call keep_history('link_attempt');

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
  decision         text not null check (decision in ('keep', 'narrow', 'remove')),
  -- Why; and what was taken away.
  reason           text not null default '',
  permissions      text[] not null default '{}',
  primary key (access_review_id, contact_id)
);
create index on access_review_line (contact_id);
call keep_history('access_review_line');
