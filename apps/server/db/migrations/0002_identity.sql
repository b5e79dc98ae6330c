-- Who can sign in, with what, and which sign-ins are alive; any number of authenticators and passkeys, recovery codes, links sent by mail, and what a
-- person sees of their sessions. First after the platform, because rows of all others name logins.

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
  created_at timestamptz not null,
  -- Until when actions that change the registry wait: a day after a password reset, a changed e-mail address, a lost factor or a used
  -- recovery code (S27).
  cool_down_until timestamptz,
  cool_down_why text check (cool_down_why in ('password-reset', 'email-changed', 'factor-lost', 'recovery-code', 'frozen')),
  -- Since when nobody gets in as this person, because somebody said that it was not them.
  frozen_at timestamptz,
  -- The one address that gets a frozen login back: whoever changed the address just before gains nothing by it.
  frozen_email text,
  -- How often all sessions of this person were ended. A sign-in notes it when it begins: one that is under way meanwhile opens nothing.
  sessions_ended integer not null default 0,
  check ((frozen_at is null) = (frozen_email is null))
);
create unique index login_email on login (lower(email));
-- People are found by the beginning of their address, and by a part of their name.
create index login_email_part on login using gin (lower(email) gin_trgm_ops);
create index login_name_part on login using gin (lower(full_name) gin_trgm_ops);
call keep_history('login');

-- People of a foreign OpenID provider, by issuer and subject; never by e-mail.
create table login_subject (
  issuer text not null,
  subject text not null,
  login_id text not null references login,
  -- When the token was issued whose names and address the login of a foreign provider's person shows.
  notified_at timestamptz,
  -- When the newest token was issued whose groups were applied, so that an older one undoes nothing.
  groups_at timestamptz,
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
  login_id text not null references login,
  -- Secret of RFC 6238 (SHA-1, 6 digits, 30 s), AES-256-GCM with a key derived from SECRET_KEY.
  sealed_secret bytea not null,
  enrolled_at timestamptz not null,
  totp_id text primary key default gen_random_uuid()::text,
  -- What the person calls it: "Phone".
  name text not null default 'Authenticator app' check (name <> '' and length(name) <= 60),
  -- Since when no code of it is accepted: too many wrong ones in a row. Only removing it ends that.
  disabled_at timestamptz
);
create index on login_totp (login_id);
call keep_history('login_totp', secret_columns => '{sealed_secret}');

-- Passkeys (WebAuthn). Nothing here is secret: the private key never left the person's device.
create table login_passkey (
  -- Credential id, base64url.
  credential_id text primary key,
  login_id text not null references login,
  name text not null check (name <> '' and length(name) <= 60),
  -- COSE key.
  public_key bytea not null,
  transports text[] not null default '{}',
  -- Kept in one device, or copied between those of a person.
  device_type text not null check (device_type in ('singleDevice', 'multiDevice')),
  enrolled_at timestamptz not null
);
create index on login_passkey (login_id);
call keep_history('login_passkey');

-- Codes for the day the other factors are lost: 15 random bytes each, kept as SHA-256.
create table login_recovery_code (
  login_id text not null references login,
  digest bytea not null,
  made_at timestamptz not null,
  used_at timestamptz,
  primary key (login_id, digest)
);
call keep_history('login_recovery_code', secret_columns => '{digest}');

-- What a link sent by mail is good for, once: a new login, a new password, a new address. The link holds 32 random bytes; only their
-- SHA-256 is kept, and none before the mail is written.
create table login_link (
  link_id text primary key default gen_random_uuid()::text,
  purpose text not null check (purpose in ('register', 'reset-password', 'change-email', 'undo-change-email', 'invitation', 'staff-invitation',
    'referral', 'contact-email', 'undo-contact-email', 'security-address', 'topic-address')),
  digest bytea unique,
  -- Null where the link makes the login.
  login_id text references login,
  -- Where it was sent.
  email text not null,
  -- What was asked for; of a registration also the hash of the password.
  asked jsonb not null default '{}',
  made_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on login_link (login_id) where login_id is not null;
create index on login_link (expires_at);
-- Links that invite the person of a login to registry staff.
create index login_link_staff_invitation on login_link (lower(email)) where purpose = 'staff-invitation' and used_at is null;
call keep_history('login_link', with_copy => false);

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
  -- The browser it began in.
  user_agent text,
  check ((ended_at is null) = (ended_why is null))
);
create index on session (login_id) where ended_at is null;
create index on session (grant_id);
create index on session (ended_at) where ended_at is not null;
create index on session (until);
-- When a person last signed in, for the lists of contacts.
create index on session (login_id, started_at desc);
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

-- A person's own sign-in history.
create index on activity (login_subject, activity_id desc) where login_subject is not null and action like 'identity.%';

-- Guesses at invitations, to be slowed down.
create index on activity (login_subject, happened_at desc) where refusal = 'INVITATION_NOT_FOUND';

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

-- The last time step of which a code was accepted, by authenticator: each code works once (RFC 6238, 5.2).
create table totp_step (
  totp_id text primary key references login_totp on delete cascade,
  last_step bigint not null,
  used_at timestamptz not null
);

-- When a session was last renewed, and from where.
create table session_use (
  sid text primary key references session on delete cascade,
  used_at timestamptz not null,
  address inet
);

-- The signature counter of a passkey and when it was last used; a counter that goes back is a copied key (WebAuthn 6.1.1).
create table passkey_use (
  credential_id text primary key references login_passkey on delete cascade,
  counter bigint not null,
  used_at timestamptz
);

-- How many wrong codes came in a row; at a hundred the kind of code is switched off.
create table code_failure (
  login_id text not null references login,
  -- 'totp' or 'recovery'.
  kind text not null,
  failures integer not null,
  primary key (login_id, kind)
);

-- The answers kept for repeated calls are the platform's, of people who are ours.
alter table idempotent_answer add foreign key (login_id) references login;
