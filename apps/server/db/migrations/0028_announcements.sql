-- Announcements: what the registry tells its members, to whom, from when until when, and who has read it.

create table announcement (
  announcement_id bigint generated always as identity primary key,
  -- Grows with every change, so that of two people who edit one announcement the second is told.
  version       integer not null default 1,
  category      text not null check (category in ('service', 'maintenance', 'election', 'fees', 'policy', 'event', 'security')),
  severity      text not null check (severity in ('info', 'warning', 'critical')),
  title         text not null check (length(title) between 3 and 200),
  body          text not null check (length(body) between 3 and 10000),
  audience      text not null check (audience in ('all', 'members', 'nirs', 'corporate', 'resources')),
  -- Prefixes and AS numbers, in canonical form: contacts of the accounts that hold some of them.
  resources     text[] not null default '{}',
  -- Those affected by the economy and the kind of their resources too; all that is filled in narrows.
  economies     text[] not null default '{}',
  kinds         text[] not null default '{}' check (kinds <@ array['ipv4', 'ipv6', 'asn']),
  requires_ack  boolean not null default false,
  -- Null for a draft. People see it from then on.
  publish_at    timestamptz,
  -- When it leaves the banner and the list of what is current.
  expires_at    timestamptz,
  withdrawn_at  timestamptz,
  withdraw_reason text not null default '' check (length(withdraw_reason) <= 500),
  -- When everybody was notified; meanwhile, the last person who was.
  notified_at   timestamptz,
  notified_to   text not null default '',
  created_at    timestamptz not null,
  constraint announcement_affected check ((audience = 'resources') = (cardinality(resources) + cardinality(economies) + cardinality(kinds) > 0)),
  check (expires_at is null or publish_at is null or expires_at > publish_at),
  check (withdrawn_at is null or publish_at is not null)
);
create index announcement_published on announcement (publish_at desc, announcement_id desc) where withdrawn_at is null;
create index announcement_to_notify on announcement (publish_at) where notified_at is null;
call keep_history('announcement');

-- Accounts that hold some of the resources that an announcement names, as it was saved last.
create table announcement_account (
  announcement_id bigint not null references announcement,
  account_name    text not null references account,
  primary key (announcement_id, account_name)
);
create index on announcement_account (account_name);
call keep_history('announcement_account');

-- Who acknowledged an announcement, or put its banner away.
create table announcement_reader (
  announcement_id bigint not null references announcement,
  login_id        text not null references login,
  acknowledged_at timestamptz not null,
  primary key (announcement_id, login_id)
);
create index on announcement_reader (login_id);
call keep_history('announcement_reader', with_copy => false);

-- The address of a person's own feed of announcements: a digest of the part that can't be guessed. A new address replaces it.
create table announcement_feed (
  login_id       text primary key references login,
  address_digest bytea not null unique check (length(address_digest) = 32),
  made_at        timestamptz not null
);
call keep_history('announcement_feed', secret_columns => '{address_digest}');
