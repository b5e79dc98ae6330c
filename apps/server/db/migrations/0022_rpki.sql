-- Resource certification: authorities and their keys, what members want published (ROAs), the signed objects made of it, and the repository they stand in.
-- Members write rpki_ca and roa; the rest is the publisher's (modules/rpki/publisher.ts).

-- An authority: the trust anchor, the registry's own below it, and one for each account that uses RPKI.
create table rpki_ca (
  ca_id        bigint generated always as identity primary key,
  kind         text not null check (kind in ('trust-anchor', 'registry', 'member')),
  account_name text references account,
  -- The name of its directory: random, because certificates and their addresses must not tell whose they are (RFC 9255).
  handle       text not null unique,
  state        text not null default 'active' check (state in ('active', 'revoked')),
  -- Counts changes of the account's ROAs: who changes them says which list they saw.
  version      integer not null default 1,
  enabled_at   timestamptz not null,
  revoked_at   timestamptz,
  -- A member asked for a new key; then for its activation.
  rollover_requested_at   timestamptz,
  activation_requested_at timestamptz,
  check ((kind = 'member') = (account_name is not null)),
  check ((state = 'revoked') = (revoked_at is not null))
);
create unique index rpki_ca_account on rpki_ca (account_name) where state = 'active';
create unique index rpki_ca_kind on rpki_ca (kind) where kind <> 'member';
call keep_history('rpki_ca');

-- What a member wants validators to find: this AS may originate this prefix, and more specific ones down to max_length.
create table roa (
  roa_id       bigint generated always as identity primary key,
  account_name text not null references account,
  prefix       cidr not null,
  max_length   integer not null,
  asn          bigint not null check (asn between 0 and 4294967295),
  comment      text not null default '',
  created_at   timestamptz not null,
  check (max_length between masklen(prefix) and case family(prefix) when 4 then 32 else 128 end),
  unique (account_name, prefix, asn)
);
create index on roa using gist (prefix inet_ops);
call keep_history('roa');

-- A key of an authority. `new` is certified beside the current one for a day, `old` signs its last manifest (RFC 6489).
create table rpki_key (
  key_id         bigint generated always as identity primary key,
  ca_id          bigint not null references rpki_ca,
  state          text not null check (state in ('new', 'current', 'old', 'destroyed')),
  -- SubjectPublicKeyInfo, and its key identifier in hexadecimal.
  public_key     bytea not null,
  key_identifier text not null unique,
  -- Sealed by SECRET_KEY, or what a hardware module calls it; null once it is destroyed.
  sealed_private bytea,
  certificate    bytea,
  certificate_serial text,
  not_before     timestamptz,
  not_after      timestamptz,
  -- What the certificate is for, as people write it.
  resources      text[] not null default '{}',
  created_at     timestamptz not null,
  state_since    timestamptz not null,
  check ((state = 'destroyed') = (sealed_private is null))
);
create unique index rpki_key_state on rpki_key (ca_id, state) where state <> 'destroyed';
call keep_history('rpki_key', secret_columns => '{sealed_private}');

-- The manifest and CRL of a key that signs: their number, which only grows, and when they end.
create table rpki_manifest (
  key_id      bigint primary key references rpki_key,
  number      bigint not null,
  this_update timestamptz not null,
  next_update timestamptz not null
);
create index on rpki_manifest (next_update);
call keep_history('rpki_manifest', with_copy => false);

-- Certificates a key issued that have not ended, for its CRL.
create table rpki_certificate (
  key_id     bigint not null references rpki_key,
  -- Hexadecimal.
  serial     text not null,
  not_after  timestamptz not null,
  revoked_at timestamptz,
  primary key (key_id, serial)
);
create index on rpki_certificate (key_id) where revoked_at is not null;
call keep_history('rpki_certificate', with_copy => false);

-- The repository: every file that is published now, by its rsync address.
create table rpki_object (
  uri         text primary key,
  -- Who signed it.
  key_id      bigint not null references rpki_key,
  kind        text not null check (kind in ('trust-anchor', 'certificate', 'crl', 'manifest', 'roa', 'aspa')),
  content     bytea not null,
  sha256      bytea not null,
  -- What the file says of its time (RFC 9589): signing time, thisUpdate, notBefore. Of each copy of the file the same.
  modified_at timestamptz not null,
  -- Of the certificate that it is, or that is in it.
  serial      text,
  not_after   timestamptz,
  -- What it is made of: the ROAs in it, or the key that is certified.
  subject     text not null,
  roa_ids     bigint[] not null default '{}',
  -- The publication it appeared in.
  published_in bigint not null
);
create index on rpki_object (key_id, kind);
create index on rpki_object using gin (roa_ids) where kind = 'roa';
create index on rpki_object (not_after) where kind in ('roa', 'aspa', 'certificate');
call keep_history('rpki_object', with_copy => false);

-- RRDP (RFC 8182): a session lasts as long as its serials are sure to have gone up by one each.
create table rrdp_session (
  session_id   text primary key,
  begun_at     timestamptz not null,
  reason       text not null,
  ended_at     timestamptz,
  serial       bigint not null,
  published_at timestamptz not null,
  -- The folder of the snapshot of this serial: nobody can guess it before it is published.
  snapshot_name text not null
);
create unique index rrdp_session_current on rrdp_session ((true)) where ended_at is null;
call keep_history('rrdp_session', with_copy => false);

-- Deltas that the notification names, to the byte.
create table rrdp_delta (
  session_id   text not null references rrdp_session,
  serial       bigint not null,
  name         text not null,
  content      bytea not null,
  sha256       bytea not null,
  published_at timestamptz not null,
  primary key (session_id, serial)
);
call keep_history('rrdp_delta', with_copy => false);

-- Accounts whose certificate or ROAs may differ from what is published. Rows are added and taken, never changed, so that nobody waits for the publisher.
create table rpki_due (
  due_id       bigint generated always as identity primary key,
  account_name text not null,
  noticed_at   timestamptz not null default now()
);
call keep_history('rpki_due', with_copy => false);

create function note_rpki_due() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) select distinct t.account_name from touched t join rpki_ca c on c.account_name = t.account_name and c.state = 'active'
    order by 1;
  if found then perform pg_notify('rpki', ''); end if;
  return null;
end $$;
create trigger rpki_due_delegation_inserted after insert on delegation referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_delegation_updated after update on delegation referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_delegation_left after update on delegation referencing old table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_delegation_deleted after delete on delegation referencing old table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_account_updated after update on account referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_roa_inserted after insert on roa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_roa_updated after update on roa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_roa_deleted after delete on roa referencing old table as touched for each statement execute function note_rpki_due();

-- An authority itself: enabled, revoked, rolled over.
create function note_rpki_due_ca() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) select distinct account_name from touched where account_name is not null order by 1;
  if found then perform pg_notify('rpki', ''); end if;
  return null;
end $$;
create trigger rpki_due_ca_inserted after insert on rpki_ca referencing new table as touched for each statement execute function note_rpki_due_ca();
create trigger rpki_due_ca_updated after update on rpki_ca referencing new table as touched for each statement execute function note_rpki_due_ca();

-- Technical, without the guard: keys made ahead, each taken out for good before it is used (RFC 9286 asks for a new one for each manifest).
create table rpki_one_time_key (
  one_time_key_id bigint generated always as identity primary key,
  public_key      bytea not null,
  sealed_private  bytea not null,
  made_at         timestamptz not null
);
