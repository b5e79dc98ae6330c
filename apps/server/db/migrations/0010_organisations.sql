-- What a member keeps about its organisation, what it asks the registry to change, and the end of an account.

-- Of an organisation what its account does not say. An account without a row has given nothing yet.
create table organisation (
  account_name        text primary key references account,
  -- Changed by the registry only, as is the name of the account's organisation.
  registration_number text not null default '' check (length(registration_number) <= 40),
  organisation_type   text check (organisation_type in ('company', 'partnership', 'sole trader', 'government', 'education', 'not for profit', 'other')),
  -- Changed by the member. The economy is the account's.
  postal_address  text[] not null default '{}' check (cardinality(postal_address) <= 4),
  city            text not null default '' check (length(city) <= 100),
  region          text not null default '' check (length(region) <= 100),
  postcode        text not null default '' check (length(postcode) <= 16),
  phone           text not null default '' check (length(phone) <= 40),
  fax             text not null default '' check (length(fax) <= 40),
  website         text not null default '' check (length(website) <= 255),
  abuse_email     text not null default '' check (length(abuse_email) <= 254),
  -- Empty: the postal address.
  billing_address text[] not null default '{}' check (cardinality(billing_address) <= 6),
  billing_email   text not null default '' check (length(billing_email) <= 254),
  po_number       text not null default '' check (length(po_number) <= 40),
  -- Grows with every change, so that of two people who edit one organisation the second is told.
  version         integer not null default 1
);
call keep_history('organisation');

-- A field that is the registry's to change, and what the member asks it to become.
create table organisation_change (
  organisation_change_id bigint generated always as identity primary key,
  account_name  text not null references account,
  field         text not null check (field in ('orgName', 'registrationNumber', 'organisationType')),
  present_value text not null,
  wanted_value  text not null,
  reason        text not null default '',
  state         text not null default 'submitted'
    check (state in ('submitted', 'in-review', 'needs-info', 'approved', 'rejected', 'withdrawn')),
  requested_by  uuid not null references contact,
  requested_at  timestamptz not null,
  -- The login of registry staff who looks into it.
  reviewer      text references login,
  -- What the registry asked the member last, and what the member said to it.
  question      text,
  answer        text,
  -- Registry staff who decided, or the contact who withdrew it.
  resolved_by   text references login,
  withdrawn_by  uuid references contact,
  resolved_at   timestamptz,
  note          text,
  check ((state in ('submitted', 'in-review', 'needs-info')) = (resolved_at is null)),
  check (state <> 'withdrawn' or resolved_by is null)
);
create unique index organisation_change_open on organisation_change (account_name, field) where resolved_at is null;
create index organisation_change_waiting on organisation_change (organisation_change_id) where resolved_at is null;
create index organisation_change_resolved on organisation_change (account_name, resolved_at desc) where resolved_at is not null;
create index on organisation_change (resolved_at desc) where resolved_at is not null;
create index on organisation_change (requested_by);
create index on organisation_change (reviewer);
create index on organisation_change (resolved_by);
create index on organisation_change (withdrawn_by);
call keep_history('organisation_change');
call follow_life('organisation_change', 'state', 'in-review>approved in-review>needs-info in-review>rejected in-review>withdrawn needs-info>approved needs-info>in-review needs-info>rejected
  needs-info>withdrawn submitted>approved submitted>in-review submitted>needs-info submitted>rejected submitted>withdrawn');

-- The member asks to end its account. An approved one is carried out on its day.
create table account_closure_request (
  account_closure_request_id bigint generated always as identity primary key,
  account_name text not null references account,
  reason       text not null check (length(reason) between 1 and 1000),
  -- A day in the time zone of the registry.
  close_on     date not null,
  resources    text not null check (resources in ('return', 'transfer', 'none')),
  state        text not null default 'submitted' check (state in ('submitted', 'approved', 'rejected', 'withdrawn', 'closed')),
  requested_by uuid not null references contact,
  requested_at timestamptz not null,
  resolved_by  text references login,
  resolved_at  timestamptz,
  withdrawn_by uuid references contact,
  note         text,
  -- When it was withdrawn, or the account closed.
  ended_at     timestamptz,
  check (state <> 'submitted' or resolved_at is null),
  check ((state in ('withdrawn', 'closed')) = (ended_at is not null))
);
create unique index account_closure_request_open on account_closure_request (account_name) where state in ('submitted', 'approved');
create index on account_closure_request (account_name, account_closure_request_id desc);
create index account_closure_request_due on account_closure_request (close_on) where state in ('submitted', 'approved');
create index on account_closure_request (requested_by);
create index on account_closure_request (resolved_by);
create index on account_closure_request (withdrawn_by);
call keep_history('account_closure_request');
call follow_life('account_closure_request', 'state', 'approved>closed approved>rejected approved>withdrawn submitted>approved submitted>rejected submitted>withdrawn');
