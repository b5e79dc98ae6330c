-- Membership accounts and the contacts that act for them (spec section 3, domain/accounts.md 1.1-1.3).

create table account (
  account_name   text primary key check (account_name ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  account_status text not null check (account_status in ('open', 'suspended', 'closed', 'new', 'lost', 'prospect', 'n/a')),
  account_type   text not null check (account_type in ('regular', 'confed-isp', 'confed-nir', 'historical', 'rir', 'non member', 'n/a')),
  nir            boolean not null,
  org_name       text not null check (length(org_name) between 1 and 255),
  economy        text check (economy ~ '^[A-Z]{2}$'),
  member_since   date,
  expiry_date    date,
  -- The opaque holder id of the RIR statistics exchange format.
  statistics_id  text unique,
  created_at     timestamptz not null default now(),
  check (nir = (account_type = 'confed-nir'))
);
call keep_history('account');
-- Staff searches holders by part of a name.
create index account_org_name on account using gin (lower(org_name) gin_trgm_ops);
create index account_name_part on account using gin (lower(account_name) gin_trgm_ops);

create table contact (
  contact_id    uuid primary key default gen_random_uuid(),
  account_name  text not null references account,
  login_id      text references login,
  full_name     text not null check (length(full_name) between 1 and 255),
  email         text not null check (length(email) <= 254),
  contact_types text[] not null check (contact_types <@ array['corporate', 'billing', 'technical'] and cardinality(contact_types) > 0),
  permissions   text[] not null,
  status        text not null default 'ACTIVE' check (status in ('INVITED', 'ACTIVE', 'PENDING_REGISTRY', 'REMOVED')),
  created_at    timestamptz not null default now()
);
-- One login is a contact of an account once.
create unique index contact_of_account on contact (account_name, login_id) where status <> 'REMOVED';
create index contact_login on contact (login_id, account_name);
call keep_history('contact');

-- Somebody asked those who can grant a permission for it.
create table permission_request (
  permission_request_id bigint generated always as identity primary key,
  account_name text not null references account,
  contact_id   uuid not null references contact,
  permission   text not null,
  page         text not null,
  message      text not null,
  asked_at     timestamptz not null
);
create index permission_request_asked on permission_request (contact_id, permission, asked_at desc);
create index permission_request_account on permission_request (account_name, asked_at desc);
call keep_history('permission_request');
