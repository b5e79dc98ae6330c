-- Any number of authenticators and passkeys, recovery codes, links sent by mail, and what a person sees of their sessions
-- (domain/identity.md sections 7 and 11).

-- Until when actions that change the registry wait: a day after a password reset, a changed e-mail address, a lost factor or a used
-- recovery code (S27).
alter table login
  add column cool_down_until timestamptz,
  add column cool_down_why text check (cool_down_why in ('password-reset', 'email-changed', 'factor-lost', 'recovery-code'));

alter table login_totp drop constraint login_totp_pkey;
alter table login_totp
  add column totp_id text primary key default gen_random_uuid()::text,
  -- What the person calls it: "Phone".
  add column name text not null default 'Authenticator app' check (name <> '' and length(name) <= 60),
  -- Since when no code of it is accepted: too many wrong ones in a row. Only removing it ends that.
  add column disabled_at timestamptz;
create index on login_totp (login_id);

-- The last time step of which a code was accepted, by authenticator: each code works once (RFC 6238, 5.2).
drop table totp_step;
create table totp_step (
  totp_id text primary key references login_totp on delete cascade,
  last_step bigint not null,
  used_at timestamptz not null
);

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
  purpose text not null check (purpose in ('register', 'reset-password', 'change-email', 'undo-change-email')),
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
call keep_history('login_link', with_copy => false);

-- The browser a session began in.
alter table session add column user_agent text;

-- When the token was issued whose names and address the login of a foreign provider's person shows.
alter table login_subject add column told_at timestamptz;

-- A person's own sign-in history.
create index on activity (login_subject, activity_id desc) where login_subject is not null and action like 'identity.%';

-- A link a mail carries is sealed apart from its words and forgotten once it was sent: whoever reads the mails opens nothing.
alter table mail add column sealed_link bytea;

-- Technical tables without the guard: written at every use, never looked at again.

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

-- How many wrong codes came in a row; at a hundred the kind of code is switched off (section 7).
create table code_failure (
  login_id text not null references login,
  -- 'totp' or 'recovery'.
  kind text not null,
  failures integer not null,
  primary key (login_id, kind)
);
