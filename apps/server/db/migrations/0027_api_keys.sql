-- API keys: what programs of members call the registry API with.

create table api_key (
  api_key_id   bigint generated always as identity (start with 1001) primary key,
  account_name text not null references account,
  label        text not null check (length(label) between 3 and 40),
  scopes       text[] not null check (cardinality(scopes) > 0),
  -- Addresses it can be used from; empty: any.
  networks     cidr[] not null default '{}',
  -- Its creator: a key can do no more than this person, as this person is known to the activity log.
  login_id     text not null references login,
  issuer       text not null,
  subject      text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  revoked_at   timestamptz,
  -- When the corporate contacts were notified that it expires, and that it was used from an address that is not allowed.
  reminded_at  timestamptz,
  alarmed_at   timestamptz,
  check (expires_at > created_at)
);
create index on api_key (account_name, api_key_id);
create index on api_key (login_id);
create index api_key_expiring on api_key (expires_at) where revoked_at is null and reminded_at is null;
-- People tell keys apart by their labels.
create unique index api_key_label on api_key (account_name, lower(label)) where revoked_at is null;
call keep_history('api_key');

-- The secrets of a key: one, or two while it is rotated. A secret is 40 random characters, so its SHA-256 can't be searched.
create table api_key_secret (
  api_key_id bigint not null references api_key,
  -- Its visible beginning.
  prefix     text not null check (length(prefix) between 8 and 20),
  hash       bytea not null unique check (length(hash) = 32),
  made_at    timestamptz not null,
  -- Set by a rotation.
  ends_at    timestamptz,
  primary key (api_key_id, prefix)
);
call keep_history('api_key_secret', secret_columns => '{hash}');

-- How often a key was used on a day (UTC), and its last call. Counters: no history.
create table api_key_use (
  api_key_id   bigint not null references api_key,
  day          date not null,
  calls        integer not null check (calls >= 0),
  refused      integer not null check (refused >= 0),
  last_at      timestamptz not null,
  last_address inet not null,
  -- The last call with a secret that a rotation replaced, so that the program that still has it is found.
  old_at       timestamptz,
  old_address  inet,
  primary key (api_key_id, day)
);
