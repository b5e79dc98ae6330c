-- Whois objects, prefixes and AS numbers of which a contact wants to hear when somebody changes them (modules/whois/follows.ts).
create table whois_follow (
  follow_id    bigint generated always as identity primary key,
  contact_id   uuid not null references contact,
  account_name text not null references account,
  -- Of one object: its class and normalised key. Null: all that whois says of some numbers, and of what lies in them.
  class        text,
  key          text not null,
  -- As people write it.
  shown        text not null,
  first        inet,
  last         inet,
  first_as     bigint,
  last_as      bigint,
  -- What the journal held when it began: earlier changes are not told of.
  since_serial bigint not null check (since_serial >= 0),
  followed_at  timestamptz not null,
  unique nulls not distinct (contact_id, class, key),
  check (class is null = (first is not null or first_as is not null)),
  check (first is null = (last is null) and first_as is null = (last_as is null) and (first is null or first_as is null))
);
create index on whois_follow (account_name);
create index on whois_follow (class, key);
create index whois_follow_first on whois_follow (first) where first is not null;
create index whois_follow_first_as on whois_follow (first_as) where first_as is not null;
call keep_history('whois_follow');

-- The last serial of the journal that followers were told of; one row.
create table whois_follow_progress (
  only_row boolean primary key default true check (only_row),
  serial   bigint not null check (serial >= 0)
);
insert into whois_follow_progress (serial) select coalesce(max(serial), 0) from whois_journal;
call keep_history('whois_follow_progress', with_copy => false);

-- Routes that are no more, by the number that originated them: `64500` of `198.18.0.0/23as64500`; for the page of an AS number as of a day.
create index whois_journal_gone_origin on whois_journal (split_part(key, 'as', 2)) where operation = 'DEL' and class in ('route', 'route6');

-- What a member keeps of a customer for itself. Assignments name the customer; one that is only named there needs no row.
create table customer (
  account_name text not null references account,
  customer     text not null check (length(customer) between 1 and 200),
  address      text not null default '',
  economy      text check (economy ~ '^[A-Z]{2}$'),
  contact_name text not null default '',
  phone        text not null default '',
  email        text not null default '',
  remarks      text not null default '',
  -- How new assignments to it are registered unless one says otherwise.
  visibility   text not null check (visibility in ('public', 'private')),
  updated_at   timestamptz not null,
  primary key (account_name, customer)
);
create index assignment_customer on assignment (account_name, customer);
call keep_history('customer');
