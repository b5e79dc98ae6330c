-- The board on which holders offer IPv4 for transfer, and others say what they look for. It names no address of a person.

create table listing (
  listing_id bigint generated always as identity primary key,
  account_name text not null references account,
  kind text not null check (kind in ('offer', 'wanted')),
  -- The block of an offer; null where only a size is wanted.
  first inet,
  last inet,
  resource text,
  length integer not null check (length between 8 and 24),
  -- The block and its holder are shown to others.
  names_holder boolean not null,
  -- It can go to, or come from, another regional registry.
  inter_registry boolean not null,
  notes text not null default '' check (length(notes) <= 500),
  state text not null default 'open' check (state in ('open', 'withdrawn', 'expired', 'removed', 'transferred')),
  listed_by text not null references login,
  listed_at timestamptz not null,
  expires_on date not null,
  reminded_on date,
  ended_at timestamptz,
  -- Why registry staff removed it.
  ended_why text not null default '',
  check ((kind = 'offer') = (resource is not null) and (resource is null) = (first is null) and (first is null) = (last is null)),
  check ((state = 'open') = (ended_at is null)),
  -- An address is offered once at a time.
  constraint listing_once exclude using gist (inetrange(first, last, '[]') with &&) where (state = 'open' and kind = 'offer')
);
create index listing_open on listing (listing_id desc) where state = 'open';
create index listing_account on listing (account_name, listing_id desc);
create index listing_listed_by on listing (listed_by);
create index listing_expires on listing (expires_on) where state = 'open';
call keep_history('listing');

-- What was written about a listing: to its holder, who is told by mail, or to the registry. Words go after a year, and no history keeps them.
create table listing_message (
  listing_message_id bigint generated always as identity primary key,
  listing_id bigint not null references listing,
  account_name text not null references account,
  login_id text not null references login,
  kind text not null check (kind in ('question', 'report')),
  words text not null,
  sent_at timestamptz not null
);
create index listing_message_listing on listing_message (listing_id);
create index listing_message_sender on listing_message (account_name, sent_at);
create index listing_message_login on listing_message (login_id);
create index listing_message_sent on listing_message (sent_at);
call keep_history('listing_message', secret_columns => '{words}');
