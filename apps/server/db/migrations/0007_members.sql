-- Members run their own account: contacts with their history of permissions, invitations, requests to the account and to the registry
-- (domain/accounts.md 2, 6, 7, 8).

alter table contact
  add column phone text not null default '' check (length(phone) <= 40),
  -- What they do in the organisation.
  add column position text not null default '' check (length(position) <= 100),
  -- Whois maintainers this person may use; a name counts while the account has a maintainer of that name.
  add column maintainers text[] not null default '{}',
  -- Grows with every change of the row, so that of two people who edit one contact the second is told.
  add column version integer not null default 1,
  -- When the person last said that the details are right, and when that was last asked for.
  add column confirmed_at timestamptz,
  add column confirmation_asked_at timestamptz,
  add column removed_at timestamptz;
-- An address stands for one person in an account; an account is joined by it.
create unique index contact_address on contact (account_name, lower(email)) where status <> 'REMOVED';

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

alter table login_link drop constraint login_link_purpose_check;
alter table login_link add constraint login_link_purpose_check
  check (purpose in ('register', 'reset-password', 'change-email', 'undo-change-email', 'invitation'));

-- Somebody was asked by mail to become a contact. The token of the mail is login_link's.
create table invitation (
  invitation_id bigint generated always as identity primary key,
  contact_id    uuid not null references contact,
  link_id       text references login_link on delete set null,
  state         text not null default 'SENT' check (state in ('SENT', 'ACCEPTED', 'DECLINED', 'EXPIRED', 'REVOKED')),
  -- Null: registry staff.
  invited_by    uuid references contact,
  sent_at       timestamptz not null,
  expires_at    timestamptz not null,
  reminded_at   timestamptz,
  ended_at      timestamptz,
  check ((state = 'SENT') = (ended_at is null))
);
create unique index invitation_open on invitation (contact_id) where state = 'SENT';
create index on invitation (contact_id, invitation_id desc);
create index on invitation (link_id);
create index on invitation (invited_by);
create index on invitation (expires_at) where state = 'SENT';
call keep_history('invitation');

-- Somebody asked those who can approve it: to join the account, to add, remove or change a contact, for permissions.
create table access_request (
  access_request_id bigint generated always as identity primary key,
  account_name      text not null references account,
  kind              text not null check (kind in ('LINK', 'ADD_CONTACT', 'REMOVE_CONTACT', 'CHANGE_ROLE', 'PERMISSION')),
  status            text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED', 'OTHER')),
  -- Why it ended when nobody resolved it.
  outcome           text check (outcome in ('EXPIRED', 'CANCELLED', 'SUPERSEDED')),
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
  told_at           timestamptz not null,
  reminders         integer not null default 0,
  expires_at        timestamptz not null,
  resolved_by       uuid references contact,
  resolved_at       timestamptz,
  note              text,
  granted_types       text[],
  granted_permissions text[],
  check ((status = 'PENDING') = (resolved_at is null)),
  check ((status = 'OTHER') = (outcome is not null))
);
insert into access_request (account_name, kind, status, outcome, login_id, requested_by, subject_id, permissions, page, reason,
    requested_at, told_at, expires_at, resolved_at)
  select r.account_name, 'PERMISSION', s.status, case s.status when 'OTHER' then 'EXPIRED' end, c.login_id, r.contact_id, r.contact_id,
    array[r.permission], r.page, r.message, r.asked_at, r.asked_at, r.asked_at + interval '30 days', case s.status when 'PENDING' then null else now() end
  from permission_request r join contact c using (contact_id)
  cross join lateral (select case when r.permission = any (c.permissions) then 'APPROVED'
    when r.asked_at < now() - interval '30 days' or c.status <> 'ACTIVE' then 'OTHER' else 'PENDING' end as status) s
  where c.login_id is not null order by r.permission_request_id;
drop table permission_request;
create unique index access_request_link on access_request (account_name, login_id) where kind = 'LINK' and status = 'PENDING';
create index access_request_waiting on access_request (account_name, access_request_id) where status = 'PENDING';
create index access_request_resolved on access_request (account_name, resolved_at desc) where status <> 'PENDING';
create index on access_request (requested_by, requested_at desc);
create index on access_request (subject_id);
create index on access_request (login_id);
create index on access_request (resolved_by);
create index on access_request (expires_at) where status = 'PENDING';
call keep_history('access_request');

-- Adding, promoting to and removing a corporate contact is for the registry to approve.
create table registry_request (
  registry_request_id bigint generated always as identity primary key,
  account_name  text not null references account,
  kind          text not null check (kind in ('ADD', 'CHANGE_ROLE', 'REMOVE')),
  status        text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REFUSED', 'WITHDRAWN')),
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
  check ((status = 'PENDING') = (resolved_at is null))
);
create unique index registry_request_of_contact on registry_request (contact_id) where status = 'PENDING';
create index registry_request_waiting on registry_request (registry_request_id) where status = 'PENDING';
create index registry_request_resolved on registry_request (resolved_at desc) where status <> 'PENDING';
create index on registry_request (account_name);
create index on registry_request (contact_id);
create index on registry_request (requested_by);
create index on registry_request (resolved_by);
call keep_history('registry_request');

-- Who wanted to be linked to which account, whether or not there is one: what comes of it is decided by a task.
create table link_attempt (
  link_attempt_id bigint generated always as identity primary key,
  login_id     text not null references login,
  account_name text not null,
  address      inet,
  asked_at     timestamptz not null
);
create index on link_attempt (login_id, asked_at desc);
create index on link_attempt (address, asked_at desc);
call keep_history('link_attempt');

-- The current activity may also be told, once, whose log it belongs to, where only the change finds out.
create or replace function only_note_on_current_activity() returns trigger language plpgsql as $$
begin
  if old.activity_id is distinct from current_activity() then
    raise exception 'activity only grows: activity % is not the current one', old.activity_id;
  end if;
  if to_jsonb(old) - '{details,account_name,contact_id}'::text[] is distinct from to_jsonb(new) - '{details,account_name,contact_id}'::text[]
    or (old.account_name is not null and (new.account_name, new.contact_id) is distinct from (old.account_name, old.contact_id)) then
    raise exception 'activity only grows: nothing but details may be added to the current one';
  end if;
  return new;
end $$;

-- When a person last signed in, for the lists of contacts.
create index on session (login_id, started_at desc);

-- Guesses at invitations, to be slowed down.
create index on activity (login_subject, happened_at desc) where refusal = 'INVITATION_NOT_FOUND';

-- Technical table without the guard.

-- What a call with an idempotency key answered, for a day.
create table idempotent_answer (
  login_id       text not null references login,
  key_digest     bytea not null,
  request_digest bytea not null,
  status         integer not null,
  answer         jsonb not null,
  made_at        timestamptz not null,
  primary key (login_id, key_digest)
);
create index on idempotent_answer (made_at);
