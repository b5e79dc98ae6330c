-- Membership accounts and the contacts that act for them (specification, section 3).

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
-- Staff searches holders by part of a name.
create index account_org_name on account using gin (lower(org_name) gin_trgm_ops);
create index account_name_part on account using gin (lower(account_name) gin_trgm_ops);
create index account_by_status on account (account_status);
-- The clock of memberships looks every hour for terms that end around a day.
create index account_expiry on account (expiry_date) where account_status in ('open', 'suspended', 'lost');
call keep_history('account');

create table contact (
  contact_id    uuid primary key default gen_random_uuid(),
  account_name  text not null references account,
  login_id      text references login,
  full_name     text not null check (length(full_name) between 1 and 255),
  email         text not null check (length(email) <= 254),
  contact_types text[] not null check (contact_types <@ array['corporate', 'billing', 'technical'] and cardinality(contact_types) > 0),
  permissions   text[] not null,
  status        text not null default 'active' check (status in ('invited', 'active', 'pending-registry', 'removed')),
  created_at    timestamptz not null default now(),
  phone         text not null default '' check (length(phone) <= 40),
  -- What they do in the organisation.
  position      text not null default '' check (length(position) <= 100),
  -- Whois maintainers this person may use; a name counts while the account has a maintainer of that name.
  maintainers   text[] not null default '{}',
  -- Grows with every change of the row, so that of two people who edit one contact the second is told.
  version       integer not null default 1,
  -- When the person last said that the details are right, and when that was last asked for.
  confirmed_at  timestamptz,
  confirmation_asked_at timestamptz,
  removed_at    timestamptz,
  -- A helper, such as a consultant, acts for an account until a day, and never longer.
  helper_until  timestamptz,
  -- When the helper and the corporate contacts were told that it ends soon.
  helper_warned_at timestamptz,
  check (helper_until is null or not 'corporate' = any (contact_types))
);
-- One login is a contact of an account once.
create unique index contact_of_account on contact (account_name, login_id) where status <> 'removed';
create index contact_login on contact (login_id, account_name);
-- An address stands for one person in an account; an account is joined by it.
create unique index contact_address on contact (account_name, lower(email)) where status <> 'removed';
create index on contact (helper_until) where helper_until is not null and status <> 'removed';
-- People are found by the beginning of their address, and by a part of their name.
create index contact_email_part on contact using gin (lower(email) gin_trgm_ops);
create index contact_name_part on contact using gin (lower(full_name) gin_trgm_ops);
call keep_history('contact');

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
