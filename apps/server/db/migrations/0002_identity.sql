-- Who can sign in, with what, and which sign-ins are alive (domain/identity.md).

create table login (
  login_id text primary key default gen_random_uuid()::text,
  -- Lower case; what a person types, or the e-mail address.
  username text not null unique check (username = lower(username) and username ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  email text not null,
  email_verified boolean not null default false,
  full_name text not null,
  display_name text not null,
  nickname text not null,
  -- Registry staff (hostmasters).
  staff boolean not null default false,
  disabled_at timestamptz,
  -- What a demo person is there for; null for everybody else. Production refuses to start with one.
  demo_role text,
  created_at timestamptz not null
);
create unique index login_email on login (lower(email));
call keep_history('login');

-- People of a foreign OpenID provider, by issuer and subject; never by e-mail.
create table login_subject (
  issuer text not null,
  subject text not null,
  login_id text not null references login,
  primary key (issuer, subject)
);
create index on login_subject (login_id);
call keep_history('login_subject');

-- Passwords and second factors stand apart from the people, so that no read of a person can carry one along (S32).
create table login_password (
  login_id text primary key references login,
  -- argon2id in the PHC string format.
  hash text not null,
  set_at timestamptz not null
);
call keep_history('login_password', secret_columns => '{hash}');

create table login_totp (
  login_id text primary key references login,
  -- Secret of RFC 6238 (SHA-1, 6 digits, 30 s), AES-256-GCM with a key derived from SECRET_KEY.
  sealed_secret bytea not null,
  enrolled_at timestamptz not null
);
call keep_history('login_totp', secret_columns => '{sealed_secret}');

create table login_preferences (
  login_id text primary key references login,
  preferences jsonb not null
);
call keep_history('login_preferences', with_copy => false);

-- Sign-ins by their `sid`: one ended here is refused at the API at once. Of a foreign provider only the ended ones are known.
create table session (
  sid text primary key,
  login_id text references login,
  grant_id text,
  amr text[] not null default '{}',
  address inet,
  started_at timestamptz not null,
  -- No renewal outlives this.
  until timestamptz not null,
  ended_at timestamptz,
  ended_why text,
  check ((ended_at is null) = (ended_why is null))
);
create index on session (login_id) where ended_at is null;
create index on session (grant_id);
create index on session (ended_at) where ended_at is not null;
create index on session (until);
call keep_history('session', with_copy => false);

-- Keys that sign tokens. A retired key is kept until the last token it signed has expired.
create table signing_key (
  kid text primary key,
  alg text not null check (alg in ('RS256', 'ES256')),
  public_jwk jsonb not null,
  -- The private JWK, AES-256-GCM with a key derived from SECRET_KEY.
  sealed_private bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index on signing_key (alg) where retired_at is null;
call keep_history('signing_key', secret_columns => '{sealed_private}');

-- Technical tables without the guard: rows that live for minutes, are written at every step of the protocol, or hold what opens a session.
-- What they stand for leaves its line in activity (sign-in, failed attempts, sign-out); their rows are never looked at again.

-- The OpenID provider's sessions, interactions, codes, tokens and grants. Ids are kept as SHA-256 only.
create table oidc_payload (
  model text not null,
  id bytea not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  account_id text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
create index on oidc_payload (grant_id) where grant_id is not null;
create index on oidc_payload (model, uid) where uid is not null;
create index on oidc_payload (account_id) where account_id is not null;
create index on oidc_payload (expires_at);

-- Failed attempts by account, address and account, or second factor. Keys are SHA-256, so what was typed is not kept.
create table sign_in_failure (
  key bytea primary key,
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);
create index on sign_in_failure (last_at);

-- The last time step of which a one-time code was accepted: each code works once (RFC 6238, 5.2).
create table totp_step (
  login_id text primary key references login,
  last_step bigint not null
);
